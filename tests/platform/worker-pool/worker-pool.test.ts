import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createWorkerPool,
  PoolSaturated,
  TaskTimedOut,
  type WorkerPool,
  type WorkerPoolOptions,
} from '#platform/worker-pool/worker-pool.js';

const file = fileURLToPath(new URL('./fixtures/tasks.mjs', import.meta.url));
let pool: WorkerPool;
afterEach(() => pool.close());
const open = (options: Partial<WorkerPoolOptions>) => {
  pool = createWorkerPool({ file, threads: 1, ...options });
  return pool;
};

/** A task that runs until the gate is opened, so that a test decides when a thread is busy. */
function holding(timeoutMs?: number) {
  const gate = new SharedArrayBuffer(4);
  const done = pool.run('hold', gate, timeoutMs === undefined ? {} : { timeoutMs });
  return {
    done,
    open: () => {
      Atomics.store(new Int32Array(gate), 0, 1);
      Atomics.notify(new Int32Array(gate), 0);
    },
  };
}

describe('the worker pool', () => {
  test('runs tasks by name and passes their errors on', async () => {
    open({ threads: 2 });
    expect(await Promise.all([1, 2, 3].map((n) => pool.run('double', n)))).toEqual([2, 4, 6]);
    await expect(pool.run('fail', null)).rejects.toThrow(/no such thing/);
  });

  test('a SharedArrayBuffer is one memory for all threads', async () => {
    const shared = new SharedArrayBuffer(4);
    open({ threads: 2, workerData: { shared } });
    await Promise.all(Array.from({ length: 20 }, () => pool.run('bump', null)));
    expect(new Int32Array(shared)[0]).toBe(20);
  });

  test('the queue accepts exactly its limit and rejects one more', async () => {
    open({ maxQueue: 2 });
    const busy = holding();
    const waiting = [pool.run('double', 1), pool.run('double', 2)];
    expect([pool.running, pool.queued]).toEqual([1, 2]);
    await expect(pool.run('double', 3)).rejects.toBeInstanceOf(PoolSaturated);
    busy.open();
    expect(await Promise.all(waiting)).toEqual([2, 4]);
    expect([pool.running, pool.queued]).toEqual([0, 0]);
  });

  test('a signal removes a waiting task, and lets a running one end without a kill', async () => {
    open({});
    const before = await pool.run('thread', null);
    const busy = holding();
    const controller = new AbortController();
    const waiting = pool.run('double', 1, { signal: controller.signal });
    controller.abort(new Error('the client has disconnected'));
    await expect(waiting).rejects.toThrow('the client has disconnected');
    await expect(pool.run('double', 1, { signal: controller.signal })).rejects.toThrow(
      'the client has disconnected',
    );
    expect(pool.queued).toBe(0);
    busy.open();
    await busy.done;
    expect(await pool.run('thread', null)).toBe(before);
  });

  test('F30: an endless task is killed at its deadline, and the pool continues', async () => {
    open({ threads: 2, taskTimeoutMs: 5_000 });
    await pool.run('double', 1);
    const endless = pool.run('forever', null, { timeoutMs: 300 });
    const others = Promise.all(Array.from({ length: 20 }, (_, n) => pool.run('double', n)));
    expect(await others).toHaveLength(20);
    await expect(endless).rejects.toBeInstanceOf(TaskTimedOut);
    expect(await Promise.all([1, 2, 3, 4].map((n) => pool.run('double', n)))).toEqual([2, 4, 6, 8]);
    expect(pool.running).toBe(0);
  });

  test('F30: a task that waits past its deadline is rejected without affecting the running one', async () => {
    open({});
    const busy = holding(10_000);
    await expect(pool.run('double', 1, { timeoutMs: 50 })).rejects.toBeInstanceOf(TaskTimedOut);
    busy.open();
    expect(await busy.done).toMatch(/ok|not-equal/);
  });

  test('F29: a thread that exits rejects only its own task, and is replaced', async () => {
    open({ threads: 2, taskTimeoutMs: 5_000 });
    const outcomes = await Promise.allSettled([
      pool.run('crash', null),
      ...Array.from({ length: 10 }, (_, n) => pool.run('double', n)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...Array(10).fill('fulfilled')]);
    expect(await pool.run('double', 21)).toBe(42);
  });

  test('F29: a thread that runs out of memory rejects only its own task, and is replaced', async () => {
    open({ threads: 2, heapMb: 32, taskTimeoutMs: 20_000 });
    const starved = pool.run('exhaust', null);
    await expect(starved).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(await Promise.all([1, 2, 3].map((n) => pool.run('double', n)))).toEqual([2, 4, 6]);
  });

  test('closing rejects waiting tasks', async () => {
    open({});
    const busy = holding();
    const waiting = pool.run('double', 1);
    const closing = pool.close();
    await expect(waiting).rejects.toBeInstanceOf(PoolSaturated);
    busy.open();
    await closing;
    await expect(pool.run('double', 1)).rejects.toBeInstanceOf(PoolSaturated);
  });
});
