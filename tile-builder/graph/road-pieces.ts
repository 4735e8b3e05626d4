import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { type WayRules, wayName } from '#osm/profiles/read-way.js';
import type { Tags } from '#schemas/osm-sink.js';
import { lengthCmOf } from './length-of-refs.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { pickFloat64, pickInt32, pickUint8, pickUint32 } from './pick.js';
import { closeByGates } from './private-gates.js';
import { type ReadRoads, readRoadNodes, readRoads } from './read-roads.js';
import { isSaid, saidOf, signText } from './read-sign.js';
import { TextNumbers } from './texts.js';

/**
 * Roads cut at crossings: pieces run from crossing to crossing. Crossings are nodes that two roads share,
 * ends of roads, signals and barriers.
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
  /** [P] `signText` where it begins, in the way's drawn direction: index into `names`. */
  readonly sign: Uint32Array;
  /** Names, road numbers and signs as `packSign` gives them, each once; the first is empty. */
  readonly names: readonly string[];
  /** [P+1] */
  readonly firstShape: Uint32Array;
  readonly shapeLngE7: Int32Array;
  readonly shapeLatE7: Int32Array;
  /** By point of a shape: its OpenStreetMap id. */
  readonly shapeOsmId: Float64Array;
}

/** The pieces of an extract, with the data that the next build reuses. */
export interface CutRoads {
  readonly placed: PlacedExtract;
  readonly read: ReadRoads;
  readonly flagsOf: ReadonlyMap<Tags, number>;
  readonly texts: TextNumbers;
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

/** How the pieces of the previous build map to the current ones. */
export interface CarriedPieces {
  /** [P] the previous piece over the same nodes at the same positions, in the same direction, or -1. */
  readonly was: Int32Array;
  /** [names before] number now, or -1. */
  readonly nameNow: Int32Array;
}

export interface RoadsCut {
  readonly cut: CutRoads;
  readonly carried: CarriedPieces;
}

export function cutRoads(
  placed: PlacedExtract,
  memory: BuildMemory,
  matched?: MatchedExtract,
  known?: CutRoads,
): RoadsCut {
  const read = readRoads(placed, memory.kept, matched, known?.read);
  const cutting = beginCutting(placed, read, memory, matched, known);
  for (let way = 0; way < read.readingOf.length; way++) cutWay(cutting, way);
  return finish(cutting, memory);
}

type Cutting = ReturnType<typeof beginCutting>;

/**
 * A plain object, and functions small enough to be compiled while the first ways are cut: the engine drops
 * the compiled code of a class with its last object, and a long-running builder would compile it for each
 * build.
 */
function beginCutting(
  placed: PlacedExtract,
  read: ReadRoads,
  { scratch, kept }: BuildMemory,
  matched: MatchedExtract | undefined,
  known: CutRoads | undefined,
) {
  const { uses, flags, gates, flagsOf } = readRoadNodes(placed, read, known?.flagsOf, scratch);
  const ways = read.readingOf.length;
  // Pieces, and points between their ends, each end at a node of a way: there are no more of them than nodes.
  const most = placed.nodeOf.length;
  return {
    placed,
    read,
    matched,
    known,
    uses,
    flags,
    gates,
    flagsOf,
    texts: new TextNumbers(known?.texts),
    wayName: kept.uint32('wayName', ways),
    wayRef: kept.uint32('wayRef', ways),
    firstPiece: kept.uint32('firstPiece', ways + 1),
    from: kept.uint32('pieces from', most),
    to: kept.uint32('pieces to', most),
    begins: kept.uint32('pieces begins', most),
    ends: kept.uint32('pieces ends', most),
    ordinal: kept.uint8('pieces ordinal', most),
    lengthCm: kept.uint32('pieces lengthCm', most),
    sign: kept.uint32('pieces sign', most),
    was: scratch.int32('was', most),
    firstShape: kept.uint32('pieces firstShape', most + 1),
    shapeLngE7: kept.int32('pieces shapeLngE7', most),
    shapeLatE7: kept.int32('pieces shapeLatE7', most),
    shapeOsmId: kept.float64('pieces shapeOsmId', most),
    crossings: kept.uint32('pieces crossings', Math.min(most, uses.length)),
    crossingOf: scratch.int32('crossingOf', uses.length).fill(-1),
    /** The first of the ways with the id of the current one: an area and the lines across it share theirs. */
    group: 0,
    /** By node: the group of the last way over it, plus one. */
    passedBy: scratch.uint32('passedBy', uses.length).fill(0),
    crossingCount: 0,
    pieces: 0,
    shapes: 0,
    /** Previous pieces that may be those of the current way: they are in the same order. */
    old: 0,
    oldEnd: 0,
  };
}

function cutWay(c: Cutting, way: number): void {
  c.firstPiece[way] = c.pieces;
  const { wayIds } = c.placed.extract;
  if (way === 0 || wayIds[way] !== wayIds[way - 1]) c.group = way;
  if (c.read.readingOf[way] < 0) return;
  name(c, way);
  const { nodeOf, extract } = c.placed;
  const { nodeLngE7, nodeLatE7, nodeIds } = extract;
  const uses = c.uses;
  const first = extract.firstRef[way];
  const end = extract.firstRef[way + 1];
  let start = -1;
  let begin = 0;
  let firstPoint = c.shapes;
  for (let i = first; i < end; i++) {
    const node = nodeOf[i];
    if (node < 0) {
      start = -1;
      continue;
    }
    if (start >= 0) {
      if (nodeOf[i - 1] === node) continue;
      if (uses[node] < 2) {
        c.shapeLngE7[c.shapes] = nodeLngE7[node];
        c.shapeLatE7[c.shapes] = nodeLatE7[node];
        c.shapeOsmId[c.shapes++] = nodeIds[node];
        continue;
      }
      c.firstShape[c.pieces] = firstPoint;
      add(c, way, start, node, begin, i - first);
    }
    c.passedBy[node] = c.group + 1;
    start = node;
    begin = i - first;
    firstPoint = c.shapes;
  }
  // Points after the last crossing belong to no piece.
  c.shapes = firstPoint;
}

/** The names of a way, and its previous pieces. */
function name(c: Cutting, way: number): void {
  const { wayTags } = c.placed.extract;
  const texts = c.texts;
  const known = c.known;
  const other = c.matched === undefined ? -1 : c.matched.wayBefore[way];
  const tags = wayTags[way];
  c.old = c.oldEnd = 0;
  if (known !== undefined && other >= 0) {
    if (c.matched!.samePlaces[way] === 1) {
      c.old = known.firstPiece[other];
      c.oldEnd = known.firstPiece[other + 1];
    }
    if (tags === known.placed.extract.wayTags[other] && known.read.readingOf[other] >= 0) {
      c.wayName[way] = texts.carried(known.wayName[other]);
      c.wayRef[way] = texts.carried(known.wayRef[other]);
      return;
    }
  }
  c.wayName[way] = texts.numberOf(wayName(tags));
  c.wayRef[way] = texts.numberOf(tags.get('ref') ?? '');
}

function crossing(c: Cutting, node: number): number {
  const known = c.crossingOf[node];
  if (known >= 0) return known;
  c.crossings[c.crossingCount] = node;
  c.crossingOf[node] = c.crossingCount;
  return c.crossingCount++;
}

function add(c: Cutting, way: number, start: number, node: number, begin: number, end: number): void {
  const piece = c.pieces++;
  c.from[piece] = crossing(c, start);
  c.to[piece] = crossing(c, node);
  c.begins[piece] = begin;
  c.ends[piece] = end;
  // Only a way that passes a crossing twice can connect two crossings twice.
  c.ordinal[piece] = c.passedBy[node] === c.group + 1 ? timesBefore(c, piece) : 0;
  const known = c.known;
  let old = c.old;
  while (old < c.oldEnd && known!.begins[old] < begin) old++;
  c.old = old;
  if (old < c.oldEnd && known!.begins[old] === begin && known!.ends[old] === end) {
    c.was[piece] = old;
    c.lengthCm[piece] = known!.pieces.lengthCm[old];
  } else {
    const first = c.placed.extract.firstRef[way];
    c.was[piece] = -1;
    c.lengthCm[piece] = lengthCmOf(c.placed, first + begin, first + end);
  }
  c.sign[piece] = c.read.signed[way] === 1 ? signOf(c, way, start, c.was[piece]) : 0;
}

/** Number of the sign where a piece begins and of its lanes, which was `was` before. */
function signOf(c: Cutting, way: number, start: number, was: number): number {
  const { wayTags, wayIds, nodeTags, nodeIds } = c.placed.extract;
  const tags = wayTags[way];
  const there = nodeTags.get(nodeIds[start]);
  const said = saidOf(c.placed.extract, wayIds[way]);
  if (was >= 0) {
    const { extract } = c.known!.placed;
    const isSame =
      tags === extract.wayTags[c.matched!.wayBefore[way]] &&
      there === extract.nodeTags.get(nodeIds[start]) &&
      isSaid(said, saidOf(extract, wayIds[way]));
    if (isSame) return c.texts.carried(c.known!.pieces.sign[was]);
  }
  return c.texts.numberOf(signText(tags, c.read.readings[c.read.readingOf[way]], there, said));
}

function timesBefore(c: Cutting, piece: number): number {
  const [from, to] = [c.from, c.to];
  let times = 0;
  for (let other = c.firstPiece[c.group]; other < piece; other++) {
    const isAlong = from[other] === from[piece] && to[other] === to[piece];
    if (isAlong || (from[other] === to[piece] && to[other] === from[piece])) times++;
  }
  return Math.min(255, times);
}

function finish(c: Cutting, { scratch, kept }: BuildMemory): RoadsCut {
  const { extract, nodeOf } = c.placed;
  const count = c.pieces;
  const ways = c.wayName.length;
  c.firstPiece[ways] = count;
  c.firstShape[count] = c.shapes;
  const nodes = c.crossings.subarray(0, c.crossingCount);
  const wayOf = scratch.uint32('wayOf', count);
  for (let way = 0; way < ways; way++) wayOf.fill(way, c.firstPiece[way], c.firstPiece[way + 1]);
  const from = c.from.subarray(0, count);
  const to = c.to.subarray(0, count);
  const reading = pickUint32(unsigned(c.read.readingOf), wayOf, kept.uint32('pieces reading', count));
  const gates = pickUint8(c.gates, nodes, scratch.uint8('gatesOfCrossings', nodes.length));
  const cut = {
    placed: { extract, nodeOf },
    read: c.read,
    flagsOf: c.flagsOf,
    texts: c.texts.settled(),
    wayName: c.wayName,
    wayRef: c.wayRef,
    firstPiece: c.firstPiece,
    begins: c.begins.subarray(0, count),
    ends: c.ends.subarray(0, count),
    pieces: {
      nodes,
      nodeOsmId: pickFloat64(extract.nodeIds, nodes, kept.float64('pieces nodeOsmId', nodes.length)),
      nodeLngE7: pickInt32(extract.nodeLngE7, nodes, kept.int32('pieces nodeLngE7', nodes.length)),
      nodeLatE7: pickInt32(extract.nodeLatE7, nodes, kept.int32('pieces nodeLatE7', nodes.length)),
      nodeFlags: pickUint8(c.flags, nodes, kept.uint8('pieces nodeFlags', nodes.length)),
      from,
      to,
      wayId: pickFloat64(extract.wayIds, wayOf, kept.float64('pieces wayId', count)),
      ordinal: c.ordinal.subarray(0, count),
      lengthCm: c.lengthCm.subarray(0, count),
      reading,
      readings: closeByGates({ from, to, reading }, c.read.readings, gates),
      name: pickUint32(c.wayName, wayOf, kept.uint32('pieces name', count)),
      ref: pickUint32(c.wayRef, wayOf, kept.uint32('pieces ref', count)),
      sign: c.sign.subarray(0, count),
      names: c.texts.texts,
      firstShape: c.firstShape.subarray(0, count + 1),
      shapeLngE7: c.shapeLngE7.subarray(0, c.shapes),
      shapeLatE7: c.shapeLatE7.subarray(0, c.shapes),
      shapeOsmId: c.shapeOsmId.subarray(0, c.shapes),
    },
  };
  return { cut, carried: { was: c.was.subarray(0, count), nameNow: c.texts.now } };
}

const unsigned = (column: Int32Array): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, column.length);
