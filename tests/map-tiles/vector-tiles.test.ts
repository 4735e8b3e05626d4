import { classifyRings, VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { layers as schema } from '#map-tiles/format/layers.js';
import type { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import { proves } from '#tools/acceptance/proves.js';
import { addressZoomMax } from '#tools/tile-address/tile-address.js';
import { DrawnCity, drawnMap, islandTown } from './drawn-city.js';

let map: MapTiles;
beforeAll(async () => {
  ({ map } = await drawnMap(islandTown()));
});

async function features(lat: number, lng: number, z: number, layer: string): Promise<VectorTileFeature[]> {
  const bytes = await map.vectorTile(tileAt(lat, lng, z));
  const found = bytes && new VectorTile(new PbfReader(bytes)).layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found!.feature(i));
}
const names = (found: readonly VectorTileFeature[]): unknown[] =>
  found.map(({ properties }) => properties['name']);

describe('vector tiles of a map', () => {
  proves('M-104', {
    asked: 'projection: Web Mercator',
    shown: 'a place in the tiles of five zooms within half a unit of 4,096; edges in tools/tile-address',
    control: {
      in: 'map-tiles/build/geometry/cut-vector-tiles.ts',
      change: 'line[i + 1]! / 1e7]);',
      to: '(line[i + 1]! / 1e7) * 1.00002]);',
    },
  });
  it('M-104: a place is where Web Mercator puts it, to the unit of the tile', async () => {
    // By the definition of the projection, not by the product's own functions: those could be wrong alike.
    const mercatorX = (14.5123 + 180) / 360;
    const mercatorY = (1 - Math.asinh(Math.tan((35.9045 * Math.PI) / 180)) / Math.PI) / 2;
    for (const z of [8, 10, 12, 14, 16]) {
      const [lat, lng] = [35.9045, 14.5123];
      const { x, y } = tileAt(lat, lng, z);
      const [town] = await features(lat, lng, z, 'place_labels');
      const point = town!.loadGeometry()[0]![0]!;
      expect(Math.abs(point.x - 4_096 * (2 ** z * mercatorX - x))).toBeLessThanOrEqual(0.5);
      expect(Math.abs(point.y - 4_096 * (2 ** z * mercatorY - y))).toBeLessThanOrEqual(0.5);
    }
  });

  proves('M-100', {
    asked: 'zoom 0 is one tile; each zoom multiplies the count by four',
    shown: 'the corners of the world at zooms 0 to 22 are the first and last of 2^z columns and rows',
    control: {
      in: 'map-tiles/format/web-mercator.ts',
      change: 'const last = 2 ** z - 1;',
      to: 'const last = 2 ** z;',
    },
  });
  it('M-100: zoom 0 is one tile, and each zoom has room for four times as many', () => {
    // As deep as there are addresses.
    expect(addressZoomMax).toBe(22);
    for (let z = 0; z <= addressZoomMax; z++) {
      expect(tileAt(-90, 180, z)).toEqual({ z, x: 2 ** z - 1, y: 2 ** z - 1 });
      expect(tileAt(90, -180, z)).toEqual({ z, x: 0, y: 0 });
    }
  });

  it('tiles contain the layers and fields of the schema, and no other', async () => {
    for (const z of [0, 5, 9, 12, 14, 16]) {
      const bytes = await map.vectorTile(tileAt(35.903, 14.5035, z));
      const { layers } = new VectorTile(new PbfReader(bytes ?? new Uint8Array()));
      for (const [name, layer] of Object.entries(layers)) {
        const known = schema[name as keyof typeof schema];
        expect([name, known]).not.toEqual([name, undefined]);
        expect([layer.version, layer.extent]).toEqual([2, 4_096]);
        for (let i = 0; i < layer.length; i++)
          for (const key of Object.keys(layer.feature(i).properties))
            expect(Object.keys(known.fields)).toContain(key);
      }
    }
  });

  it('winds rings as version 2 of the format requires: outer ring, then its holes', async () => {
    const [wood] = await features(35.925, 14.525, 12, 'land');
    expect(wood!.properties).toMatchObject({ kind: 'forest', name: 'Great Wood' });
    const polygons = classifyRings(wood!.loadGeometry());
    expect(polygons.map((rings) => rings.length)).toEqual([2]);
  });

  it('the sea ends at the coast', async () => {
    const inland = await features(35.94, 14.53, 16, 'ocean');
    expect(inland).toEqual([]);
    const [coast] = await features(35.9, 14.51, 14, 'ocean');
    expect(coast).toBeDefined();
  });

  it('shows houses from 13 or 14 on, numbers at the deepest zoom, and small streets late', async () => {
    expect(await features(35.903, 14.5035, 12, 'buildings')).toEqual([]);
    expect((await features(35.903, 14.5035, 14, 'buildings')).length).toBe(12);
    expect(await features(35.903, 14.5035, 15, 'addresses')).toEqual([]);
    expect((await features(35.903, 14.5035, 16, 'addresses')).length).toBeGreaterThan(3);
    const at = async (z: number): Promise<unknown[]> =>
      (await features(35.903, 14.521, z, 'streets')).map(({ properties }) => properties['kind']);
    expect(await at(7)).toEqual([]);
    expect(await at(8)).toEqual(['primary']);
    expect((await at(13)).toSorted()).toEqual(['primary', 'residential']);
  });

  it('joins consecutive pieces of a road with the same look', async () => {
    const mains = (await features(35.903, 14.53, 13, 'streets')).filter(
      ({ properties }) => properties['ref'] === '1',
    );
    expect(names(mains)).toEqual(['Main Road']);
  });

  it('keeps text unchanged', async () => {
    expect(names(await features(35.9025, 14.505, 14, 'pois'))).toEqual(['Café <b>']);
  });

  it('leaves out and counts incomplete areas, and renders the rest', async () => {
    const city = islandTown();
    const open = city.way([
      [14.541, 35.911],
      [14.545, 35.911],
      [14.545, 35.915],
    ]);
    city.relation(
      [
        [open, 'outer'],
        [999, 'outer'],
      ],
      { type: 'multipolygon', landuse: 'forest' },
    );
    const { built } = await drawnMap(city);
    expect(built.brokenRings).toBe(1);
    expect(built.vectorTiles).toBeGreaterThan(50);
  });

  it('renders features across the date line on both sides of it, and nowhere else', async () => {
    const city = new DrawnCity();
    city.way(
      [
        [179.99, -16.8],
        [-179.99, -16.81],
      ],
      { highway: 'primary', ref: '1' },
    );
    const { map: fiji } = await drawnMap(city, { zoomMax: 12 });
    for (const lng of [179.999, -179.999])
      expect(await fiji.vectorTile(tileAt(-16.805, lng, 12))).toBeDefined();
    for (const lng of [-120, 0, 120]) expect(await fiji.vectorTile(tileAt(-16.805, lng, 12))).toBeUndefined();
  });

  it('renders nothing for an empty extract', async () => {
    const { built } = await drawnMap(new DrawnCity());
    expect(built.vectorTiles).toBe(0);
  });
});
