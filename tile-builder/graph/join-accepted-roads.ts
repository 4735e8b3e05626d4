import { createHash } from 'node:crypto';
import type { AcceptedRoad } from '#map-data/accepted-roads/accepted-roads.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import { type Nearest, nearestOf, nearSegments, type Place, type Segment } from './near-segments.js';

/** An end of an accepted road is joined to the nearest road within this many metres. */
const joinM = 30;
/** A node of that road within this distance becomes the end; otherwise the road gets a new node there. */
const nodeM = 12;
/** A road that is mostly this near to known roads is on the map already. */
const knownM = 10;
const knownShare = 0.8;
const sampleM = 10;
/** Our ids start above OpenStreetMap's and fit the fifteen digits of a stable edge id. */
const idsFrom = 1e14;

interface JoinedRoads {
  readonly extract: OsmExtract;
  /** Ids of the roads that are in it now. */
  readonly joined: readonly string[];
  /** Skipped roads: the extract has them already, or they end near no other road. */
  readonly known: readonly string[];
  readonly apart: readonly string[];
}

/**
 * The extract with the accepted roads as ways of their own, one after the other, so that one may end at
 * another. Roads are joined only at their ends: where they cross others, there may be a bridge. The same
 * input gives the same extract, ids included. Throws `InvalidMapSource` when the extract has ids that are
 * none of OpenStreetMap's.
 */
export function joinAcceptedRoads(extract: OsmExtract, roads: readonly AcceptedRoad[]): JoinedRoads {
  const outcome = { joined: [] as string[], known: [] as string[], apart: [] as string[] };
  const near = nearSegments(extract, roads, 2 * joinM);
  const joints = new Joints();
  for (const [i, road] of roads.entries()) {
    const kind = joints.join(road, near[i]!);
    outcome[kind].push(road.id);
  }
  return { extract: joints.added.length === 0 ? extract : joints.into(extract), ...outcome };
}

/** An added road: its nodes in order. */
interface AddedWay {
  readonly id: number;
  readonly tags: AcceptedRoad['tags'];
  readonly nodes: number[];
}

class Joints {
  readonly added: AddedWay[] = [];
  /** Nodes of ours, by id. */
  readonly #places = new Map<number, Place>();
  /** Nodes that known ways get, by the index in `refs` that they follow. */
  readonly #between = new Map<number, { readonly share: number; readonly id: number }[]>();
  readonly #ids = new Set<number>();

