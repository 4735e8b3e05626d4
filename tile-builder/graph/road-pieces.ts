import { distanceM } from '#routing-engine/earth.js';
import { packSign } from '#routing-engine/road-sign.js';
import { growingFloat64, growingInt32, growingUint32 } from '../osm/growing-array.js';
import { nodeIndex, type OsmExtract } from '../osm/osm-extract.js';
import { passesNode } from '../profiles/access.js';
import { profiles } from '../profiles/profiles.js';
import { readWay, type WayReading } from '../profiles/read-way.js';
import { readSign } from './read-sign.js';

/** Bits of a crossing: closed to a mode (1 << mode), or with a traffic signal. */
export const SIGNAL = 8;

/**
 * Roads cut at crossings: pieces run from crossing to crossing. Crossings are nodes that two roads share, ends of roads,
 * signals and barriers.
 */
export interface RoadPieces {
  readonly nodeOsmId: Float64Array;
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  readonly nodeFlags: Uint8Array;
  /** [P] crossing at either end, in the way's drawn direction. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly wayId: Float64Array;
  readonly ordinal: Uint8Array;
  readonly lengthCm: Uint32Array;
  /** [P] index into `readings`. */
  readonly reading: Uint32Array;
  readonly readings: readonly WayReading[];
  /** By piece that has signs where it begins, in the way's drawn direction: as `packSign` gives it. */
  readonly signs: ReadonlyMap<number, string>;
  /** [P+1] */
  readonly firstShape: Uint32Array;
  readonly shapeLngE7: Int32Array;
  readonly shapeLatE7: Int32Array;
}

export function cutRoads(extract: OsmExtract): RoadPieces {
  const { wayIds, wayTags, firstRef, refs, nodeLngE7, nodeLatE7, nodeIds, nodeTags } = extract;
  const nodeOf = new Int32Array(refs.length);
  for (let i = 0; i < refs.length; i++) nodeOf[i] = nodeIndex(extract, refs[i]);
  const readings: WayReading[] = [];
  const readingOf = new Int32Array(wayIds.length).fill(-1);
  /** How many roads meet at a node; the end of a road counts twice, since a crossing is there in any case. */
  const uses = new Uint8Array(nodeIds.length);
  const use = (node: number, times: number): void => {
    uses[node] = Math.min(3, uses[node] + times);
  };
  for (let way = 0; way < wayIds.length; way++) {
    const reading = readWay(wayTags[way], wayLength(extract, nodeOf, way));
    if (reading === undefined) continue;
    readingOf[way] = readings.push(reading) - 1;
    const end = firstRef[way + 1];
    for (let i = firstRef[way]; i < end; i++) {
      const node = nodeOf[i];
      if (node < 0) continue;
      const isEnd = i === firstRef[way] || i === end - 1 || nodeOf[i - 1] < 0 || nodeOf[i + 1] < 0;
      use(node, isEnd ? 2 : 1);
    }
  }
  const flags = new Uint8Array(nodeIds.length);
  for (const [id, tags] of nodeTags) {
    const node = nodeIndex(extract, id);
    if (uses[node] === 0) continue;
    for (const [mode, profile] of profiles.entries())
      if (!passesNode(tags, profile)) flags[node] |= 1 << mode;
    if (tags.get('highway') === 'traffic_signals') flags[node] |= SIGNAL;
    if (flags[node] !== 0) use(node, 2);
  }

  const crossingOf = new Int32Array(nodeIds.length).fill(-1);
  const crossings = growingUint32();
  const crossing = (node: number): number => {
    if (crossingOf[node] < 0) {
      crossingOf[node] = crossings.length;
      crossings.push(node);
    }
    return crossingOf[node];
  };
  const from = growingUint32();
  const to = growingUint32();
  const wayId = growingFloat64();
  const ordinal = growingUint32();
  const lengthCm = growingUint32();
  const readingColumn = growingUint32();
  const firstShape = growingUint32();
  const shapeLng = growingInt32();
  const shapeLat = growingInt32();
  const seen = new Map<string, number>();
  const signs = new Map<number, string>();
  for (let way = 0; way < wayIds.length; way++) {
    if (readingOf[way] < 0) continue;
    const end = firstRef[way + 1];
    let start = -1;
    let meters = 0;
    let shapes = 0;
    seen.clear();
    for (let i = firstRef[way]; i < end; i++) {
      const node = nodeOf[i];
      if (node < 0) {
        start = -1;
        continue;
      }
      if (start >= 0) {
        const last = nodeOf[i - 1];
        if (last === node) continue;
        meters += distanceM(
          nodeLngE7[last] / 1e7,
          nodeLatE7[last] / 1e7,
          nodeLngE7[node] / 1e7,
          nodeLatE7[node] / 1e7,
        );
        if (uses[node] < 2) {
          shapeLng.push(nodeLngE7[node]);
          shapeLat.push(nodeLatE7[node]);
          continue;
        }
        const a = crossing(start);
        const b = crossing(node);
        const pair = a < b ? `${a} ${b}` : `${b} ${a}`;
        const times = seen.get(pair) ?? 0;
        const sign = packSign(readSign(wayTags[way], readings[readingOf[way]], nodeTags.get(nodeIds[start])));
        if (sign !== '') signs.set(from.length, sign);
        seen.set(pair, times + 1);
        from.push(a);
        to.push(b);
        wayId.push(wayIds[way]);
        ordinal.push(Math.min(255, times));
        lengthCm.push(Math.max(1, Math.round(meters * 100)));
        readingColumn.push(readingOf[way]);
        firstShape.push(shapes);
      }
      start = node;
      meters = 0;
      shapes = shapeLng.length;
    }
  }
  firstShape.push(shapeLng.length);
  const kept = crossings.trimmed();
  return {
    nodeOsmId: Float64Array.from(kept, (node) => nodeIds[node]),
    nodeLngE7: Int32Array.from(kept, (node) => nodeLngE7[node]),
    nodeLatE7: Int32Array.from(kept, (node) => nodeLatE7[node]),
    nodeFlags: Uint8Array.from(kept, (node) => flags[node]),
    from: from.trimmed(),
    to: to.trimmed(),
    wayId: wayId.trimmed(),
    ordinal: Uint8Array.from(ordinal.trimmed()),
    lengthCm: lengthCm.trimmed(),
    reading: readingColumn.trimmed(),
    readings,
    signs,
    firstShape: firstShape.trimmed(),
    shapeLngE7: shapeLng.trimmed(),
    shapeLatE7: shapeLat.trimmed(),
  };
}

function wayLength({ firstRef, nodeLngE7, nodeLatE7, wayTags }: OsmExtract, nodeOf: Int32Array, way: number) {
  // Only a ferry's duration asks for the length of the whole way.
  if (!wayTags[way].has('duration')) return 0;
  let meters = 0;
  for (let i = firstRef[way] + 1; i < firstRef[way + 1]; i++) {
    const a = nodeOf[i - 1];
    const b = nodeOf[i];
    if (a >= 0 && b >= 0)
      meters += distanceM(nodeLngE7[a] / 1e7, nodeLatE7[a] / 1e7, nodeLngE7[b] / 1e7, nodeLatE7[b] / 1e7);
  }
  return meters;
}
