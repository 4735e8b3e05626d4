import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLocationBlock, encodeLocationBlock } from '#platform/location-store/location-block.js';

const time = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });
const point = fc.record({
  timeMs: time,
  latE7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
  lngE7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  receivedMs: time,
});

test('any points are read from a block as they were written', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 130 }), (points) => {
      expect(decodeLocationBlock(encodeLocationBlock(points))).toEqual(points);
    }),
    { seed: 20261121 },
  );
});

test('F31: rejects a block that lost a byte or has a flipped bit', () => {
  const block = encodeLocationBlock([{ timeMs: 1, latE7: 2, lngE7: 3, receivedMs: 4 }]);
  for (let length = 0; length < block.length; length += 1) {
    expect(() => decodeLocationBlock(block.subarray(0, length))).toThrow('damaged');
  }
  for (let bit = 0; bit < block.length * 8; bit += 1) {
    const turned = Buffer.from(block);
    turned[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decodeLocationBlock(turned)).toThrow('damaged');
  }
});
