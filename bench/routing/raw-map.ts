import { readOsmPbf } from '#osm/read/read-osm-pbf.js';
import type { OsmMember, OsmSink, Tags } from '#schemas/osm-sink.js';
import { isWalkedOn } from './raw-access.js';
import { RawAreas } from './raw-areas.js';

export interface RawWay {
  readonly refs: readonly number[];
  readonly tags: Tags;
}

export interface RawRestriction {
  readonly id: number;
  readonly tags: Tags;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly viaNode: number | undefined;
  readonly viaWays: readonly number[];
}

/** The extract as it was surveyed: elements by id, nothing derived. */
export class RawMap {
  readonly ways = new Map<number, RawWay>();
  /** Tags of nodes that have any. */
  readonly nodeTags = new Map<number, Tags>();
  /** [lng, lat] in 1e-7 degrees. */
  readonly places = new Map<number, readonly [number, number]>();
  /** By the way before the turn. */
  readonly restrictions = new Map<number, RawRestriction[]>();
  readonly areas = new RawAreas();
  restrictionCount = 0;

  readonly sink: OsmSink = {
    node: (id, lngE7, latE7, tags) => {
      this.places.set(id, [lngE7, latE7]);
      if (tags !== undefined) this.nodeTags.set(id, tags);
    },
    way: (id, refs, tags) => {
      this.areas.way(id, [...refs], tags);
      if (tags.has('highway') || tags.has('route') || isWalkedOn(tags))
        this.ways.set(id, { refs: [...refs], tags });
    },
    relation: (id, members, tags) => {
      this.areas.relation(members, tags);
      if (tags.get('type') === 'restriction') this.#addRestriction(id, members, tags);
    },
  };

  #addRestriction(id: number, members: readonly OsmMember[], tags: Tags): void {
    const ways = (role: string): number[] =>
      members.filter((each) => each.role === role && each.type === 'way').map((each) => each.id);
    const viaNode = members.find((each) => each.role === 'via' && each.type === 'node')?.id;
    const restriction = { id, tags, from: ways('from'), to: ways('to'), viaNode, viaWays: ways('via') };
    this.restrictionCount++;
    for (const way of restriction.from) {
      const there = this.restrictions.get(way);
      if (there === undefined) this.restrictions.set(way, [restriction]);
      else there.push(restriction);
    }
  }
}

export async function readRawMap(file: string): Promise<RawMap> {
  const map = new RawMap();
  await readOsmPbf(file, map.sink);
  return map;
}
