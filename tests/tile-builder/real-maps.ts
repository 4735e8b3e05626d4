import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openTileset } from '#map-data/open-tileset.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { buildTileset, type MapSource } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { readGothenburg } from './read-gothenburg.js';

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** An extract next to the checkout; undefined if there is none, as on a user's machine. */
export function extractBeside(area: string): MapSource | undefined {
  const file = `${folder}${area}.osm.pbf`;
  return existsSync(file) ? { kind: 'osm-pbf', file } : undefined;
}

/** Roads alone, without turn restrictions; in every checkout. */
export const gothenburg: MapSource = { kind: 'elements', read: readGothenburg };

const networks = new Map<MapSource, Promise<RoadNetwork>>();

/** Built once per process for all its tests: a network never changes. */
export function networkOf(source: MapSource): Promise<RoadNetwork> {
  const known = networks.get(source) ?? build(source);
  networks.set(source, known);
  return known;
}

async function build(source: MapSource): Promise<RoadNetwork> {
  const objects = new MemoryObjectStore();
  await buildTileset(source, objects);
  return openTileset(objects);
}
