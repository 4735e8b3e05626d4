import { expect, test } from 'vitest';
import { followGeocoder } from '#api/geocode/follow-geocoder.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { buildGeocodingFrom } from '#tile-builder/geocoding/build-geocoding.js';
import { currentGeocodeIndexId, openGeocodeIndex } from '#tile-builder/geocoding/geocode-store.js';
import { addressTown, geocodeTown, sourceOf } from '../tile-builder/geocoding/address-town.js';

const query = { language: '', limit: 3 };

test('M-028: a new place is found without a restart, and a damaged index leaves the one before serving', async () => {
  const { objects, network, indexId } = await geocodeTown();
  const follower = await followGeocoder(
    {
      currentId: () => currentGeocodeIndexId(objects, network.tilesetId),
      open: async (id) => indexGeocoder(await openGeocodeIndex(objects, id), network),
    },
    silentLogger,
  );
  try {
    const held = follower.current()!;
    expect(held.search('Nya Biblioteket', query)).toEqual([]);

    const library = {
      id: 99,
      lng: 12.002,
      lat: 58.002,
      tags: { amenity: 'library', name: 'Nya Biblioteket' },
    };
    const grown = { ...addressTown, nodes: [...addressTown.nodes, library] };
    const { id } = await buildGeocodingFrom(sourceOf(grown), network, objects);
    expect(id).not.toBe(indexId);
    await follower.look();
    expect(follower.current()!.search('Nya Biblioteket', query)[0]?.result.place_id).toBe('n99');
    // Whoever began with the old index ends with it.
    expect(held.search('Nya Biblioteket', query)).toEqual([]);

    await objects.put('geocode/0123456789abcdef.mgeo', new Uint8Array(40));
    await objects.put(`geocode/of-${network.tilesetId}`, new TextEncoder().encode('0123456789abcdef'));
    await follower.look();
    expect(follower.current()!.search('Nya Biblioteket', query)).toHaveLength(1);
  } finally {
    follower.close();
  }
});

test('without an index there is none, until one is published', async () => {
  const { objects, network, indexId } = await geocodeTown();
  let id: string | undefined;
  const follower = await followGeocoder(
    {
      currentId: () => Promise.resolve(id),
      open: async (wanted) => indexGeocoder(await openGeocodeIndex(objects, wanted), network),
    },
    silentLogger,
  );
  expect(follower.current()).toBeUndefined();
  id = indexId;
  await Promise.all([follower.look(), follower.look()]);
  expect(follower.current()!.search('Storgatan 2', query)[0]?.result.place_id).toBe('n42.2');
  follower.close();
});

test('an index of other roads is refused', async () => {
  const { index } = await geocodeTown();
  const other = await geocodeTown(
    sourceOf({ ...addressTown, ways: addressTown.ways.filter(({ id }) => id !== 106) }),
  );
  expect(() => indexGeocoder(index, other.network)).toThrow(/build the map again/);
});
