import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Batcher } from '#platform/batcher/batcher.js';
import { SqlUnavailable } from '#platform/sql/sql.js';

const batches: string[][] = [];
const gather = (work: (items: readonly string[]) => Promise<readonly string[]>, batchMax = 10) => {
  batches.length = 0;
  return new Batcher<string, string>(
    (items) => {
      batches.push([...items]);
      return work(items);
    },
    { atOnce: 1, batchMax },
  );
};
const upper = async (items: readonly string[]) => items.map((item) => item.toUpperCase());

test('items that arrive during a batch share the next one, each with its own answer', async () => {
  let open = () => {};
  const calls = gather(async (items) => {
    if (batches.length === 1) await new Promise<void>((resolve) => (open = resolve));
    return upper(items);
  }, 2);
  const first = calls.call('a');
  await Promise.resolve();
  const others = ['b', 'c', 'd'].map((item) => calls.call(item));
  open();
  expect([await first, ...(await Promise.all(others))]).toEqual(['A', 'B', 'C', 'D']);
  expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
  await calls.drain();
});

test('a bad item does not affect others in its batch', async () => {
  const calls = gather(async (items) => {
    if (items.includes('bad')) throw new Error('refused');
    return upper(items);
  });
  const said = await Promise.allSettled(['a', 'bad', 'b'].map((item) => calls.call(item)));
  expect(said.map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))).toEqual([
    'A',
    'refused',
    'B',
  ]);
});

test('does not query an unavailable database again for each item', async () => {
  const calls = gather(() => Promise.reject(new SqlUnavailable('away')));
  const said = await Promise.allSettled(['a', 'b'].map((item) => calls.call(item)));
  expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([['a', 'b']]);
});

test('who has waited long is rejected with the batch in front, who has just come is worked on', async () => {
  let fail = (_: Error) => {};
  const work = (items: readonly string[]) =>
    items.includes('a') ? new Promise<string[]>((_, reject) => (fail = reject)) : upper(items);
  const calls = new Batcher(work, { atOnce: 1, patienceMs: 50 });
  const said: Array<Promise<unknown>> = [calls.call('a')];
  await Promise.resolve();
  said.push(calls.call('long'));
  await delay(60);
  said.push(calls.call('new'));
  fail(new SqlUnavailable('away'));
  expect(await Promise.allSettled(said)).toMatchObject([
    { reason: { message: 'away' } },
    { reason: { message: 'away' } },
    { value: 'NEW' },
  ]);
});

test('a batch weighs at most the maximum, and a heavier item is a batch of its own', async () => {
  batches.length = 0;
  const work = (items: readonly string[]) => {
    batches.push([...items]);
    return upper(items);
  };
  const calls = new Batcher(work, { atOnce: 1, batchMax: 3, weightOf: (item: string) => item.length });
  await Promise.all(['aa', 'b', 'cc', 'dd', 'eeeee', 'f'].map((item) => calls.call(item)));
  expect(batches).toEqual([['aa', 'b'], ['cc'], ['dd'], ['eeeee'], ['f']]);
});

test('when the queue is full, rejects the next call, but not the waiting ones', async () => {
  const calls = new Batcher(upper, { atOnce: 1, queuedMax: 2 });
  const said = await Promise.allSettled(['a', 'b', 'c'].map((item) => calls.call(item)));
  expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(said[2]).toMatchObject({ reason: { name: 'BatcherFull', retriable: true } });
  expect(await calls.call('d')).toBe('D');
});

test('processes a call at any microtask after an answer', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const calls = new Batcher(upper, { atOnce: 1 });
    await calls.call('a');
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    expect(await calls.call('b')).toBe('B');
  }
});

test('does not retry a batch that fails as a whole', async () => {
  batches.length = 0;
  const work = (items: readonly string[]) => {
    batches.push([...items]);
    return Promise.reject<string[]>(new Error('refused'));
  };
  const calls = new Batcher(work, { atOnce: 1, failsTogether: true });
  const said = await Promise.allSettled(['a', 'b'].map((item) => calls.call(item)));
  expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([['a', 'b']]);
});
