import { collectMapElements, type MapElements } from '#osm/elements/map-elements.js';
import { type MapSource, readMapSource } from '#osm/read/read-map-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { putGeocodeIndex } from '../index/geocode-store.js';
import { GeocodingSession } from './geocoding-session.js';

/** The stored geocoding index. */
export interface BuiltGeocoding {
  readonly id: string;
  readonly bytes: number;
}

/**
 * Builds the geocoding index of a tileset from the elements of the same extract and stores it; a release
 * points to it. The same extract gives the same bytes and the same id, with or without a session.
 */
export function stageGeocoding(
  elements: MapElements,
  tilesetId: string,
  objects: ObjectStore,
  session: GeocodingSession = new GeocodingSession(),
): Promise<BuiltGeocoding> {
  return session.with(async (builder) => {
    const bytes = builder.build(elements, tilesetId);
    return { id: await putGeocodeIndex(objects, bytes), bytes: bytes.length };
  });
}

/** The same from the extract itself. Throws `InvalidMapSource`. */
export async function stageGeocodingFrom(
  source: MapSource,
  tilesetId: string,
  objects: ObjectStore,
): Promise<BuiltGeocoding> {
  const { sink, elements } = collectMapElements();
  await readMapSource(source, sink);
  return stageGeocoding(elements(), tilesetId, objects);
}
