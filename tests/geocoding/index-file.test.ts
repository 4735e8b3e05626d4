import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { InvalidGeocodeIndex } from '#geocoding/index/index-file.js';
import { type GeocodedTown, geocodeTown } from './address-town.js';

let town: GeocodedTown;
let bytes: Uint8Array;
beforeAll(async () => {
  town = await geocodeTown();
  bytes = town.objects.objects.get(`geocode/${town.indexId}.mgeo`)!;
});

test('the same extract gives the same bytes', async () => {
  const again = await geocodeTown();
  expect(again.indexId).toBe(town.indexId);
  expect(Buffer.compare(again.objects.objects.get(`geocode/${again.indexId}.mgeo`)!, bytes)).toBe(0);
});

test('is read in place from any offset of a buffer', () => {
  for (const shift of [1, 4, 8]) {
    const shifted = new Uint8Array(bytes.length + shift);
    shifted.set(bytes, shift);
    const index = GeocodeIndex.from(shifted.subarray(shift));
    expect(index.name(0, '')).toBe(town.index.name(0, ''));
  }
});

test('detects a change of any single bit', () => {
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      const damaged = bytes.slice();
      damaged[at] = damaged[at]! ^ (1 << bit);
      expect(() => GeocodeIndex.from(damaged)).toThrow(InvalidGeocodeIndex);
    }),
    { numRuns: 300 },
  );
});

test('rejects a file that is truncated, empty, of another format or version, with the reason', () => {
  for (const length of [0, 3, 19, 200, bytes.length - 1])
    expect(() => GeocodeIndex.from(bytes.subarray(0, length))).toThrow(InvalidGeocodeIndex);
  const other = bytes.slice();
  other[4] = 9;
  expect(() => GeocodeIndex.from(other)).toThrow(/version 9/);
  expect(() => GeocodeIndex.from(new TextEncoder().encode('<html>'.repeat(20)))).toThrow(/MGEO/);
});

test('a missing or damaged object gives an error that says what to do', async () => {
  const { objects } = town;
  await expect(openGeocodeIndex(objects, 'feedfeedfeedfeed')).rejects.toThrow(/build the map again/);
  await objects.put('geocode/badbadbadbadbad0.mgeo', bytes.subarray(0, 100));
  await expect(openGeocodeIndex(objects, 'badbadbadbadbad0')).rejects.toThrow(/restore the object/);
});
