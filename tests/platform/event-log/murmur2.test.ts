import fc from 'fast-check';
import { Partitioners } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from '#platform/event-log/murmur2.js';
import { runs } from '../../property-runs.js';

describe('murmur2 partitioner', () => {
  it("agrees with the vectors of Kafka's Java client", () => {
    // org.apache.kafka.common.utils.UtilsTest.testMurmur2
    const vectors: ReadonlyArray<readonly [string, number]> = [
      ['21', -973932308],
      ['foobar', -790332482],
      ['a-little-bit-long-string', -985981536],
      ['a-little-bit-longer-string', -1486304829],
      ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
      ['abc', 479470107],
    ];
    for (const [text, hash] of vectors) expect(murmur2(Buffer.from(text))).toBe(hash);
  });

  it('agrees with the default partitioner of kafkajs for any key', () => {
    const theirs = Partitioners.DefaultPartitioner();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 64 }), (key, count) => {
        const partitionMetadata = Array.from({ length: count }, (_, partitionId) => ({
          partitionId,
          leader: 1,
          partitionErrorCode: 0,
          replicas: [1],
          isr: [1],
        }));
        const message = { key, value: 'x' };
        expect(partitionOf(key, count)).toBe(theirs({ topic: 't', partitionMetadata, message }));
      }),
      { seed: 1, numRuns: runs(1_000) },
    );
  });
});
