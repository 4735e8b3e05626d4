import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, test } from 'vitest';
import { cutTile } from '#api/road-tiles/cut-tile.js';
import type { RoadLine } from '#api/road-tiles/road-line.js';
import { RoadTiles } from '#api/road-tiles/road-tiles.js';
import { TileCache } from '#api/road-tiles/tile-cache.js';

const road = (kind: string, name: string, coordinates: readonly (readonly [number, number])[]): RoadLine => ({
  class: kind,
  name,
  ref: '',
  oneway: kind === 'motorway',
  coordinates,
});

const tiles = new RoadTiles([
  road('motorway', 'E 6', [
    [11.9, 57.7],
    [14.9, 57.7],
  ]),
  road('residential', '<img onerror>', [
    [11.95, 57.699],
    [11.95, 57.701],
  ]),
  road('footway', '', [
    [11.95, 57.7005],
    [11.951, 57.7005],
  ]),
]);

function roadsOf(z: number, x: number, y: number) {
  const bytes = tiles.cut(z, x, y);
  if (bytes === undefined) return [];
  const layer = new VectorTile(new PbfReader(bytes)).layers['roads']!;
  return Array.from({ length: layer.length }, (_, index) => layer.feature(index));
}

const tileAt = (lng: number, lat: number, z: number): [number, number, number] => {
  const latitude = (lat * Math.PI) / 180;
  const across = 2 ** z;
  return [
    z,
    Math.floor(((lng + 180) / 360) * across),
    Math.floor(((1 - Math.log(Math.tan(latitude) + 1 / Math.cos(latitude)) / Math.PI) / 2) * across),
  ];
};

describe('vector tiles of the roads', () => {
  test('zoom 0 is one tile, and it shows only the motorway', () => {
    expect(roadsOf(0, 0, 0).map(({ properties }) => properties)).toEqual([
      { class: 'motorway', oneway: true, name: 'E 6' },
    ]);
  });

  test('smaller roads appear at higher zooms, and are below the larger ones', () => {
    const classes = (z: number) =>
      roadsOf(...tileAt(11.9503, 57.7002, z)).map(({ properties }) => properties['class']);
    expect(classes(11)).toEqual(['motorway']);
    expect(classes(12)).toEqual(['residential', 'motorway']);
    expect(classes(14)).toEqual(['footway', 'residential', 'motorway']);
  });

  test('M-104: points are where Web Mercator places them, within one unit of the tile', () => {
    const [z, x, y] = tileAt(11.95, 57.7, 16);
    const street = roadsOf(z, x, y).find(({ properties }) => properties['class'] === 'residential')!;
    const geometry = street.toGeoJSON(x, y, z).geometry as GeoJSON.LineString;
    for (const [lng] of geometry.coordinates) expect(lng).toBeCloseTo(11.95, 5);
  });

  test('an address next to the map renders nothing', () => {
    expect(tiles.cut(14, 0, 0)).toBeUndefined();
    expect(tiles.cut(3, 9, 9)).toBeUndefined();
  });
});

describe('cached tiles', () => {
  test('M-105: the tag is a hash of the content, the same on every instance', async () => {
    const [z, x, y] = tileAt(11.95, 57.7, 14);
    const one = new TileCache((address) => cutTile(tiles, address));
    const tile = await one.get({ z, x, y });
    expect((await new TileCache((address) => cutTile(tiles, address)).get({ z, x, y })).etag).toBe(tile.etag);
    expect(gunzipSync(tile.gzip)).toEqual(Buffer.from(tiles.cut(z, x, y)!));
    expect((await one.get({ z: 14, x: 0, y: 0 })).gzip.byteLength).toBe(0);
  });

  test('concurrent clients share one rendering of a tile; a failed one is retried', async () => {
    let cuts = 0;
    const cache = new TileCache(async (address) => {
      cuts += 1;
      if (cuts === 1) throw new Error('busy');
      return cutTile(tiles, address);
    });
    const address = { z: 0, x: 0, y: 0 };
    await expect(cache.get(address)).rejects.toThrow('busy');
    const [first, second] = await Promise.all([cache.get(address), cache.get(address)]);
    expect(await cache.get(address)).toBe(first);
    expect([second === first, cuts]).toEqual([true, 2]);
  });
});
