import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';

/** Passes on elements with ascending ids, as in every extract with published changes, and refuses others. */
export function requireAscendingIds(sink: OsmSink): OsmSink {
  const checked = (kind: string): ((id: number) => void) => {
    let last = Number.NEGATIVE_INFINITY;
    return (id) => {
      if (id <= last)
        throw new InvalidMapSource(
          `${kind} ${id} comes after ${kind} ${last}: changes are applied to an extract in the order of ` +
            `its ids; bring it into order with \`osmium sort\``,
        );
      last = id;
    };
  };
  const [node, way, relation] = [checked('node'), checked('way'), checked('relation')];
  return {
    node: (id, lngE7, latE7, tags) => {
      node(id);
      sink.node(id, lngE7, latE7, tags);
    },
    way: (id, refs, tags) => {
      way(id);
      sink.way(id, refs, tags);
    },
    relation: (id, members, tags) => {
      relation(id);
      sink.relation(id, members, tags);
    },
  };
}
