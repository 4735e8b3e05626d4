import { distanceM } from '#routing-engine/earth.js';
import { packSign } from '#routing-engine/road-sign.js';
import type { WayRules } from '../profiles/read-way.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { pick } from './pick.js';
import { type ReadRoads, readRoadNodes, readRoads } from './read-roads.js';
import { readSign } from './read-sign.js';
import { type NumberedTexts, TextNumbers } from './texts.js';

/**
 * Roads cut at crossings: pieces run from crossing to crossing. Crossings are nodes that two roads share, ends of roads,
 * signals and barriers.
 */
export interface RoadPieces {
  /** [crossings] index into the nodes of the extract. */
  readonly nodes: Uint32Array;
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

/** The pieces of an extract with what it takes to cut the next one, of which most is the same. */
export interface CutRoads {
  readonly placed: PlacedExtract;
  readonly read: ReadRoads;
  readonly texts: NumberedTexts;
  /** [ways] numbers among the texts. */
  readonly wayName: Uint32Array;
  readonly wayRef: Uint32Array;
  /** [ways+1] first piece of each way. */
  readonly firstPiece: Uint32Array;
  /** [P] where a piece begins and ends among the nodes of its way. */
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
  readonly pieces: RoadPieces;
}

/** What became of the pieces of the build before. */
export interface CarriedPieces {
  /** [P] the piece before that led over the same nodes at the same places, in the same way, or -1. */
  readonly was: Int32Array;
  /** [names before] number now, or -1. */
  readonly nameNow: Int32Array;
}

export function cutRoads(
  placed: PlacedExtract,
  matched?: MatchedExtract,
  known?: CutRoads,
): CutRoads & { readonly carried: CarriedPieces } {
  const { extract, nodeOf } = placed;
  const { wayIds, wayTags, firstRef, refs, nodeLngE7, nodeLatE7, nodeIds, nodeTags } = extract;
  const read = readRoads(placed, matched, known?.read);
  const { readings, readingOf, signed } = read;
  const { uses, flags } = readRoadNodes(placed, read);

  const texts = new TextNumbers(known?.texts);
  const wayName = new Uint32Array(wayIds.length);
  const wayRef = new Uint32Array(wayIds.length);
  const firstPiece = new Uint32Array(wayIds.length + 1);
  // A piece and a point between its ends each end at a node of a way, so there are no more of them than of these.
  const most = refs.length;
  const from = new Uint32Array(most);
  const to = new Uint32Array(most);
  const begins = new Uint32Array(most);
  const ends = new Uint32Array(most);
  const ordinal = new Uint8Array(most);
  const lengthCm = new Uint32Array(most);
  const sign = new Uint32Array(most);
  const was = new Int32Array(most);
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
    firstPiece[way] = pieces;
    if (readingOf[way] < 0) continue;
    const tags = wayTags[way];
    const other = matched === undefined ? -1 : matched.wayBefore[way];
    const sameTags = other >= 0 && tags === matched!.before.extract.wayTags[other];
    const told = sameTags && known!.read.readingOf[other] >= 0;
    wayName[way] = told ? texts.carried(known!.wayName[other]) : texts.numberOf(tags.get('name') ?? '');
    wayRef[way] = told ? texts.carried(known!.wayRef[other]) : texts.numberOf(tags.get('ref') ?? '');
    /** Pieces before that may be those of now: they follow one another as these do. */
    let old = 0;
    let oldEnd = 0;
    if (other >= 0 && matched!.samePlaces[way] === 1) {
      old = known!.firstPiece[other];
      oldEnd = known!.firstPiece[other + 1];
    }
    const first = firstRef[way];
    const end = firstRef[way + 1];
    let start = -1;
    let begin = 0;
    let firstPoint = shapes;
    for (let i = first; i < end; i++) {
      const node = nodeOf[i];
      if (node < 0) {
        start = -1;
        continue;
      }
      if (start >= 0) {
        if (nodeOf[i - 1] === node) continue;
        if (uses[node] < 2) {
          shapeLngE7[shapes] = nodeLngE7[node];
          shapeLatE7[shapes++] = nodeLatE7[node];
          continue;
        }
        const a = crossing(start);
        const b = crossing(node);
        if (signed[way] === 1) {
          const text = packSign(readSign(tags, readings[readingOf[way]], nodeTags.get(nodeIds[start])));
          sign[pieces] = texts.numberOf(text);
        }
        // A way is between two crossings again only where it comes by a crossing again.
        let times = 0;
        if (passedBy[node] === way + 1)
          for (let piece = firstPiece[way]; piece < pieces; piece++)
            if ((from[piece] === a && to[piece] === b) || (from[piece] === b && to[piece] === a)) times++;
        from[pieces] = a;
        to[pieces] = b;
        begins[pieces] = begin;
        ends[pieces] = i - first;
        ordinal[pieces] = Math.min(255, times);
        while (old < oldEnd && known!.begins[old] < begin) old++;
        const isCarried = old < oldEnd && known!.begins[old] === begin && known!.ends[old] === i - first;
        was[pieces] = isCarried ? old : -1;
        lengthCm[pieces] = isCarried ? known!.pieces.lengthCm[old] : lengthOf(placed, first + begin, i);
        firstShape[pieces++] = firstPoint;
      }
      passedBy[node] = way + 1;
      start = node;
      begin = i - first;
      firstPoint = shapes;
    }
    // Points behind the last crossing are of no piece.
    shapes = firstPoint;
  }
  firstPiece[wayIds.length] = pieces;
  firstShape[pieces] = shapes;
  const kept = crossings.slice(0, crossingCount);
  const byWay = { wayId: new Float64Array(pieces), reading: new Uint32Array(pieces) };
  const name = new Uint32Array(pieces);
  const ref = new Uint32Array(pieces);
  for (let way = 0; way < wayIds.length; way++)
    for (let piece = firstPiece[way]; piece < firstPiece[way + 1]; piece++) {
      byWay.wayId[piece] = wayIds[way];
      byWay.reading[piece] = readingOf[way];
      name[piece] = wayName[way];
      ref[piece] = wayRef[way];
    }
  return {
    placed: { extract, nodeOf },
    read,
    texts: { texts: texts.texts, numbers: texts.numbers },
    wayName,
    wayRef,
    firstPiece,
    begins: begins.slice(0, pieces),
    ends: ends.slice(0, pieces),
    pieces: {
      nodes: kept,
      nodeOsmId: pick(new Float64Array(crossingCount), nodeIds, kept),
      nodeLngE7: pick(new Int32Array(crossingCount), nodeLngE7, kept),
      nodeLatE7: pick(new Int32Array(crossingCount), nodeLatE7, kept),
      nodeFlags: pick(new Uint8Array(crossingCount), flags, kept),
      from: from.slice(0, pieces),
      to: to.slice(0, pieces),
      ordinal: ordinal.slice(0, pieces),
      lengthCm: lengthCm.slice(0, pieces),
      ...byWay,
      readings,
      name,
      ref,
      names: texts.texts,
      sign: sign.slice(0, pieces),
      firstShape: firstShape.slice(0, pieces + 1),
      shapeLngE7: shapeLngE7.slice(0, shapes),
      shapeLatE7: shapeLatE7.slice(0, shapes),
    },
    carried: { was: was.slice(0, pieces), nameNow: texts.now },
  };
}

/** Centimetres along the nodes of a way from one entry of `refs` to another. */
function lengthOf(
  { extract: { nodeLngE7, nodeLatE7 }, nodeOf }: PlacedExtract,
  begin: number,
  end: number,
): number {
  let meters = 0;
  for (let i = begin + 1; i <= end; i++) {
    const a = nodeOf[i - 1];
    const b = nodeOf[i];
    if (a === b) continue;
    meters += distanceM(nodeLngE7[a] / 1e7, nodeLatE7[a] / 1e7, nodeLngE7[b] / 1e7, nodeLatE7[b] / 1e7);
  }
  return Math.max(1, Math.round(meters * 100));
}
