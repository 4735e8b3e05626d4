import type { ChangedNode, ChangedRelation, ChangedWay, OsmChange } from '#osm/change/osm-change.js';
import type { OsmSink } from '#schemas/osm-sink.js';

/**
 * A map as three tables by id, to which changes are applied in the simplest way; it behaves like the changed
 * extract when it is read. `OsmMap` is compared with it.
 */
export class ChangingMap {
  readonly nodes = new Map<number, ChangedNode>();
  readonly ways = new Map<number, ChangedWay>();
  readonly relations = new Map<number, ChangedRelation>();

  readonly sink: OsmSink = {
    node: (id, lngE7, latE7, tags) => void this.nodes.set(id, { lngE7, latE7, tags }),
    way: (id, refs, tags) => void this.ways.set(id, { refs: [...refs], tags }),
    relation: (id, members, tags) => void this.relations.set(id, { members, tags }),
  };

  apply({ nodes, ways, relations }: OsmChange): void {
    exchange(this.nodes, nodes);
    exchange(this.ways, ways);
    exchange(this.relations, relations);
  }

  /** This map with the change; this one stays as it is. */
  changed(change: OsmChange): ChangingMap {
    const map = new ChangingMap();
    map.apply(this);
    map.apply(change);
    return map;
  }

  play(sink: OsmSink): void {
    for (const [id, { lngE7, latE7, tags }] of inOrder(this.nodes)) sink.node(id, lngE7, latE7, tags);
    for (const [id, { refs, tags }] of inOrder(this.ways)) sink.way(id, refs, tags);
    for (const [id, { members, tags }] of inOrder(this.relations)) sink.relation(id, members, tags);
  }
}

function exchange<Element>(table: Map<number, Element>, changes: ReadonlyMap<number, Element | null>): void {
  for (const [id, element] of changes) {
    if (element === null) table.delete(id);
    else table.set(id, element);
  }
}

const inOrder = <Element>(table: ReadonlyMap<number, Element>): [number, Element][] =>
  [...table].sort(([a], [b]) => a - b);
