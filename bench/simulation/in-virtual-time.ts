import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { seeded } from '../routing/seeded.js';
import { withSeededIds } from './seeded-ids.js';
import type { Due, VirtualClock } from './virtual-clock.js';

/**
 * Runs `work` with the clock as the time of this process, and with its random numbers from the seed: timers,
 * dates, ids and `Math.random`, also those that are used deep inside the product. Nothing in it may wait for
 * the disk, the network or a thread, which know no virtual time.
 */
export async function inVirtualTime<Result>(
  clock: VirtualClock,
  seed: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = {
    now: Date.now,
    random: Math.random,
    cpuUsage: process.cpuUsage,
    performanceNow: Object.getOwnPropertyDescriptor(performance, 'now'),
    delay: timersPromises.setTimeout,
    turn: timersPromises.setImmediate,
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate },
  };
  const startMs = clock.nowMs;
  Date.now = () => clock.nowMs;
  Math.random = seeded(seed);
  // A server that is busy refuses requests; how busy this machine is must change nothing.
  process.cpuUsage = () => ({ user: 0, system: 0 });
  Object.defineProperty(performance, 'now', { configurable: true, value: () => clock.nowMs - startMs });
  Object.assign(globalThis, virtualTimers(clock));
  timersPromises.setTimeout = ((ms = 0, value?: unknown, options: { signal?: AbortSignal } = {}) =>
    delayed(clock, ms, value, options.signal)) as typeof timersPromises.setTimeout;
  timersPromises.setImmediate = ((value?: unknown) =>
    delayed(clock, 0, value)) as typeof timersPromises.setImmediate;
  syncBuiltinESMExports();
  try {
    return await withSeededIds(seed ^ 0x5eed, work);
  } finally {
    const { now, random, cpuUsage, performanceNow, delay, turn, ...timers } = before;
    Date.now = now;
    Math.random = random;
    process.cpuUsage = cpuUsage;
    if (performanceNow === undefined) Reflect.deleteProperty(performance, 'now');
    else Object.defineProperty(performance, 'now', performanceNow);
    Object.assign(globalThis, timers);
    timersPromises.setTimeout = delay;
    timersPromises.setImmediate = turn;
    syncBuiltinESMExports();
  }
}

type Callback = (...args: readonly unknown[]) => void;

function virtualTimers(clock: VirtualClock) {
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.cancel();
  };
  return {
    setTimeout: (run: Callback, ms = 0, ...args: readonly unknown[]) =>
      new VirtualTimer(clock, () => run(...args), ms, false),
    setInterval: (run: Callback, ms = 0, ...args: readonly unknown[]) =>
      new VirtualTimer(clock, () => run(...args), ms, true),
    setImmediate: (run: Callback, ...args: readonly unknown[]) =>
      new VirtualTimer(clock, () => run(...args), 0, false),
    ...{ clearTimeout: clear, clearInterval: clear, clearImmediate: clear },
  };
}

/** What Node.js calls a `Timeout`, as far as the product uses it. */
class VirtualTimer {
  #due: Due;
  #isOver = false;

  constructor(clock: VirtualClock, run: () => void, ms: number, repeats: boolean) {
    const everyMs = Math.max(1, ms || 1);
    const again = (): Due =>
      clock.at(repeats ? everyMs : ms, () => {
        if (repeats) this.#due = again();
        run();
        if (this.#isOver) this.#due.isCancelled = true;
      });
    this.#due = again();
  }

  cancel(): void {
    this.#isOver = true;
    this.#due.isCancelled = true;
  }

  /** Nothing keeps virtual time going but the run itself. */
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function delayed<Value>(clock: VirtualClock, ms: number, value: Value, signal?: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(aborted(signal));
      return;
    }
    const abort = (): void => {
      due.isCancelled = true;
      reject(aborted(signal!));
    };
    const due = clock.at(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    signal?.addEventListener('abort', abort);
  });
}

const aborted = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    ...{ name: 'AbortError', code: 'ABORT_ERR' },
  });
