import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Consumer,
  ConsumerOptions,
  EventLog,
  LogRecord,
  NewRecord,
  RecordBatch,
  TopicPartition,
} from '#platform/event-log/event-log.js';
import { eventLogLimits } from '#platform/event-log/limits.js';
import { partitionOf } from '#platform/event-log/murmur2.js';
import type { TopicContract } from '#schemas/topics.js';
import { eventually } from '../eventually.js';

export interface EventLogUnderTest {
  readonly name: string;
  /** Opens the log; after `close` another call must find the same topics and offsets. */
  open(): Promise<EventLog>;
  dispose(): Promise<void>;
}

const MINUTE = 60_000;

/** The requirements of every adapter of the event-log port. */
export function eventLogContract(subject: EventLogUnderTest): void {
  describe(`event log contract: ${subject.name}`, () => {
    let log: EventLog;
    const consumers: Consumer[] = [];

    beforeAll(async () => {
      log = await subject.open();
    }, MINUTE);

    afterAll(async () => {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await log.close();
      await subject.dispose();
    }, MINUTE);

    async function newTopic(partitions: number, retention?: TopicContract['retention']): Promise<string> {
      const name = `contract.${randomUUID()}.v1`;
      await log.createTopics([contract(name, partitions, retention)]);
      return name;
    }

    async function consume(options: ConsumerOptions): Promise<Consumer> {
      const consumer = await log.consume(options);
      consumers.push(consumer);
      await consumer.ready;
      return consumer;
    }

    /** A consumer that collects what it receives; `seen` is in order of arrival. */
    async function collect(
      topic: string,
      group: string,
      options: Partial<ConsumerOptions> = {},
    ): Promise<{
      readonly seen: Array<LogRecord & TopicPartition>;
      readonly batches: RecordBatch[];
      close(): Promise<void>;
    }> {
      const seen: Array<LogRecord & TopicPartition> = [];
      const batches: RecordBatch[] = [];
      const consumer = await consume({
        group,
        topics: [topic],
        startAt: 'earliest',
        onBatch: async (batch) => {
          batches.push(batch);
          for (const record of batch.records)
            seen.push({ ...record, topic: batch.topic, partition: batch.partition });
        },
        ...options,
      });
      return { seen, batches, close: () => consumer.close() };
    }

    async function readAll(topic: string, partition: number, from = 0): Promise<LogRecord[]> {
      const records: LogRecord[] = [];
      for await (const record of log.read(topic, partition, from)) records.push(record);
      return records;
    }

    const newGroup = (): string => `group-${randomUUID()}`;

    it('creates topics once, and rejects another number of partitions with a sentence', async () => {
      const topic = await newTopic(3);
      await log.createTopics([contract(topic, 3)]);
      await expect(log.createTopics([contract(topic, 4)])).rejects.toThrow(/has 3 partitions.*says 4/s);
      expect(await log.offsets(topic)).toEqual(
        [0, 1, 2].map((partition) => ({ partition, earliest: 0, end: 0 })),
      );
    });

    it('rejects an unknown topic as not retriable', async () => {
      const missing = `contract.${randomUUID()}.v1`;
      await expect(log.append(missing, [record('a', 'x')])).rejects.toMatchObject({
        name: 'LogUnavailable',
        retriable: false,
        message: expect.stringContaining(missing),
      });
    });

    it('stores key, value, headers and timestamp, and assigns offsets without gaps', async () => {
      const topic = await newTopic(1);
      const before = Date.now();
      const positions = await log.append(topic, [
        {
          key: 'ä1',
          value: bytes('one'),
          headers: { ce_id: '7', note: 'grün' },
          timestampMs: 1_700_000_000_123,
        },
        { key: 'b', value: new Uint8Array(0) },
        { key: 'c', value: null },
      ]);
      expect(positions).toEqual([0, 1, 2].map((offset) => ({ partition: 0, offset })));
      const [first, second, third] = await readAll(topic, 0);
      expect(first).toMatchObject({
        offset: 0,
        key: 'ä1',
        headers: { ce_id: '7', note: 'grün' },
        timestampMs: 1_700_000_000_123,
      });
      expect(text(first!)).toBe('one');
      expect(second).toMatchObject({ offset: 1, key: 'b', headers: {} });
      expect(second!.value).toHaveLength(0);
      expect(second!.timestampMs).toBeGreaterThanOrEqual(before - 60_000);
      expect(second!.timestampMs).toBeLessThanOrEqual(Date.now() + 60_000);
      expect(third).toMatchObject({ offset: 2, key: 'c', value: null });
    });

    it('appends a key to the partition that murmur2 gives, in the order of the appends', async () => {
      const topic = await newTopic(4);
      const keys = Array.from({ length: 40 }, (_, index) => `user-${index}`);
      for (let round = 0; round < 3; round++) {
        const positions = await log.append(
          topic,
          keys.map((key) => record(key, `${key}:${round}`)),
        );
        for (const [index, position] of positions.entries())
          expect(position.partition).toBe(partitionOf(keys[index]!, 4));
      }
      for (let partition = 0; partition < 4; partition++) {
        const records = await readAll(topic, partition);
        expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index));
        for (const key of keys.filter((candidate) => partitionOf(candidate, 4) === partition)) {
          const own = records.filter((candidate) => candidate.key === key).map(text);
          expect(own).toEqual([`${key}:0`, `${key}:1`, `${key}:2`]);
        }
      }
    });

    it('accepts concurrent appends, each in order and none twice', async () => {
      const topic = await newTopic(2);
      const writers = Array.from({ length: 30 }, async (_, writer) => {
        const positions = [];
        for (let batch = 0; batch < 5; batch++) {
          const records = Array.from({ length: 10 }, (_, index) =>
            record(`w${writer}`, `${batch * 10 + index}`),
          );
          positions.push(...(await log.append(topic, records)));
        }
        return positions;
      });
      const all = (await Promise.all(writers)).flat();
      expect(new Set(all.map(({ partition, offset }) => `${partition}/${offset}`)).size).toBe(1_500);
      const offsets = await log.offsets(topic);
      expect(offsets.reduce((sum, { end }) => sum + end, 0)).toBe(1_500);
      const records = [...(await readAll(topic, 0)), ...(await readAll(topic, 1))];
      for (let writer = 0; writer < 30; writer++) {
        const own = records.filter(({ key }) => key === `w${writer}`).map((own) => Number(text(own)));
        expect(own).toEqual(Array.from({ length: 50 }, (_, index) => index));
      }
    });

    it('accepts a record of the maximum size and rejects a larger one completely', async () => {
      const topic = await newTopic(1);
      const value = Buffer.alloc(eventLogLimits.recordBytesMax - 1, 0x5a);
      await log.append(topic, [{ key: 'k', value }]);
      const tooLarge = { key: 'k', value: Buffer.alloc(eventLogLimits.recordBytesMax) };
      await expect(log.append(topic, [record('k', 'small'), tooLarge])).rejects.toMatchObject({
        name: 'LogUnavailable',
        retriable: false,
      });
      const records = await readAll(topic, 0);
      expect(records).toHaveLength(1);
      expect(value.equals(records[0]!.value!)).toBe(true);
    });

    it('reads a partition from any offset to its current end', async () => {
      const topic = await newTopic(1);
      await log.append(
        topic,
        Array.from({ length: 700 }, (_, index) => record('k', `${index}`)),
      );
      expect((await readAll(topic, 0, 650)).map(text)).toEqual(
        Array.from({ length: 50 }, (_, index) => `${index + 650}`),
      );
      expect(await readAll(topic, 0, 700)).toEqual([]);
    });

    it('delivers every record to every group', async () => {
      const topic = await newTopic(2);
      await log.append(
        topic,
        Array.from({ length: 20 }, (_, index) => record(`k${index}`, `${index}`)),
      );
      const [one, two] = await Promise.all([collect(topic, newGroup()), collect(topic, newGroup())]);
      await eventually(() => expect([one.seen.length, two.seen.length]).toEqual([20, 20]));
      await log.append(topic, [record('k0', 'later')]);
      await eventually(() => expect([one.seen.length, two.seen.length]).toEqual([21, 21]));
      await Promise.all([one.close(), two.close()]);
    });

    it('starts at the end if requested, and then follows', async () => {
      const topic = await newTopic(1);
      await log.append(topic, [record('k', 'old')]);
      const follower = await collect(topic, newGroup(), { startAt: 'latest' });
      await log.append(topic, [record('k', 'new')]);
      await eventually(() => expect(follower.seen.map(text)).toEqual(['new']));
      await follower.close();
    });

    it('limits the size of a batch', async () => {
      const topic = await newTopic(1);
      await log.append(
        topic,
        Array.from({ length: 95 }, (_, index) => record('k', `${index}`)),
      );
      const consumer = await collect(topic, newGroup(), { maxBatchRecords: 10 });
      await eventually(() => expect(consumer.seen).toHaveLength(95));
      expect(Math.max(...consumer.batches.map((batch) => batch.records.length))).toBeLessThanOrEqual(10);
      expect(consumer.seen.map(text)).toEqual(Array.from({ length: 95 }, (_, index) => `${index}`));
      for (const batch of consumer.batches) expect(batch.nextOffset).toBe(batch.records.at(-1)!.offset + 1);
      await consumer.close();
    });

    it('commits after a batch, so that the group continues where it stopped', async () => {
      const topic = await newTopic(2);
      const group = newGroup();
      expect(await log.committed(group, topic)).toEqual(
        [0, 1].map((partition) => ({ partition, offset: -1 })),
      );
      await log.append(
        topic,
        Array.from({ length: 30 }, (_, index) => record(`k${index}`, `${index}`)),
      );
      const first = await collect(topic, group);
      await eventually(() => expect(first.seen).toHaveLength(30));
      await first.close();
      const offsets = await log.offsets(topic);
      expect(await log.committed(group, topic)).toEqual(
        offsets.map(({ partition, end }) => ({ partition, offset: end })),
      );
      await log.append(topic, [record('k1', 'after')]);
      const second = await collect(topic, group);
      await eventually(() => expect(second.seen.map(text)).toEqual(['after']));
      await second.close();
    });

    it('distributes the partitions among two members, and reassigns them when one leaves', async () => {
      const topic = await newTopic(4);
      const group = newGroup();
      const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
      const one = await collect(topic, group);
      await log.append(
        topic,
        keys.map((key) => record(key, 'first')),
      );
      await eventually(() => expect(one.seen).toHaveLength(40));
      const two = await collect(topic, group);
      const shared = async (): Promise<void> => {
        one.seen.length = 0;
        two.seen.length = 0;
        await log.append(
          topic,
          keys.map((key) => record(key, 'second')),
        );
        await eventually(() => expect(one.seen.length + two.seen.length).toBeGreaterThanOrEqual(40));
        expect(new Set(one.seen.map(({ partition }) => partition)).size).toBe(2);
        expect(new Set(two.seen.map(({ partition }) => partition)).size).toBe(2);
      };
      await eventually(shared);
      await one.close();
      two.seen.length = 0;
      await log.append(
        topic,
        keys.map((key) => record(key, 'third')),
      );
      await eventually(() => expect(two.seen.filter((seen) => text(seen) === 'third')).toHaveLength(40));
      await two.close();
    });

    it('finishes the batch in progress and notifies the member before a partition moves', async () => {
      const topic = await newTopic(2);
      const group = newGroup();
      const steps: string[] = [];
      let finish: () => void = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      await log.append(
        topic,
        Array.from({ length: 20 }, (_, index) => record(`k${index}`, `${index}`)),
      );
      const first = await log.consume({
        group,
        topics: [topic],
        startAt: 'earliest',
        onBatch: async ({ partition }) => {
          steps.push(`one begins ${partition}`);
          await finished;
          steps.push(`one ends ${partition}`);
        },
        onRevoked: async (partitions) => {
          for (const { partition } of partitions) steps.push(`one loses ${partition}`);
        },
      });
      consumers.push(first);
      await eventually(() => expect(steps.length).toBeGreaterThan(0));
      const second = await log.consume({
        group,
        topics: [topic],
        startAt: 'earliest',
        onAssigned: async (partitions) => {
          for (const { partition } of partitions) steps.push(`two gets ${partition}`);
          return [];
        },
        onBatch: async () => {},
      });
      consumers.push(second);
      setTimeout(finish, 300);
      await eventually(() => expect(steps.some((step) => step.startsWith('two gets'))).toBe(true));
      const moved = steps.find((step) => step.startsWith('two gets'))!.at(-1);
      const lost = steps.indexOf(`one loses ${moved}`);
      expect(lost).toBeGreaterThan(
        steps.lastIndexOf(`one ends ${moved}`, steps.indexOf(`two gets ${moved}`)),
      );
      expect(steps.indexOf(`two gets ${moved}`)).toBeGreaterThan(lost);
      await Promise.all([first.close(), second.close()]);
    });

    it('redelivers a rejected batch in order, without delaying other partitions', async () => {
      const topic = await newTopic(2);
      const keyOf = (partition: number): string =>
        Array.from({ length: 50 }, (_, index) => `k${index}`).find(
          (key) => partitionOf(key, 2) === partition,
        )!;
      const errors: string[] = [];
      const seen: string[] = [];
      let refusals = 3;
      await log.append(topic, [record(keyOf(0), 'a'), record(keyOf(1), 'b'), record(keyOf(0), 'c')]);
      const consumer = await consume({
        group: newGroup(),
        topics: [topic],
        startAt: 'earliest',
        onBatch: async (batch) => {
          if (batch.partition === 0 && refusals-- > 0) throw new Error('not yet');
          seen.push(...batch.records.map(text));
        },
        onError: (error) => errors.push(error.message),
      });
      await eventually(() => expect(seen.toSorted()).toEqual(['a', 'b', 'c']));
      expect(seen.indexOf('a')).toBeLessThan(seen.indexOf('c'));
      expect(seen.indexOf('b')).toBe(0);
      expect(errors.filter((message) => message === 'not yet')).toHaveLength(3);
      await consumer.close();
    });

    it('starts at the offset that `onAssigned` returns, whatever was committed', async () => {
      const topic = await newTopic(1);
      const group = newGroup();
      await log.append(
        topic,
        Array.from({ length: 10 }, (_, index) => record('k', `${index}`)),
      );
      const first = await collect(topic, group);
      await eventually(() => expect(first.seen).toHaveLength(10));
      await first.close();
      const replayed = await collect(topic, group, {
        onAssigned: async (partitions) => partitions.map((place) => ({ ...place, offset: 7 })),
      });
      await eventually(() => expect(replayed.seen.map(text)).toEqual(['7', '8', '9']));
      await replayed.close();
    });

    it('keeps records, offsets and commits when it is reopened', async () => {
      const topic = await newTopic(2);
      const group = newGroup();
      await log.append(
        topic,
        Array.from({ length: 12 }, (_, index) => record(`k${index}`, `${index}`)),
      );
      const first = await collect(topic, group);
      await eventually(() => expect(first.seen).toHaveLength(12));
      await first.close();
      const offsets = await log.offsets(topic);
      const committed = await log.committed(group, topic);
      await log.close();
      log = await subject.open();
      expect(await log.offsets(topic)).toEqual(offsets);
      expect(await log.committed(group, topic)).toEqual(committed);
      expect((await readAll(topic, 0)).length + (await readAll(topic, 1)).length).toBe(12);
    });

    it('finishes the batch in progress when a consumer closes, and commits it', async () => {
      const topic = await newTopic(1);
      const group = newGroup();
      let begun = false;
      let ended = false;
      await log.append(topic, [record('k', 'x')]);
      const consumer = await consume({
        group,
        topics: [topic],
        startAt: 'earliest',
        onBatch: async () => {
          begun = true;
          await new Promise((resolve) => setTimeout(resolve, 200));
          ended = true;
        },
      });
      await eventually(() => expect(begun).toBe(true));
      await consumer.close();
      expect(ended).toBe(true);
      expect(await log.committed(group, topic)).toEqual([{ partition: 0, offset: 1 }]);
      await consumer.close();
    });

    it('reports that it is ready', async () => {
      await expect(log.check()).resolves.toBeUndefined();
    });
  });
}

export function contract(
  name: string,
  partitions: number,
  retention: TopicContract['retention'] = { policy: 'delete', ageMs: 3_600_000, bytesPerPartition: 2 ** 30 },
): TopicContract {
  return {
    name,
    partitions,
    retention,
    proto: { file: 'location.proto', message: 'meridian.location.v1.LocationBatch' },
    key: 'any',
    owner: 'tests',
    summary: 'A topic of the contract suite.',
  };
}

function record(key: string, value: string): NewRecord {
  return { key, value: bytes(value) };
}

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text({ value }: LogRecord): string {
  return new TextDecoder().decode(value ?? new Uint8Array(0));
}