  join(road: AcceptedRoad, near: readonly Segment[]): 'joined' | 'known' | 'apart' {
    if (this.#isKnown(road, near)) return 'known';
    const last = road.lngE7.length - 1;
    const ends = [placeAt(road, 0), placeAt(road, last)] as const;
    const meets = ends.map((end) => this.#meet(near, end));
    if (meets.every((meeting) => meeting === undefined)) return 'apart';
    const first = meets[0] && this.#joint(meets[0], `${road.id} first`);
    // Searched again: the first end may have cut the road that the last one meets.
    const second = meets[1] && this.#joint(this.#meet(near, ends[1])!, `${road.id} last`);
    const own = road.lngE7.map((_, i) => this.#node(`${road.id} ${i}`, placeAt(road, i)));
    const nodes = [first, ...own, second].filter((id) => id !== undefined);
    this.added.push({ id: this.#idOf(road.id), tags: road.tags, nodes });
    return 'joined';
  }

  #isKnown(road: AcceptedRoad, near: readonly Segment[]): boolean {
    const samples = samplesAlong(road);
    const segments = [...near, ...this.#own()];
    const known = samples.filter((at) => (nearestOf(segments, at)?.apartM ?? Infinity) <= knownM);
    return known.length >= knownShare * samples.length;
  }

  #meet(near: readonly Segment[], end: Place): Nearest | undefined {
    const nearest = nearestOf([...near, ...this.#own()], end);
    return nearest !== undefined && nearest.apartM <= joinM ? nearest : undefined;
  }

  /**
   * The segments of the added roads, which are in no `refs` yet. The pieces to nodes of known ways are short.
   */
  #own(): Segment[] {
    return this.added.flatMap(({ nodes }) =>
      nodes.slice(1).flatMap((to, i) => {
        const [a, b] = [this.#places.get(nodes[i]!), this.#places.get(to)];
        return a === undefined || b === undefined
          ? []
          : [{ ids: [nodes[i]!, to] as const, places: [a, b] as const, ref: -1 }];
      }),
    );
  }

  /** The node where an end meets a road: an existing or a new one. */
  #joint({ segment, place, share }: Nearest, name: string): number {
    const { ids, places, ref } = segment;
    const inserted = this.#between.get(ref) ?? [];
    const there = [
      ...ids.map((id, i) => ({ id, place: places[i]! })),
      ...inserted.map(({ id }) => ({ id, place: this.#places.get(id)! })),
    ].find((each) => apartM(each.place, place) <= nodeM);
    if (there !== undefined) return there.id;
    const id = this.#node(name, place);
    if (ref >= 0) this.#between.set(ref, [...inserted, { share, id }]);
    else {
      const { nodes } = this.added.find((way) => way.nodes.includes(ids[0]) && way.nodes.includes(ids[1]))!;
      nodes.splice(nodes.indexOf(ids[0]) + 1, 0, id);
    }
    return id;
  }

  #node(name: string, place: Place): number {
    const id = this.#idOf(name);
    this.#places.set(id, place);
    return id;
  }

  /** 46 bits of a digest above OpenStreetMap's numbers, or the next free number on a collision. */
  #idOf(name: string): number {
    const digest = createHash('sha256').update(name).digest();
    let id = idsFrom + Number(digest.readBigUInt64BE(0) >> 18n);
    while (this.#ids.has(id)) id++;
    this.#ids.add(id);
    return id;
  }

  into(extract: OsmExtract): OsmExtract {
    const { nodeIds, nodeLngE7, nodeLatE7, wayIds, wayTags } = extract;
    if (wayIds.reduce((most, id) => Math.max(most, id), nodeIds.at(-1) ?? 0) >= idsFrom)
      throw new InvalidMapSource(
        `the extract has ids above ${idsFrom}, which accepted roads need; ` +
          'build without them or number it again',
      );
    const ids = [...this.#places.keys()].sort((a, b) => a - b);
    const places = ids.map((id) => this.#places.get(id)!);
    return {
      ...extract,
      nodeIds: appended(new Float64Array(nodeIds.length + ids.length), nodeIds, ids),
      nodeLngE7: appended(
        new Int32Array(nodeIds.length + ids.length),
        nodeLngE7,
        places.map(({ lngE7 }) => lngE7),
      ),
      nodeLatE7: appended(
        new Int32Array(nodeIds.length + ids.length),
        nodeLatE7,
        places.map(({ latE7 }) => latE7),
      ),
      wayIds: appended(
        new Float64Array(wayIds.length + this.added.length),
        wayIds,
        this.added.map(({ id }) => id),
      ),
      wayTags: [...wayTags, ...this.added.map(({ tags }) => tags)],
      ...this.#refs(extract),
    };
  }

  #refs({ firstRef, refs }: OsmExtract): Pick<OsmExtract, 'firstRef' | 'refs'> {
    const cuts = [...this.#between].sort(([a], [b]) => a - b);
    const inserted = cuts.reduce((sum, [, nodes]) => sum + nodes.length, 0);
    const own = this.added.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const next = new Float64Array(refs.length + inserted + own);
    let [from, to] = [0, 0];
    for (const [ref, nodes] of cuts) {
      next.set(refs.subarray(from, ref + 1), to);
      to += ref + 1 - from;
      from = ref + 1;
      for (const { id } of nodes.sort((a, b) => a.share - b.share)) next[to++] = id;
    }
    next.set(refs.subarray(from), to);
    to += refs.length - from;
    const first = new Uint32Array(firstRef.length + this.added.length);
    let cut = 0;
    let shift = 0;
    for (const [way, start] of firstRef.entries()) {
      while (cut < cuts.length && cuts[cut]![0] < start) shift += cuts[cut++]![1].length;
      first[way] = start + shift;
    }
    for (const [i, { nodes }] of this.added.entries()) {
      next.set(nodes, to);
      to += nodes.length;
      first[firstRef.length + i] = to;
    }
    return { firstRef: first, refs: next };
  }
}

function appended<Numbers extends Float64Array | Int32Array>(
  into: Numbers,
  before: Numbers,
  values: readonly number[],
): Numbers {
  into.set(before);
  into.set(values, before.length);
  return into;
}

const placeAt = ({ lngE7, latE7 }: AcceptedRoad, i: number): Place => ({
  lngE7: lngE7[i]!,
  latE7: latE7[i]!,
});

function samplesAlong(road: AcceptedRoad): Place[] {
  const samples: Place[] = [];
  for (let i = 0; i + 1 < road.lngE7.length; i++) {
    const [a, b] = [placeAt(road, i), placeAt(road, i + 1)];
    const steps = Math.max(1, Math.round(apartM(a, b) / sampleM));
    for (let step = 0; step < steps; step++)
      samples.push({
        lngE7: a.lngE7 + ((b.lngE7 - a.lngE7) * step) / steps,
        latE7: a.latE7 + ((b.latE7 - a.latE7) * step) / steps,
      });
  }
  return samples;
}

function apartM(a: Place, b: Place): number {
  const perLng = metersPerLngDegree(a.latE7 / 1e7);
  return Math.hypot((a.lngE7 - b.lngE7) * perLng, (a.latE7 - b.latE7) * metersPerDegree) / 1e7;
}
