import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { collectMapElements } from '../osm/map-elements.js';
import { type MapSource, readMapSource } from '../osm/read-map-source.js';
import { buildGeocodeIndex } from './build-geocode-index.js';
import { gatherGazetteer } from './gather-gazetteer.js';
import { publishGeocodeIndex } from './geocode-store.js';

/**
 * From the extract to the geocoding index of a tileset that was built of the same extract, in the object store. Answers
 * with its id: the same extract gives the same bytes and the same id. Throws `InvalidMapSource`.
 */
export async function buildGeocoding(
  source: MapSource,
  network: RoadNetwork,
  objects: ObjectStore,
): Promise<{ readonly id: string; readonly bytes: number }> {
  const { sink, elements } = collectMapElements();
  await readMapSource(source, sink);
  const bytes = buildGeocodeIndex(gatherGazetteer(elements()), network);
  return { id: await publishGeocodeIndex(objects, network.tilesetId, bytes), bytes: bytes.length };
}
