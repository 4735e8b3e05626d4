import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '#platform/event-log/event-log.js';
import { InputOrder, type InputOrderOptions } from '#platform/stream/input-order.js';

const nowMs = 1_000_000_000;
const record = (offset: number, timestampMs: number): LogRecord => ({
  ...{ offset, timestampMs, key: '', value: null, headers: {} },
});

function orderOf(
  topics: ReadonlyMap<string, readonly LogRecord[]>,
  options: Partial<InputOrderOptions> = {},
) {
  const next = new Map([...topics.keys()].map((topic) => [topic, 0]));
  const order = new InputOrder({
    topics: [...topics.keys()],
    offsets: async (topic) => ({ partition: 0, earliest: 0, end: topics.get(topic)!.length }),
    next: (topic) => next.get(topic),
    limits: { liveMs: 1_000, orderWaitMaxMs: 5_000 },
    clock: () => nowMs,
    signal: new AbortController().signal,
    ...options,
  });
  return { order, next };
}

describe('the order of inputs', () => {
  it('is by the second of the records, however the log brings them', async () => {
    const arrivals = fc.array(
      fc.record({ afterMs: fc.nat(2_500), endsBatch: fc.boolean(), turns: fc.nat(3) }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(arrivals, { minLength: 2, maxLength: 3 }), async (inputs) => {
        const topics = new Map(
          inputs.map((arrived, topic) => {
            let atMs = nowMs - 120_000;
            const records = arrived.map(({ afterMs }, offset) => {
              atMs += afterMs;
              return record(offset, atMs);
            });
            return [`t${topic}`, records];
          }),
        );
        const { order, next } = orderOf(topics);
        const handled: Array<{ readonly second: number; readonly topic: string }> = [];
        const consume = async (topic: string, arrived: (typeof inputs)[number]): Promise<void> => {
          let batch: LogRecord[] = [];
          for (const [offset, { endsBatch, turns }] of arrived.entries()) {
            batch.push(topics.get(topic)![offset]!);
            if (!endsBatch && offset + 1 < arrived.length) continue;
            for (let turn = 0; turn < turns; turn++) await nextTurn();
            for (const run of order.runs(batch)) {
              await order.turn(topic, run[0]!.timestampMs);
              for (const { timestampMs } of run)
                handled.push({ second: Math.floor(timestampMs / 1_000), topic });
              next.set(topic, run.at(-1)!.offset + 1);
            }
            order.leave(topic);
            batch = [];
          }
        };
        await Promise.all(inputs.map((arrived, topic) => consume(`t${topic}`, arrived)));
        const sorted = handled.toSorted((a, b) => a.second - b.second || a.topic.localeCompare(b.topic));
        expect(handled).toEqual(sorted);
        expect(handled).toHaveLength(inputs.flat().length);
      }),
    );
  });

  it('does not hold back records of now', async () => {
    const topics = new Map([
      ['a', [record(0, nowMs - 5_000)]],
      ['b', [record(0, nowMs - 500)]],
    ]);
    const { order } = orderOf(topics, { offsets: () => Promise.reject(new Error('asked')) });
    await order.turn('b', nowMs - 500);
  });

  it('waits only once for an input that does not bring its records', async () => {
    const topics = new Map([
      ['a', [record(0, nowMs - 60_000), record(1, nowMs - 50_000)]],
      ['b', [record(0, nowMs - 59_000)]],
    ]);
    let asked = 0;
    const { order, next } = orderOf(topics, {
      limits: { liveMs: 1_000, orderWaitMaxMs: 50 },
      offsets: async (topic) => {
        asked++;
        return { partition: 0, earliest: 0, end: topics.get(topic)!.length };
      },
    });
    const beganMs = performance.now();
    await order.turn('b', nowMs - 59_000);
    expect(performance.now() - beganMs).toBeGreaterThan(40);
    const before = asked;
    next.set('b', 1);
    await order.turn('b', nowMs - 40_000);
    expect(asked).toBe(before);
    // As soon as it brings some, it is waited for again.
    const late = order.turn('a', nowMs - 60_000).then(() => 'a');
    const after = order.turn('b', nowMs - 40_000).then(() => 'b');
    await late;
    order.leave('a');
    next.set('a', 2);
    expect(await after).toBe('b');
  });

  it('ends its wait with the processor', async () => {
    const stop = new AbortController();
    const topics = new Map([
      ['a', [record(0, nowMs - 60_000)]],
      ['b', [record(0, nowMs - 59_000)]],
    ]);
    const { order } = orderOf(topics, { signal: stop.signal });
    const turn = order.turn('b', nowMs - 59_000);
    stop.abort();
    await expect(turn).rejects.toThrow('aborted');
  });
});
