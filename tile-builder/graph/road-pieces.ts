import { distanceM } from '#routing-engine/earth.js';
import { packSign } from '#routing-engine/road-sign.js';
import type { WayRules } from '../profiles/read-way.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { pickFloat64, pickInt32, pickUint8, pickUint32 } from './pick.js';
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

export interface RoadsCut {
  readonly cut: CutRoads;
  readonly carried: CarriedPieces;
}

export function cutRoads(placed: PlacedExtract, matched?: MatchedExtract, known?: CutRoads): RoadsCut {
  const read = readRoads(placed, matched, known?.read);
  const cutter = new PieceCutter(placed, read, matched, known);
  for (let way = 0; way < read.readingOf.length; way++) cutter.cut(way);
  return cutter.finish();
}

/** Cuts one way after the other; small enough to be compiled while it runs for the first time. */
class PieceCutter {
  readonly #placed: PlacedExtract;
  readonly #read: ReadRoads;
  readonly #matched: MatchedExtract | undefined;
  readonly #known: CutRoads | undefined;
  readonly #uses: Uint8Array;
  readonly #flags: Uint8Array;
  readonly #texts: TextNumbers;
  readonly #wayName: Uint32Array;
  readonly #wayRef: Uint32Array;
  readonly #firstPiece: Uint32Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  readonly #begins: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #ordinal: Uint8Array;
  readonly #lengthCm: Uint32Array;
  readonly #sign: Uint32Array;
  readonly #was: Int32Array;
  readonly #firstShape: Uint32Array;
  readonly #shapeLngE7: Int32Array;
  readonly #shapeLatE7: Int32Array;
  readonly #crossings: Uint32Array;
  readonly #crossingOf: Int32Array;
  /** By node: the way that came by last, plus one. */
  readonly #passedBy: Uint32Array;
  #crossingCount = 0;
  #pieces = 0;
  #shapes = 0;
  /** Pieces before that may be those of the way in hand: they follow one another as these do. */
  #old = 0;
  #oldEnd = 0;

