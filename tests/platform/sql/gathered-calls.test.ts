import { expect, test } from 'vitest';
import { GatheredCalls } from '#platform/sql/gathered-calls.js';
import { SqlUnavailable } from '#platform/sql/sql.js';

const batches: string[][] = [];
const gather = (work: (items: readonly string[]) => Promise<readonly string[]>, batchMax = 10) => {
  batches.length = 0;
  return new GatheredCalls<string, string>(
    (items) => {
      batches.push([...items]);
      return work(items);
    },
    { atOnce: 1, batchMax },
  );
};
const upper = async (items: readonly string[]) => items.map((item) => item.toUpperCase());

test('what arrives while a batch is under way shares the next one, and each gets its own answer', async () => {
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

test('a bad item harms nobody beside it', async () => {
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

test('a database that is away is not asked once more for each', async () => {
  const calls = gather(() => Promise.reject(new SqlUnavailable('away')));
  const said = await Promise.allSettled(['a', 'b'].map((item) => calls.call(item)));
  expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([['a', 'b']]);
});
