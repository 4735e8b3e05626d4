import { growingFloat64, growingInt32, growingUint32 } from './growing-array.js';
import type { OsmMember, OsmSink, Tags } from './osm-sink.js';

export interface TaggedWay {
  readonly id: number;
  readonly tags: Tags;
  /** [lng, lat, …] in 1e-7 degrees; nodes that the extract does not hold are left out. */
  readonly lngLatE7: Int32Array;
  /** Closed: the first node is the last. */
  readonly ring: boolean;
  /** Of the first and last node. */
  readonly ends: readonly [number, number];
}

export interface TaggedNode {
  readonly id: number;
  readonly tags: Tags;
  readonly lngE7: number;
  readonly latE7: number;
}

export interface TaggedRelation {
  readonly id: number;
  readonly tags: Tags;
  readonly members: readonly OsmMember[];
}

/** Everything of an extract that carries tags, in ascending order of ids: what the map shows and the geocoder knows. */
export interface MapElements {
  readonly nodes: readonly TaggedNode[];
  readonly ways: readonly TaggedWay[];
  readonly relations: readonly TaggedRelation[];
}

/** Ways without tags are kept too: relations are drawn with them. */
export function collectMapElements(): { sink: OsmSink; elements: () => MapElements } {
  const ids = growingFloat64();
  const lngs = growingInt32();
  const lats = growingInt32();
  const nodes: TaggedNode[] = [];
  const ways: { id: number; tags: Tags }[] = [];
  const firstRef = growingUint32();
  const refs = growingFloat64();
  const relations: TaggedRelation[] = [];
  const sink: OsmSink = {
    node(id, lngE7, latE7, tags) {
      ids.push(id);
      lngs.push(lngE7);
      lats.push(latE7);
      if (tags !== undefined) nodes.push({ id, tags, lngE7, latE7 });
    },
    way(id, nodeIds, tags) {
      ways.push({ id, tags });
      firstRef.push(refs.length);
      for (let i = 0; i < nodeIds.length; i++) refs.push(nodeIds[i]!);
    },
    relation(id, members, tags) {
      relations.push({ id, members, tags });
    },
  };
  const elements = (): MapElements => {
    firstRef.push(refs.length);
    const lineOf = linesOver(ids.trimmed(), lngs.trimmed(), lats.trimmed());
    const starts = firstRef.trimmed();
    const all = refs.trimmed();
    return {
      nodes: nodes.sort(byId),
      ways: ways
        .map(({ id, tags }, index): TaggedWay => {
          const own = all.subarray(starts[index], starts[index + 1]);
          const first = own[0] ?? 0;
          const last = own[own.length - 1] ?? 0;
          return {
            id,
            tags,
            lngLatE7: lineOf(own),
            ring: own.length > 3 && first === last,
            ends: [first, last],
          };
        })
        .sort(byId),
      relations: relations.sort(byId),
    };
  };
  return { sink, elements };
}

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;

function linesOver(
  ids: Float64Array,
  lngs: Int32Array,
  lats: Int32Array,
): (refs: Float64Array) => Int32Array {
  const ascending = ids.every((id, index) => index === 0 || id > ids[index - 1]!);
  const order = ascending
    ? undefined
    : Uint32Array.from(ids, (_, index) => index).sort((a, b) => ids[a]! - ids[b]!);
  const at = (place: number): number => (order === undefined ? place : order[place]!);
  return (refs) => {
    const line = new Int32Array(2 * refs.length);
    let length = 0;
    for (const ref of refs) {
      let low = 0;
      let high = ids.length - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids[at(middle)]! < ref) low = middle + 1;
        else high = middle;
      }
      if (high < 0 || ids[at(low)] !== ref) continue;
      line[length++] = lngs[at(low)]!;
      line[length++] = lats[at(low)]!;
    }
    return line.slice(0, length);
  };
}
