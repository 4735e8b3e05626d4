import type { OsmSink } from '#schemas/osm-sink.js';
import { OsmColumns } from './osm-columns.js';
import type { MapElements } from './tagged-elements.js';

export type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from './tagged-elements.js';

/** Collects the elements for the map and the geocoder; `elements()` is valid when the reader has finished. */
export function collectMapElements(): { sink: OsmSink; elements: () => MapElements } {
  const columns = new OsmColumns();
  return { sink: columns.sink, elements: () => columns.elements() };
}
