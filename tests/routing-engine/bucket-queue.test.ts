import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BucketQueue } from '#routing-engine/isochrone/bucket-queue.js';

it('every pair leaves once, bucket by bucket, also in a second use', () => {
  const queue = new BucketQueue();
  const step = fc.record({ ahead: fc.integer({ min: 0, max: 3_000_000 }), pops: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
      queue.clear();
      const left = new Map<number, number>();
      let bucket = 0;
      const pop = (): void => {
        const least = queue.leastKey();
        const item = queue.pop();
        expect(queue.key).toBe(left.get(item));
        left.delete(item);
        expect(least).toBeLessThanOrEqual(queue.key);
        for (const key of left.values()) expect(key >>> 8).toBeGreaterThanOrEqual(queue.key >>> 8);
        bucket = queue.key >>> 8;
      };
      for (const [item, { ahead, pops }] of steps.entries()) {
        const key = 256 * bucket + ahead;
        queue.push(key, item);
        left.set(item, key);
        for (let i = 0; i < pops && queue.size > 0; i++) pop();
      }
      while (queue.size > 0) pop();
      expect(left.size).toBe(0);
    }),
  );
});
