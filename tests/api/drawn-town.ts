import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTileset } from '#map-data/open-tileset.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

/**
 * A town drawn with letters, built by the same job that builds a city. A letter is a crossing, 0.002° from
 * the next one (222 m northwards, 119 m eastwards); the first line is the north.
 */
const stepDeg = 0.002;
const south = 57.7;
const west = 11.96;

export interface DrawnWay {
  /** The crossings on the route, `ABC`. */
  readonly way: string;
  readonly highway: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface DrawnTown {
  readonly network: RoadNetwork;
  place(letter: string): LatLng;
  /** The directed edge from one crossing to the next. */
  edge(from: string, to: string): number;
  remove(): Promise<void>;
}

function placesOf(map: string): Map<string, LatLng> {
  const lines = map.split('\n').filter((line) => line.trim() !== '');
  const places = new Map<string, LatLng>();
  lines.forEach((line, row) => {
    for (const { 0: letter, index } of line.matchAll(/\w/g))
      places.set(letter, {
        lat: Number((south + (lines.length - 1 - row) * stepDeg).toFixed(7)),
        lng: Number((west + index * stepDeg).toFixed(7)),
      });
  });
  return places;
}

export async function drawTown(map: string, ways: readonly DrawnWay[]): Promise<DrawnTown> {
  const places = placesOf(map);
  const folder = await mkdtemp(join(tmpdir(), 'meridian-town-'));
  const letters = [...places.keys()];
  const fixture = {
    nodes: letters.map((letter, i) => ({ id: i + 1, ...places.get(letter)! })),
    ways: ways.map(({ way, highway, tags }, i) => ({
      id: i + 1,
      refs: way.split('').map((letter) => letters.indexOf(letter) + 1),
      tags: { highway, ...tags },
    })),
  };
  const objects = await openObjectStore(`dir:${join(folder, 'objects')}`);
  const { tilesetId } = await buildTileset(
    { kind: 'elements', read: (sink) => playFixture(fixture, sink) },
    objects,
  );
  const network = await openTileset(objects, tilesetId);
  const place = (letter: string): LatLng => places.get(letter)!;
  const isAt = (node: number, { lat, lng }: LatLng): boolean =>
    network.arrays.nodeLatE7[node] === Math.round(lat * 1e7) &&
    network.arrays.nodeLngE7[node] === Math.round(lng * 1e7);
  return {
    network,
    place,
    edge(from, to) {
      const { tail, head } = network.arrays;
      const found = tail.findIndex((node, edge) => isAt(node, place(from)) && isAt(head[edge]!, place(to)));
      if (found < 0) throw new Error(`no edge leads from ${from} to ${to}`);
      return found;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
