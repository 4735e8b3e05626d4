import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { createReadiness, type Readiness } from './readiness.js';

/** What a program gets to start with. */
export interface Program {
  readonly name: string;
  readonly logger: Logger;
  readonly readiness: Readiness;
  /** Fires when the program shall stop, also while it is still starting. */
  readonly signal: AbortSignal;
  /**
   * Registers what undoes a step of the start. Steps are undone in reverse order, one after the other; `remainingMs` is
   * what is left of the time to drain.
   */
  onStop(name: string, stop: (remainingMs: number) => void | Promise<void>): void;
}

export interface ProgramOptions {
  readonly name: string;
  readonly logger: Logger;
  /** Milliseconds for draining. */
  readonly drainMs: number;
  readonly pidFile?: string | undefined;
}

/**
 * One Ctrl-C may come twice: the terminal sends it to the whole group, and npm, itself signalled, sends it on. Only a
 * later signal is somebody who does not want to wait.
 */
const echoMs = 300;
const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof signalExitCodes;

/**
 * Runs a program until SIGTERM or SIGINT, then drains it and ends the process: 0 when all was drained, 1 when the start
 * failed, the deadline passed or an error was never caught. A second, later signal ends it as if nobody had listened, which shells
 * show as 130 or 143. Call it once for a process.
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
  let pidWritten: string | undefined;

  async function stop(exitCode: number): Promise<void> {
    stopping = true;
    readiness.drain();
    controller.abort(new Error(`${name} is stopping`));
    const deadline = performance.now() + options.drainMs;
    let code = exitCode;
    while (stops.length > 0) {
      const step = stops.pop();
      if (step === undefined) break;
      const outcome = await settleBefore(deadline, step.stop);
      if (outcome === 'done') continue;
      logger.error('a step did not stop cleanly', { step: step.name, reason: outcome.reason });
      code ||= 1;
    }
    end(code);
  }

  function end(code: number): never {
    try {
      if (pidWritten !== undefined) rmSync(pidWritten);
      pidWritten = undefined;
    } finally {
      process.exit(code);
    }
  }

  /**
   * At once, and without the tidying of an exit: with writes on their way, LMDB then closes its files under them and crashes, or the exit
   * waits for one that waits for this thread.
   */
  function endBy(signal: StopSignal): void {
    try {
      if (pidWritten !== undefined) rmSync(pidWritten);
      pidWritten = undefined;
    } finally {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    // The first process of a container is spared by a signal that nobody listens to.
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
    logger.info('stopping', { program: name, signal });
    void stop(0);
  }

  function onUncaught(error: unknown): void {
    logger.error('an error was never caught', { error });
    if (stopping) end(1);
    void stop(1);
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
    await stop(1);
  }
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
    timer = setTimeout(() => resolve({ reason: 'no time was left' }), remainingMs);
  });
  try {
    return await Promise.race([Promise.resolve(step(remainingMs)).then(() => 'done' as const), late]);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
