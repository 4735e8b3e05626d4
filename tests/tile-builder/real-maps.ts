import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { openTileset } from '#map-data/open-tileset.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { buildTileset, type MapSource } from '#tile-builder/build-tileset.js';
import { madeOnce } from '../prepared-map.js';
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
  const known = networks.get(source) ?? storeOf(source).then((objects) => openTileset(objects));
  networks.set(source, known);
  return known;
}

/** A store of the caller's own with the tileset of the source, which a run builds once. */
export async function storeOf(source: MapSource): Promise<MemoryObjectStore> {
  const name = source.kind === 'osm-pbf' ? basename(source.file) : 'gothenburg';
  const objects = new MemoryObjectStore();
  const made = await madeOnce(name, async (path) => {
    await buildTileset(source, objects);
    await writeFile(path, serialize(objects.objects));
  });
  if (objects.objects.size > 0) return objects;
  if (made === undefined) await buildTileset(source, objects);
  else
    for (const [key, bytes] of deserialize(await readFile(made)) as Map<string, Uint8Array>)
      await objects.put(key, bytes);
  return objects;
}
