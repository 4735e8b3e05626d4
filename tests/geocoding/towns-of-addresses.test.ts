import { expect, test } from 'vitest';
import { searchPlaces } from '#geocoding/query/search-places.js';
import type { Fixture } from '../tile-builder/osm-fixture.js';
import { geocodeTown, sourceOf } from './address-town.js';

const house = (id: number, lng: number, lat: number, city: string) => ({
  id,
  lng,
  lat,
  tags: { 'addr:street': 'Row', 'addr:housenumber': String(id), 'addr:city': city },
});
const place = (id: number, lng: number, lat: number, tags: Record<string, string>) => ({
  id,
  lng,
  lat,
  tags,
});

/**
 * Seventy houses of Largeby in a square of 6 km from 12° on, thirty of Smallby in one of 600 m beside it at
 * 12.12°; neither town is on the map.
 */
const large = Array.from({ length: 70 }, (_, i) =>
  house(100 + i, 12 + (i % 10) * 0.01, 58 + Math.floor(i / 10) * 0.008, 'Largeby'),
);
const small = Array.from({ length: 30 }, (_, i) =>
  house(300 + i, 12.12 + (i % 6) * 0.002, 58.03 + Math.floor(i / 6) * 0.001, 'Smallby'),
);
const cutOut: Fixture = {
  nodes: [
    ...large,
    // A typing error, 60 km away.
    house(200, 13, 58, 'Largeby'),
    ...small,
    place(1, 12, 58, { amenity: 'school', name: 'Corner of Largeby' }),
    place(2, 12.09, 58.05, { amenity: 'school', name: 'Towards Smallby' }),
    place(3, 12.124, 58.031, { amenity: 'school', name: 'Middle of Smallby' }),
    place(4, 12.045, 58.02, { railway: 'station', name: 'Largeby Central' }),
    place(5, 12.046, 58.02, { amenity: 'parking', name: 'Largeby Central' }),
    ...[10, 11].map((id) => ({ id, lng: 12 + id / 1_000, lat: 58 })),
  ],
  ways: [{ id: 1, refs: [10, 11], tags: { highway: 'residential', name: 'Row' } }],
};

test('a town that only addresses name is in their middle and as large as their spread', async () => {
  const { index } = await geocodeTown(sourceOf(cutOut));
  const found = (query: string) => searchPlaces(index, query)[0]!.row;
  const townOf = (query: string) => index.name(index.data.settlement[found(query)]!, '');
  expect(townOf('Corner of Largeby')).toBe('Largeby');
  expect(townOf('Towards Smallby')).toBe('Largeby');
  expect(townOf('Middle of Smallby')).toBe('Smallby');
  const largeby = found('Largeby');
  expect(index.data.lngE7[largeby]! / 1e7).toBeCloseTo(12.05, 2);
  expect(index.data.latE7[largeby]! / 1e7).toBeCloseTo(58.024, 2);
});

test('of a station and a car park with the same name, the station is found', async () => {
  const { index } = await geocodeTown(sourceOf(cutOut));
  const [first, second] = searchPlaces(index, 'Largeby Central');
  expect([first, second].map((each) => index.category(each!.row))).toEqual(['train_station', 'parking']);
});
