import { beforeAll, expect, test } from 'vitest';
import { nearestPlaces, placesAt } from '#geocoding/query/reverse-places.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { type GeocodedTown, geocodeTown } from './address-town.js';

let town: GeocodedTown;
beforeAll(async () => {
  town = await geocodeTown();
});
const at = (lat: number, lng: number): string[] =>
  placesAt(town.index, town.network, { lat, lng }).map(({ row }) =>
    town.index.isHouse(row)
      ? `${town.index.name(town.index.streetOf(row), '')} ${town.index.houseNumber(row)}`
      : town.index.name(row, ''),
  );

test('prefers a house at the entrance to the café beside it, unless the point is on the café', () => {
  expect(at(58.0021, 12.00302)[0]).toBe('Storgatan 9');
  expect(at(58.00208, 12.003)[0]).toBe('Kaffé Ångström');
});

test('the street is the nearest named road, and the place is on it', () => {
  const found = placesAt(town.index, town.network, { lat: 58.003, lng: 11.9995 });
  const street = found.find(({ row }) => town.index.kind(row) === 'street')!;
  expect(town.index.name(street.row, '')).toBe('Köpmansgatan');
  expect(street.at!.lng).toBeCloseTo(12, 6);
});

test('far from roads the surrounding village is named, and farther away nothing', () => {
  expect(at(58.015, 12.1)).toEqual(['Malmköping']);
  expect(at(58.5, 12.1)).toEqual([]);
  expect(at(-90, 180)).toEqual([]);
});

test('the nearest places are those of a scan of all, within reach and as many as wanted', () => {
  const { index, network } = town;
  const place = { lat: 58.0021, lng: 12.0011 };
  const isPoint = (row: number): boolean => index.kind(row) !== 'street';
  const all = Array.from({ length: index.rowCount }, (_, row) => row)
    .filter(isPoint)
    .map((row) => {
      const [lat, lng] = [index.data.latE7[row]! / 1e7, index.data.lngE7[row]! / 1e7];
      return { row, metres: distanceM(place.lng, place.lat, lng, lat) };
    })
    .sort((a, b) => a.metres - b.metres || a.row - b.row);
  for (const [reachM, limit] of [
    [10_000, 5],
    [10_000, 100],
    [120, 100],
    [30, 2],
    [0, 3],
  ] as const) {
    const found = nearestPlaces(index, network, place, { reachM, limit, accepts: isPoint });
    const expected = all.filter(({ metres }) => metres <= reachM).slice(0, limit);
    expect(found.map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
  }
  // A wider circle with too many points is not searched.
  const bounded = nearestPlaces(index, network, place, {
    ...{ reachM: 10_000, limit: 100, accepts: isPoint, pointsMax: 10 },
  });
  expect(bounded.length).toBeGreaterThan(0);
  expect(bounded.length).toBeLessThanOrEqual(10);
});
