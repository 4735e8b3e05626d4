import type { OsmSink } from '#schemas/osm-sink.js';
import { OsmColumns } from './osm-columns.js';
import type { MapElements } from './tagged-elements.js';

export type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from './tagged-elements.js';

/** Gathers what the map shows and the geocoder knows; `elements()` when the reader is through. */
export function collectMapElements(): { sink: OsmSink; elements: () => MapElements } {
  const columns = new OsmColumns({ elements: true });
  return { sink: columns.sink, elements: () => columns.elements() };
}
