import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { GeocodeIndex } from './geocode-index.js';
import { InvalidGeocodeIndex } from './index-file.js';

/** The key of an index; it follows from the content, so an object never changes. */
export const indexKey = (id: string): string => `geocode/${id}.mgeo`;

/** Writes the index. Returns the id: a hash of the bytes. */
export async function putGeocodeIndex(objects: ObjectStore, bytes: Uint8Array): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  await objects.put(indexKey(id), bytes);
  return id;
}

/** Throws `InvalidGeocodeIndex` if the object is missing or changed. */
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
