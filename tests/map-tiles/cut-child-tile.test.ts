import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutChildTile } from '#map-tiles/format/cut-child-tile.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileAt } from '#tools/tile-address/tile-address.js';
import { drawnMap, islandTown } from './drawn-city.js';

const outer = tileAt(35.903, 14.5035, 14);
let tile: Uint8Array;

beforeAll(async () => {
  const drawn = await drawnMap(islandTown(), { pngZoomMax: 5 });
  const map = (await MapTiles.open(drawn.objects, drawn.built.mapId))!;
  tile = (await map.vectorTile(outer))!;
});

/** "layer attributes" → its points as "x,y" that lie inside the window, in order. */
function pointsOf(bytes: Uint8Array, keep: (x: number, y: number) => [number, number] | undefined) {
  const found = new Map<string, Set<string>>();
  for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers))
    for (let i = 0; i < layer.length; i++) {
      const feature = layer.feature(i);
      const key = `${name} ${JSON.stringify(Object.entries(feature.properties).toSorted())}`;
      for (const { x, y } of feature.loadGeometry().flat()) {
        const at = keep(x, y);
        if (at === undefined) continue;
        const points = found.get(key) ?? new Set();
        points.add(at.join());
        found.set(key, points);
      }
    }
  return found;
}

/** For each place of the tile's grid, whether an area of the layer covers it. */
function inside(bytes: Uint8Array, layerName: string, samples: readonly [number, number][]): boolean[] {
  const layer = new VectorTile(new PbfReader(bytes)).layers[layerName];
  return samples.map(([x, y]) => {
    let crossings = 0;
    for (let i = 0; i < (layer?.length ?? 0); i++)
      for (const ring of layer!.feature(i).loadGeometry())
        for (let j = 1; j < ring.length; j++) {
          const [a, b] = [ring[j - 1]!, ring[j]!];
          if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) crossings++;
        }
    return crossings % 2 === 1;
  });
}

describe('a child cut out of a tile', () => {
  it('has every point of the parent in it, exactly on its own grid, and no other', () => {
    for (const deeper of [1, 2, 5]) {
      const scale = 2 ** deeper;
      for (let x = 0; x < scale; x++)
        for (let y = 0; y < scale; y++) {
          const inner = { z: outer.z + deeper, x: outer.x * scale + x, y: outer.y * scale + y };
          const child = cutChildTile(tile, outer, inner);
          const expected = pointsOf(tile, (px, py) => {
            const at: [number, number] = [px * scale - x * 4_096, py * scale - y * 4_096];
            return at.every((each) => each > 0 && each < 4_096) ? at : undefined;
          });
          const got =
            child === undefined
              ? new Map<string, Set<string>>()
              : pointsOf(child, (px, py) =>
                  px > 0 && py > 0 && px < 4_096 && py < 4_096 ? [px, py] : undefined,
                );
          expect(got).toEqual(expected);
        }
    }
  });

  it('covers the same ground: a place is in a building or the sea as in the parent', () => {
    let covered = 0;
    for (const layer of ['buildings', 'ocean'])
      for (let x = 0; x < 4; x++)
        for (let y = 0; y < 4; y++) {
          const inner = { z: outer.z + 2, x: outer.x * 4 + x, y: outer.y * 4 + y };
          const child = cutChildTile(tile, outer, inner);
          // Off the grid, so that no place lies on an edge.
          const samples = Array.from({ length: 400 }, (_, i): [number, number] => [
            ((i * 7_919) % 4_091) + 0.37,
            ((i * 104_729) % 4_093) + 0.41,
          ]);
          const there = inside(
            tile,
            layer,
            samples.map(([px, py]) => [(px + x * 4_096) / 4, (py + y * 4_096) / 4]),
          );
          const here = child === undefined ? samples.map(() => false) : inside(child, layer, samples);
          expect(here).toEqual(there);
          covered += there.filter(Boolean).length;
        }
    expect(covered).toBeGreaterThan(100);
  });
});
