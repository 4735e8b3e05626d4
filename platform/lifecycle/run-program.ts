import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { armExitGuard } from './exit-guard.js';
import { createReadiness, type Readiness } from './readiness.js';

/** What a program receives at its start. */
export interface Program {
  readonly name: string;
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Fires when the program must stop, also during its start. */
  readonly signal: AbortSignal;
  /**
   * Registers what undoes a step of the start. Steps are undone in reverse order, one after the other;
   * `remainingMs` is what is left of the time to drain.
   */
  onStop(name: string, stop: (remainingMs: number) => void | Promise<void>): void;
}

export interface ProgramOptions {
  readonly name: string;
  readonly logger: Logger;
  /** Milliseconds for draining. At most `endMs` later the process is gone. */
  readonly drainMs: number;
  /** Ends, within the time, work that an exit would wait for or break; false if it still runs. */
  readonly rest?: (withinMs: number) => Promise<boolean>;
  readonly pidFile?: string | undefined;
}

/**
 * One Ctrl-C may arrive twice: the terminal sends it to the whole group, and npm, itself signalled, forwards
 * it. A later signal comes from a person who does not want to wait.
 */
const echoMs = 300;
/** Maximum time from the end of the drain to the end of the process. */
export const endMs = 1_000;
const restMs = 500;
const signalExitCodes = { SIGINT: 130, SIGKILL: 137, SIGTERM: 143 } as const;
type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * Runs a program until SIGTERM or SIGINT, then drains it and ends the process: 0 when all was drained, 1 when
 * the start failed, the deadline passed or an error was never caught. A process that does not end by itself
 * in the second after its drain is killed, which shells show as 137. A second, later signal ends it
 * immediately with 130 or 143. Call it once per process.
 *
 * ```ts
 * await runProgram({ name: 'ingest', logger, drainMs: 10_000 }, async (program) => {
 *   const log = await openLog();
 *   program.onStop('event log', () => log.close());
 * });
 * ```
 */
export async function runProgram(
  options: ProgramOptions,
  start: (program: Program) => Promise<void>,
): Promise<void> {
  const { name, logger } = options;
  const stops: { readonly name: string; readonly stop: (remainingMs: number) => void | Promise<void> }[] = [];
  const controller = new AbortController();
  const readiness = createReadiness(logger);
  let stopping = false;
  let code = 0;
  let pidWritten: string | undefined;

  async function stop(signal?: StopSignal): Promise<void> {
    stopping = true;
    const deadline = performance.now() + options.drainMs;
    // Before anything that may hang, including a log line.
    armExitGuard(options.drainMs + endMs, (error) => logger.error('the exit guard did not start', { error }));
    if (signal !== undefined) logger.info('stopping', { program: name, signal });
    readiness.drain();
    controller.abort(new Error(`${name} is stopping`));
    while (stops.length > 0) {
      const step = stops.pop();
      if (step === undefined) break;
      const outcome = await settleBefore(deadline, step.stop);
      if (outcome === 'done') continue;
      logger.error('a step did not stop cleanly', { step: step.name, reason: outcome.reason });
      code = 1;
    }
    if (options.rest !== undefined && !(await options.rest(restMs))) {
      logger.error('writes are still in progress, so the program is killed', { program: name });
      endBy('SIGKILL');
      return;
    }
    end(code);
  }

  function end(exitCode: number): never {
    try {
      removePid();
    } finally {
      process.exit(exitCode);
    }
  }

  function removePid(): void {
    if (pidWritten !== undefined) rmSync(pidWritten);
    pidWritten = undefined;
  }

  /**
   * Immediately and without exit handlers: with writes in flight, LMDB would close its files under them and
   * crash, or the exit would wait for a write that waits for this thread.
   */
  function endBy(signal: StopSignal | 'SIGKILL'): void {
    try {
      removePid();
    } finally {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    // In a container, process 1 ignores a signal without a listener.
    setImmediate(() => end(signalExitCodes[signal]));
  }

  let signalledAt = 0;
  function onSignal(signal: StopSignal): void {
    if (stopping && performance.now() - signalledAt < echoMs) return;
    if (stopping) {
      endBy(signal);
      return;
    }
    signalledAt = performance.now();
    void stop(signal);
  }

  function onUncaught(error: unknown): void {
    logger.error('an error was not caught', { error });
    code = 1;
    if (!stopping) void stop();
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);

  try {
    if (options.pidFile !== undefined) writePid(options.pidFile);
    pidWritten = options.pidFile;
    await start({
      name,
      logger,
      readiness,
      signal: controller.signal,
      onStop: (step, undo) => void stops.push({ name: step, stop: undo }),
    });
  } catch (error) {
    if (stopping) return;
    const reason = error instanceof Error ? error.message : String(error);
    logger.error('the program did not start', { program: name, error });
    process.stderr.write(`${name}: ${reason}\n`);
    code = exitCodeOf(error);
    await stop();
  }
}

/** 1, unless the error says another. */
function exitCodeOf(error: unknown): number {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'number' && Number.isInteger(code) && code > 0 && code < 126 ? code : 1;
}

function writePid(file: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, `${process.pid}\n`);
  } catch (error) {
    throw new Error(`PID_FILE ${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

interface Failure {
  readonly reason: string;
}

async function settleBefore(
  deadline: number,
  step: (remainingMs: number) => void | Promise<void>,
): Promise<'done' | Failure> {
  const remainingMs = Math.max(0, deadline - performance.now());
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Failure>((resolve) => {
    timer = setTimeout(() => resolve({ reason: 'it did not stop in time' }), remainingMs);
  });
  try {
    return await Promise.race([Promise.resolve(step(remainingMs)).then(() => 'done' as const), late]);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