  constructor(
    placed: PlacedExtract,
    read: ReadRoads,
    matched: MatchedExtract | undefined,
    known: CutRoads | undefined,
  ) {
    const { uses, flags } = readRoadNodes(placed, read);
    [this.#placed, this.#read, this.#matched, this.#known] = [placed, read, matched, known];
    [this.#uses, this.#flags] = [uses, flags];
    this.#texts = new TextNumbers(known?.texts);
    const ways = read.readingOf.length;
    [this.#wayName, this.#wayRef] = [new Uint32Array(ways), new Uint32Array(ways)];
    this.#firstPiece = new Uint32Array(ways + 1);
    // A piece and a point between its ends each end at a node of a way, so there are no more of them than of these.
    const most = placed.nodeOf.length;
    [this.#from, this.#to] = [new Uint32Array(most), new Uint32Array(most)];
    [this.#begins, this.#ends] = [new Uint32Array(most), new Uint32Array(most)];
    [this.#ordinal, this.#lengthCm] = [new Uint8Array(most), new Uint32Array(most)];
    [this.#sign, this.#was] = [new Uint32Array(most), new Int32Array(most)];
    this.#firstShape = new Uint32Array(most + 1);
    [this.#shapeLngE7, this.#shapeLatE7] = [new Int32Array(most), new Int32Array(most)];
    this.#crossings = new Uint32Array(Math.min(most, uses.length));
    this.#crossingOf = new Int32Array(uses.length).fill(-1);
    this.#passedBy = new Uint32Array(uses.length);
  }

  cut(way: number): void {
    this.#firstPiece[way] = this.#pieces;
    if (this.#read.readingOf[way] < 0) return;
    this.#name(way);
    const { nodeOf, extract } = this.#placed;
    const { nodeLngE7, nodeLatE7 } = extract;
    const uses = this.#uses;
    const first = extract.firstRef[way];
    const end = extract.firstRef[way + 1];
    let start = -1;
    let begin = 0;
    let firstPoint = this.#shapes;
    for (let i = first; i < end; i++) {
      const node = nodeOf[i];
      if (node < 0) {
        start = -1;
        continue;
      }
      if (start >= 0) {
        if (nodeOf[i - 1] === node) continue;
        if (uses[node] < 2) {
          this.#shapeLngE7[this.#shapes] = nodeLngE7[node];
          this.#shapeLatE7[this.#shapes++] = nodeLatE7[node];
          continue;
        }
        this.#firstShape[this.#pieces] = firstPoint;
        this.#add(way, start, node, begin, i - first);
      }
      this.#passedBy[node] = way + 1;
      start = node;
      begin = i - first;
      firstPoint = this.#shapes;
    }
    // Points behind the last crossing are of no piece.
    this.#shapes = firstPoint;
  }

  /** What a way is called, and which pieces it was cut into before. */
  #name(way: number): void {
    const { wayTags } = this.#placed.extract;
    const texts = this.#texts;
    const known = this.#known;
    const other = this.#matched === undefined ? -1 : this.#matched.wayBefore[way];
    const tags = wayTags[way];
    this.#old = this.#oldEnd = 0;
    if (known !== undefined && other >= 0) {
      if (this.#matched!.samePlaces[way] === 1) {
        this.#old = known.firstPiece[other];
        this.#oldEnd = known.firstPiece[other + 1];
      }
      if (tags === known.placed.extract.wayTags[other] && known.read.readingOf[other] >= 0) {
        this.#wayName[way] = texts.carried(known.wayName[other]);
        this.#wayRef[way] = texts.carried(known.wayRef[other]);
        return;
      }
    }
    this.#wayName[way] = texts.numberOf(tags.get('name') ?? '');
    this.#wayRef[way] = texts.numberOf(tags.get('ref') ?? '');
  }

  #crossing(node: number): number {
    const known = this.#crossingOf[node];
    if (known >= 0) return known;
    this.#crossings[this.#crossingCount] = node;
    this.#crossingOf[node] = this.#crossingCount;
    return this.#crossingCount++;
  }

  #add(way: number, start: number, node: number, begin: number, end: number): void {
    const piece = this.#pieces++;
    const a = this.#crossing(start);
    const b = this.#crossing(node);
    if (this.#read.signed[way] === 1) this.#sign[piece] = this.#texts.numberOf(this.#signOf(way, start));
    this.#from[piece] = a;
    this.#to[piece] = b;
    this.#begins[piece] = begin;
    this.#ends[piece] = end;
    // A way is between two crossings again only where it comes by a crossing again.
    if (this.#passedBy[node] === way + 1) this.#ordinal[piece] = this.#timesBefore(way, piece);
    const known = this.#known;
    let old = this.#old;
    while (old < this.#oldEnd && known!.begins[old] < begin) old++;
    this.#old = old;
    if (old < this.#oldEnd && known!.begins[old] === begin && known!.ends[old] === end) {
      this.#was[piece] = old;
      this.#lengthCm[piece] = known!.pieces.lengthCm[old];
    } else {
      const first = this.#placed.extract.firstRef[way];
      this.#was[piece] = -1;
      this.#lengthCm[piece] = lengthOf(this.#placed, first + begin, first + end);
    }
  }

  #timesBefore(way: number, piece: number): number {
    const [from, to] = [this.#from, this.#to];
    let times = 0;
    for (let other = this.#firstPiece[way]; other < piece; other++)
      if (
        (from[other] === from[piece] && to[other] === to[piece]) ||
        (from[other] === to[piece] && to[other] === from[piece])
      )
        times++;
    return Math.min(255, times);
  }

  #signOf(way: number, start: number): string {
    const { wayTags, nodeTags, nodeIds } = this.#placed.extract;
    const rules = this.#read.readings[this.#read.readingOf[way]];
    return packSign(readSign(wayTags[way], rules, nodeTags.get(nodeIds[start])));
  }

  finish(): RoadsCut {
    const { extract, nodeOf } = this.#placed;
    const count = this.#pieces;
    const ways = this.#wayName.length;
    this.#firstPiece[ways] = count;
    this.#firstShape[count] = this.#shapes;
    const nodes = this.#crossings.slice(0, this.#crossingCount);
    const wayOf = new Uint32Array(count);
    for (let way = 0; way < ways; way++) wayOf.fill(way, this.#firstPiece[way], this.#firstPiece[way + 1]);
    const cut = {
      placed: { extract, nodeOf },
      read: this.#read,
      texts: { texts: this.#texts.texts, numbers: this.#texts.numbers },
      wayName: this.#wayName,
      wayRef: this.#wayRef,
      firstPiece: this.#firstPiece,
      begins: this.#begins.slice(0, count),
      ends: this.#ends.slice(0, count),
      pieces: {
        nodes,
        nodeOsmId: pickFloat64(extract.nodeIds, nodes),
        nodeLngE7: pickInt32(extract.nodeLngE7, nodes),
        nodeLatE7: pickInt32(extract.nodeLatE7, nodes),
        nodeFlags: pickUint8(this.#flags, nodes),
        from: this.#from.slice(0, count),
        to: this.#to.slice(0, count),
        wayId: pickFloat64(extract.wayIds, wayOf),
        ordinal: this.#ordinal.slice(0, count),
        lengthCm: this.#lengthCm.slice(0, count),
        reading: pickUint32(new Uint32Array(this.#read.readingOf.buffer), wayOf),
        readings: this.#read.readings,
        name: pickUint32(this.#wayName, wayOf),
        ref: pickUint32(this.#wayRef, wayOf),
        sign: this.#sign.slice(0, count),
        names: this.#texts.texts,
        firstShape: this.#firstShape.slice(0, count + 1),
        shapeLngE7: this.#shapeLngE7.slice(0, this.#shapes),
        shapeLatE7: this.#shapeLatE7.slice(0, this.#shapes),
      },
    };
    return { cut, carried: { was: this.#was.slice(0, count), nameNow: this.#texts.now } };
  }
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
