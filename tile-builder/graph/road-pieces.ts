import { distanceM } from '#routing-engine/earth.js';
import { packSign } from '#routing-engine/road-sign.js';
import { nodeIndex, nodesOfRefs, type OsmExtract } from '../osm/osm-extract.js';
import { passesNode } from '../profiles/access.js';
import { profiles } from '../profiles/profiles.js';
import type { WayRules } from '../profiles/read-way.js';
import { RulesReader } from '../profiles/rules-reader.js';
import { pick } from './pick.js';
import { maySign, readSign } from './read-sign.js';

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
  readonly readings: readonly WayRules[];
  /** [P] index into `names`; 0 for none. */
  readonly name: Uint32Array;
  readonly ref: Uint32Array;
  /** [P] signs where it begins, in the way's drawn direction: index into `names`. */
  readonly sign: Uint32Array;
  /** Names, road numbers and signs as `packSign` gives them, each once; the first is empty. */
  readonly names: readonly string[];
  /** [P+1] */
  readonly firstShape: Uint32Array;
  readonly shapeLngE7: Int32Array;
  readonly shapeLatE7: Int32Array;
}

export function cutRoads(extract: OsmExtract): RoadPieces {
  const { wayIds, wayTags, firstRef, refs, nodeLngE7, nodeLatE7, nodeIds, nodeTags } = extract;
  const nodeOf = nodesOfRefs(extract);
  const reader = new RulesReader();
  const readings: WayRules[] = [];
  const numberOf = new Map<WayRules, number>();
  const readingOf = new Int32Array(wayIds.length).fill(-1);
  /** How many roads meet at a node; the end of a road counts twice, since a crossing is there in any case. */
  const uses = new Uint8Array(nodeIds.length);
  const use = (node: number, times: number): void => {
    uses[node] = Math.min(3, uses[node] + times);
  };
  for (let way = 0; way < wayIds.length; way++) {
    const rules = reader.read(wayTags[way], wayLength(extract, nodeOf, way));
    if (rules === undefined) continue;
    let number = numberOf.get(rules);
    if (number === undefined) {
      number = readings.push(rules) - 1;
      numberOf.set(rules, number);
    }
    readingOf[way] = number;
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

  const names = new Texts();
  // A piece and a point between its ends each end at a node of a way, so there are no more of them than of these.
  const most = refs.length;
  const from = new Uint32Array(most);
  const to = new Uint32Array(most);
  const wayId = new Float64Array(most);
  const ordinal = new Uint8Array(most);
  const lengthCm = new Uint32Array(most);
  const reading = new Uint32Array(most);
  const name = new Uint32Array(most);
  const ref = new Uint32Array(most);
  const sign = new Uint32Array(most);
  const firstShape = new Uint32Array(most + 1);
  const shapeLngE7 = new Int32Array(most);
  const shapeLatE7 = new Int32Array(most);
  const crossings = new Uint32Array(Math.min(most, nodeIds.length));
  const crossingOf = new Int32Array(nodeIds.length).fill(-1);
  /** By node: the way that came by last, plus one. */
  const passedBy = new Uint32Array(nodeIds.length);
  let crossingCount = 0;
  let pieces = 0;
  let shapes = 0;
  const crossing = (node: number): number => {
    if (crossingOf[node] < 0) {
      crossingOf[node] = crossingCount;
      crossings[crossingCount++] = node;
    }
    return crossingOf[node];
  };
  for (let way = 0; way < wayIds.length; way++) {
    if (readingOf[way] < 0) continue;
    const tags = wayTags[way];
    const rules = readings[readingOf[way]];
    const wayName = names.numberOf(tags.get('name') ?? '');
    const wayRef = names.numberOf(tags.get('ref') ?? '');
    const signed = maySign(tags);
    const end = firstRef[way + 1];
    const firstPiece = pieces;
    let start = -1;
    let meters = 0;
    let firstPoint = shapes;
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
          shapeLngE7[shapes] = nodeLngE7[node];
          shapeLatE7[shapes++] = nodeLatE7[node];
          continue;
        }
        const a = crossing(start);
        const b = crossing(node);
        if (signed) {
          const text = packSign(readSign(tags, rules, nodeTags.get(nodeIds[start])));
          sign[pieces] = names.numberOf(text);
        }
        // A way is between two crossings again only where it comes by a crossing again.
        let times = 0;
        if (passedBy[node] === way + 1)
          for (let other = firstPiece; other < pieces; other++)
            if ((from[other] === a && to[other] === b) || (from[other] === b && to[other] === a)) times++;
        from[pieces] = a;
        to[pieces] = b;
        wayId[pieces] = wayIds[way];
        ordinal[pieces] = Math.min(255, times);
        lengthCm[pieces] = Math.max(1, Math.round(meters * 100));
        reading[pieces] = readingOf[way];
        name[pieces] = wayName;
        ref[pieces] = wayRef;
        firstShape[pieces++] = firstPoint;
      }
      passedBy[node] = way + 1;
      start = node;
      meters = 0;
      firstPoint = shapes;
    }
    // Points behind the last crossing are of no piece.
    shapes = firstPoint;
  }
  firstShape[pieces] = shapes;
  const kept = crossings.subarray(0, crossingCount);
  return {
    nodeOsmId: pick(new Float64Array(crossingCount), nodeIds, kept),
    nodeLngE7: pick(new Int32Array(crossingCount), nodeLngE7, kept),
    nodeLatE7: pick(new Int32Array(crossingCount), nodeLatE7, kept),
    nodeFlags: pick(new Uint8Array(crossingCount), flags, kept),
    from: from.slice(0, pieces),
    to: to.slice(0, pieces),
    wayId: wayId.slice(0, pieces),
    ordinal: ordinal.slice(0, pieces),
    lengthCm: lengthCm.slice(0, pieces),
    reading: reading.slice(0, pieces),
    readings,
    name: name.slice(0, pieces),
    ref: ref.slice(0, pieces),
    names: names.texts,
    sign: sign.slice(0, pieces),
    firstShape: firstShape.slice(0, pieces + 1),
    shapeLngE7: shapeLngE7.slice(0, shapes),
    shapeLatE7: shapeLatE7.slice(0, shapes),
  };
}

/** Numbers texts in the order in which they come; the empty one is 0. */
class Texts {
  readonly texts: string[] = [''];
  readonly #numbers = new Map([['', 0]]);

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
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
