import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { GeocodeIndex } from './geocode-index.js';
import { InvalidGeocodeIndex } from './index-file.js';

/** Where the index of a tileset lies; its content is part of the name, so an object never changes. */
const indexKey = (id: string): string => `geocode/${id}.mgeo`;
/** Holds the id of the index that goes with a tileset. */
const pointerKey = (tilesetId: string): string => `geocode/of-${tilesetId}`;

/** Writes the index, then the pointer of its tileset. Answers with the id: a hash of the bytes. */
export async function publishGeocodeIndex(
  objects: ObjectStore,
  tilesetId: string,
  bytes: Uint8Array,
): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  await objects.putIfAbsent(indexKey(id), bytes);
  await objects.put(pointerKey(tilesetId), new TextEncoder().encode(id));
  return id;
}

/** Id of the index that goes with a tileset; undefined when none was built. */
export async function currentGeocodeIndexId(
  objects: ObjectStore,
  tilesetId: string,
): Promise<string | undefined> {
  const bytes = await objects.get(pointerKey(tilesetId));
  if (bytes === undefined) return undefined;
  const id = new TextDecoder().decode(bytes).trim();
  if (!/^[0-9a-f]{16}$/.test(id))
    throw new InvalidGeocodeIndex(`${pointerKey(tilesetId)}: it does not hold the id of an index`);
  return id;
}

/** Throws `InvalidGeocodeIndex` when the object is missing, changed or another one. */
export async function openGeocodeIndex(objects: ObjectStore, id: string): Promise<GeocodeIndex> {
  const key = indexKey(id);
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new InvalidGeocodeIndex(`${key}: it is missing; build the map again`);
  try {
    return GeocodeIndex.from(bytes);
  } catch (cause) {
    if (!(cause instanceof InvalidGeocodeIndex)) throw cause;
    throw new InvalidGeocodeIndex(`${key}: ${cause.message}; build the map again or restore the object`, {
      cause,
    });
  }
}
