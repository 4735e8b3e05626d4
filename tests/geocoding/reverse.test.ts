import { beforeAll, expect, test } from 'vitest';
import { placesAt } from '#geocoding/query/reverse-places.js';
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
