import { beforeAll, expect, test } from 'vitest';
import { distanceM } from '#routing-engine/earth.js';
import { placesAt } from '#tile-builder/geocoding/reverse-places.js';
import { gothenburg, seeded } from '../real-maps.js';
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

test('a house at the door goes before the café beside it, unless one points at the café', () => {
  expect(at(58.0021, 12.00302)[0]).toBe('Storgatan 9');
  expect(at(58.00208, 12.003)[0]).toBe('Kaffé Ångström');
});

test('the street is the one of the nearest named road, with the place on it', () => {
  const found = placesAt(town.index, town.network, { lat: 58.003, lng: 11.9995 });
  const street = found.find(({ row }) => town.index.kind(row) === 'street')!;
  expect(town.index.name(street.row, '')).toBe('Köpmansgatan');
  expect(street.at!.lng).toBeCloseTo(12, 6);
});

test('beyond every road the village around is named, and farther nothing', () => {
  expect(at(58.015, 12.1)).toEqual(['Malmköping']);
  expect(at(58.5, 12.1)).toEqual([]);
  expect(at(-90, 180)).toEqual([]);
});

test('on a real city the street of a place is a named road as near as any', { timeout: 60_000 }, async () => {
  const { index, network } = await geocodeTown(gothenburg);
  const random = seeded(5);
  const { nodeLngE7, nodeLatE7 } = network.arrays;
  for (let i = 0; i < 30; i++) {
    const node = Math.floor(random() * network.nodeCount);
    const place = { lng: nodeLngE7[node]! / 1e7, lat: nodeLatE7[node]! / 1e7 };
    const street = placesAt(index, network, place).find(({ row }) => index.kind(row) === 'street');
    const named = Array.from({ length: network.edgeCount }, (_, edge) => edge).filter(
      (edge) =>
        network.edgeName(edge) !== '' &&
        (network.arrays.tail[edge] === node || network.arrays.head[edge] === node) &&
        network.freeFlowKph(edge, 'walking') > 0,
    );
    if (named.length === 0) continue;
    expect(street).toBeDefined();
    expect(distanceM(place.lng, place.lat, street!.at!.lng, street!.at!.lat)).toBeLessThan(0.5);
  }
});
