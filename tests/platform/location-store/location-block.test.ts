import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLocationBlock, encodeLocationBlock } from '#platform/location-store/location-block.js';

const time = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });
const point = fc.record({
  timeMs: time,
  latE7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
  lngE7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  receivedMs: time,
  codes: fc.option(
    fc
      .tuple(...[1_000_001, 100_001, 3_600, 3].map((most) => fc.oneof(fc.nat(most), fc.constantFrom(0, 1))))
      .filter((codes) => codes.some((code) => code !== 0)),
    { nil: undefined },
  ),
});

test('any points are read from a block as they were written', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 130 }), (points) => {
      expect(decodeLocationBlock(encodeLocationBlock(points))).toEqual(points);
    }),
    { seed: 20261121 },
  );
});

test('points without optional fields are the bytes of version 1, which are read as before', () => {
  // Written by the program before it stored optional fields.
  const before = Buffer.from(
    '010380a0bfe9d66680c9a2a60480afbe71f0cebfe9d666d00ff001b30100d00ff001b30100c4d9d907',
    'hex',
  );
  const points = [0, 1, 2].map((second) => ({
    timeMs: 1_764_000_000_000 + second * 1_000,
    latE7: 577_000_000 + second * 120,
    lngE7: 119_000_000 - second * 90,
    receivedMs: 1_764_000_003_000,
    codes: undefined,
  }));
  expect(encodeLocationBlock(points).equals(before)).toBe(true);
  expect(decodeLocationBlock(before)).toEqual(points);
});

test('a block with a field of a later version is refused with a sentence', () => {
  const codes = [0, 0, 0, 1];
  const block = encodeLocationBlock([{ timeMs: 0, latE7: 0, lngE7: 0, receivedMs: 0, codes }]);
  // The version, the count and the zeros of one point stand before the bits of the fields.
  const bits = 1 + 1 + 4;
  expect(block[bits]).toBe(1 << 3);
  block[bits] = 1 << 4;
  block.writeUInt32LE(crc32(block.subarray(0, -4)), block.length - 4);
  expect(() => decodeLocationBlock(block)).toThrow('a newer version');
});

test('F31: rejects a block that lost a byte or has a flipped bit', () => {
  const block = encodeLocationBlock([{ timeMs: 1, latE7: 2, lngE7: 3, receivedMs: 4, codes: [5, 6, 7, 1] }]);
  for (let length = 0; length < block.length; length += 1) {
    expect(() => decodeLocationBlock(block.subarray(0, length))).toThrow('damaged');
  }
  for (let bit = 0; bit < block.length * 8; bit += 1) {
    const turned = Buffer.from(block);
    turned[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decodeLocationBlock(turned)).toThrow('damaged');
  }
});
