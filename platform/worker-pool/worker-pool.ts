import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { queuedTasksMax, taskTimeoutMs } from './limits.js';

/** The queue is full; nothing was done. */
export class PoolSaturated extends Error {
  override readonly name = 'PoolSaturated';
  constructor() {
    super('All threads are busy and the queue is full.');
  }
}

/** The task took longer than allowed; its thread was killed and replaced. */
export class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut';
  constructor(milliseconds: number) {
    super(`The task did not end within ${milliseconds} ms.`);
  }
}

export interface WorkerPoolOptions {
  /** Absolute path of a compiled module. Each export is a task: `(input) => output`. */
  readonly file: string;
  /** Passed to every thread; a SharedArrayBuffer is shared, the rest is copied. */
  readonly workerData?: unknown;
  /** Default: one less than the cores, at least one. */
  readonly threads?: number;
  readonly maxQueue?: number;
  /** Counted from submission, so waiting counts too. */
  readonly taskTimeoutMs?: number;
  /** Old-generation heap of each thread; a thread that exceeds it ends without affecting the others. */
  readonly heapMb?: number;
}

export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Replaces the pool's. */
  readonly timeoutMs?: number;
}

/**
 * Threads for work that would hold up the event loop.
 *
 * ```ts
 * const pool = createWorkerPool({ file, workerData: { graph: sharedBytes } });
 * const route = await pool.run<Query, Route>('search', query, { signal: request.signal });
 * ```
 */
export interface WorkerPool {
  /**
   * Rejects with `PoolSaturated`, `TaskTimedOut`, the error the task threw, or the reason of `signal`. A
   * signal removes a waiting task from the queue; a running one continues, because killing a thread costs
   * more than the rest of its work.
   */
  run<Input, Output>(name: string, input: Input, options?: TaskOptions): Promise<Output>;
  readonly threads: number;
  readonly running: number;
  readonly queued: number;
  /** Lets running tasks end, refuses waiting ones. */
  close(): Promise<void>;
}

interface Job {
  readonly begin: () => void;
  readonly reject: (error: unknown) => void;
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
  const maxQueue = options.maxQueue ?? queuedTasksMax;
  const poolTimeoutMs = options.taskTimeoutMs ?? taskTimeoutMs;
  const driver = new Piscina({
    filename: options.file,
    workerData: options.workerData,
    minThreads: threads,
    maxThreads: threads,
    // The queue below ensures a free thread for each submitted task; a dying thread may delay it.
    maxQueue: threads,
    ...(options.heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: options.heapMb } }),
  });
  // A thread that dies between tasks is replaced by the driver; without a listener its error would end the
  // process.
  driver.on('error', () => undefined);
  const waiting = new Set<Job>();
  let running = 0;
  let closed = false;

  function next(): void {
    for (const job of waiting) {
      if (running >= threads) return;
      waiting.delete(job);
      job.begin();
    }
  }

  async function execute(name: string, input: unknown, deadline: AbortSignal): Promise<unknown> {
    running += 1;
    try {
      return await driver.run(input, { name, signal: deadline });
    } catch (error) {
      if (deadline.aborted) throw deadline.reason as Error;
      throw error;
    } finally {
      running -= 1;
      next();
    }
  }

  return {
    threads,
    get running() {
      return running;
    },
    get queued() {
      return waiting.size;
    },
    run<Input, Output>(name: string, input: Input, { signal, timeoutMs = poolTimeoutMs }: TaskOptions = {}) {
      return new Promise<Output>((resolve, reject) => {
        if (closed || (running >= threads && waiting.size >= maxQueue)) {
          reject(new PoolSaturated());
          return;
        }
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        const deadline = new AbortController();
        const leave = () => {
          if (waiting.delete(job)) settle(() => reject(signal?.reason as Error));
        };
        const expire = () => {
          const error = new TaskTimedOut(timeoutMs);
          if (waiting.delete(job)) settle(() => reject(error));
          else deadline.abort(error);
        };
        const timer = setTimeout(expire, timeoutMs);
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          finish();
        };
        const job: Job = {
          begin: () => {
            execute(name, input, deadline.signal).then(
              (output) => settle(() => resolve(output as Output)),
              (error: unknown) => settle(() => reject(error as Error)),
            );
          },
          reject: (error) => settle(() => reject(error as Error)),
        };
        signal?.addEventListener('abort', leave);
        waiting.add(job);
        next();
      });
    },
    async close() {
      closed = true;
      for (const job of waiting) {
        waiting.delete(job);
        job.reject(new PoolSaturated());
      }
      await driver.close();
    },
  };
}
