import { Reader, readRecordsBatch } from '@platformatic/kafka';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewRecord } from '#platform/event-log/event-log.js';
import { encodeRecordBatch } from '#platform/event-log/kafka-record-batch.js';
import { runs } from '../../property-runs.js';

const now = Date.UTC(2026, 10, 21, 12);
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const record = fc.record(
  {
    key: text,
    value: fc.oneof(
      fc.constant(null),
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 9_000, maxLength: 20_000 }),
    ),
    headers: fc.dictionary(text, text, { maxKeys: 3 }),
    timestampMs: fc.integer({ min: 0, max: 2 ** 45 }),
  },
  { requiredKeys: ['key', 'value'] },
);

/** Read by an independent library; it returns null for empty, which the contract suite distinguishes. */
function read(batch: Buffer) {
  const { records, ...head } = readRecordsBatch(Reader.from(batch));
  return {
    head,
    records: records.map(({ key, value, headers, timestampDelta, offsetDelta }) => ({
      key: key.toString(),
      value: Buffer.from(value ?? []).toString('hex'),
      headers: [...headers].map(([name, content]) => [name.toString(), content.toString()]),
      timestamp: Number(head.firstTimestamp + timestampDelta),
      offsetDelta,
    })),
  };
}

describe('record batches for Kafka', () => {
  it('another library reads them as the same records', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 30 }), (records) => {
        const given = records as readonly NewRecord[];
        const { head, records: found } = read(encodeRecordBatch(given, { id: 7n, epoch: 3 }, 42, now));
        expect(head).toMatchObject({
          magic: 2,
          producerId: 7n,
          producerEpoch: 3,
          firstSequence: 42,
          lastOffsetDelta: given.length - 1,
        });
        expect(found).toEqual(
          given.map(({ key, value, headers, timestampMs }, offsetDelta) => ({
            key,
            value: Buffer.from(value ?? []).toString('hex'),
            headers: Object.entries(headers ?? {}),
            timestamp: timestampMs ?? now,
            offsetDelta,
          })),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
