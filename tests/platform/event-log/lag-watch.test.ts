import { expect, test } from 'vitest';
import type { EventLog } from '#platform/event-log/event-log.js';
import { LagWatch } from '#platform/event-log/lag-watch.js';

/** Two topics of two partitions; `slow` has committed in the first only. */
function loggedTopics() {
  const ends = { roads: [10, 4], rooms: [0, 0] } as Record<string, number[]>;
  const committed = { roads: [7, -1] } as Record<string, number[]>;
  const asked = { offsets: 0, committed: 0, reads: 0 };
  const log = {
    async offsets(topic) {
      asked.offsets++;
      return ends[topic]!.map((end, partition) => ({ partition, earliest: 0, end }));
    },
    async committed(group, topic) {
      asked.committed++;
      const offsets = (group === 'slow' ? committed[topic] : undefined) ?? [-1, -1];
      return offsets.map((offset, partition) => ({ partition, offset }));
    },
    async *read(topic, partition, fromOffset) {
      asked.reads++;
      if (fromOffset < ends[topic]![partition]!)
        yield {
          ...{ offset: fromOffset, key: 'k', value: null, headers: {} },
          timestampMs: 1_000 * partition + fromOffset,
        };
    },
  } satisfies Pick<EventLog, 'offsets' | 'committed' | 'read'>;
  return { ends, committed, asked, log };
}

const watching = (log: Pick<EventLog, 'offsets' | 'committed' | 'read'>, clock: { ms: number }) =>
  new LagWatch({ log, groups: ['slow', 'never'], topics: ['roads', 'rooms'], nowMs: () => clock.ms });

test('the lag is what a group has not committed, with the time of the newest record', async () => {
  const { ends, committed, log } = loggedTopics();
  const clock = { ms: 0 };
  const watch = watching(log, clock);
  // The partition that it never committed is not counted: it may belong to nobody yet.
  expect(await watch.lags()).toEqual([{ group: 'slow', topic: 'roads', records: 3, newestMs: 1_003 }]);
  clock.ms += 2_000;
  ends['roads']![0] = 2_000;
  committed['roads']![0] = 1_999;
  expect(await watch.lags()).toEqual([{ group: 'slow', topic: 'roads', records: 1, newestMs: 1_999 }]);
});

test('however many ask, the log is asked once in two seconds, only for the pairs that exist', async () => {
  const { asked, log } = loggedTopics();
  const clock = { ms: 0 };
  const watch = watching(log, clock);
  await Promise.all(Array.from({ length: 50 }, () => watch.lags()));
  const first = { ...asked };
  expect(first.reads).toBe(2);
  clock.ms += 1_999;
  await watch.lags();
  expect(asked).toEqual(first);
  clock.ms += 1;
  await watch.lags();
  // One topic, one group; the newest records are the same.
  expect(asked).toEqual({ ...first, offsets: first.offsets + 1, committed: first.committed + 1 });
});

test('a new group is found within twenty seconds', async () => {
  const { committed, log } = loggedTopics();
  const clock = { ms: 0 };
  const watch = watching(log, clock);
  await watch.lags();
  committed['rooms'] = [0, 0];
  clock.ms += 19_999;
  expect(await watch.lags()).toHaveLength(1);
  clock.ms += 2_000;
  expect(await watch.lags()).toContainEqual({ group: 'slow', topic: 'rooms', records: 0, newestMs: null });
});

test('a log that does not answer rejects within two seconds, and is asked again', async () => {
  const { log } = loggedTopics();
  const clock = { ms: 0 };
  let hangs = true;
  const watch = watching(
    { ...log, offsets: (topic) => (hangs ? new Promise(() => {}) : log.offsets(topic)) },
    clock,
  );
  await expect(watch.lags()).rejects.toThrow('The event log did not answer in 2 s.');
  hangs = false;
  clock.ms += 2_000;
  expect(await watch.lags()).toHaveLength(1);
});
