import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { GeocodeIndex } from './geocode-index.js';
import { InvalidGeocodeIndex } from './index-file.js';

/** Where an index lies; its content is the name, so an object never changes. */
export const indexKey = (id: string): string => `geocode/${id}.mgeo`;

/** Writes the index. Answers with the id: a hash of the bytes. */
export async function putGeocodeIndex(objects: ObjectStore, bytes: Uint8Array): Promise<string> {
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  await objects.put(indexKey(id), bytes);
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
