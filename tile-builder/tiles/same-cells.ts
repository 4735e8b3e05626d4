import type { RoadGraph } from '../graph/road-graph.js';
import type { CarriedPieces } from '../graph/road-pieces.js';
import type { CompleteRoads } from './complete-roads.js';

/** The roads of a build. */
export interface RoadsOfBuild {
  readonly graph: RoadGraph;
  readonly roads: CompleteRoads;
}

/**
 * Which part of a cell is unchanged: `all` input of its tile except the numbers of zones and parts; its
 * `roads`, but not all names; or `nothing`.
 */
export type Sameness = 'all' | 'roads' | 'nothing';

/**
 * Compares a cell with the cell of the same number before, crossing by crossing and edge by edge. A piece
 * that led over the same nodes at the same places, is read alike and begins at the same crossing has the same
 * length, bearings and shape; which edge is the copy or the opposite of which follows from pieces and flags.
 */
export function sameness(
  now: RoadsOfBuild,
  before: RoadsOfBuild,
  { was, nameNow }: CarriedPieces,
  cell: number,
): Sameness {
  const a = now.roads.arrays;
  const b = before.roads.arrays;
  const [node, oldNode] = [a.cellFirstNode[cell], b.cellFirstNode[cell]];
  const [edge, oldEdge] = [a.cellFirstEdge[cell], b.cellFirstEdge[cell]];
  const nodes = a.cellFirstNode[cell + 1] - node;
  const edges = a.cellFirstEdge[cell + 1] - edge;
  const isSize =
    b.cellFirstNode[cell + 1] - oldNode === nodes && b.cellFirstEdge[cell + 1] - oldEdge === edges;
  if (!isSize || !sameNodes(now, before, node, oldNode, nodes)) return 'nothing';
  const { forbidden } = now.roads;
  if (!equal(forbidden[cell], before.roads.forbidden[cell])) return 'nothing';

  const p = now.graph.pieces;
  const q = before.graph.pieces;
  const isSameEdge = (e: number, f: number): boolean => {
    const piece = now.graph.piece[e];
    const old = was[piece];
    if (old < 0 || old !== before.graph.piece[f] || a.flags[e] !== b.flags[f]) return false;
    if (p.readings[p.reading[piece]] !== q.readings[q.reading[old]]) return false;
    const to = a.head[e] - node;
    const oldTo = b.head[f] - oldNode;
    const isInside = to >= 0 && to < nodes;
    return isInside ? to === oldTo : oldTo < 0 || oldTo >= nodes;
  };
  let labelled: Sameness = 'all';
  for (let i = 0; i < edges; i++) {
    if (!isSameEdge(edge + i, oldEdge + i)) return 'nothing';
    const piece = now.graph.piece[edge + i];
    const old = was[piece];
    if (
      p.name[piece] !== nameNow[q.name[old]] ||
      p.ref[piece] !== nameNow[q.ref[old]] ||
      p.sign[piece] !== nameNow[q.sign[old]] ||
      p.ordinal[piece] !== q.ordinal[old]
    )
      labelled = 'roads';
  }
  const entries = a.firstEntry[cell + 1] - a.firstEntry[cell];
  const exits = a.firstExit[cell + 1] - a.firstExit[cell];
  if (
    b.firstEntry[cell + 1] - b.firstEntry[cell] !== entries ||
    b.firstExit[cell + 1] - b.firstExit[cell] !== exits
  )
    return 'nothing';
  for (let i = 0; i < entries; i++) {
    const number = a.entries[a.firstEntry[cell] + i];
    const old = b.entries[b.firstEntry[cell] + i];
    if (a.boundaryTailCell[number] !== b.boundaryTailCell[old]) return 'nothing';
    if (!isSameEdge(a.boundaryEdge[number], b.boundaryEdge[old])) return 'nothing';
  }
  for (let i = 0; i < exits; i++) {
    const number = a.exits[a.firstExit[cell] + i];
    const old = b.exits[b.firstExit[cell] + i];
    if (a.boundaryHeadCell[number] !== b.boundaryHeadCell[old]) return 'nothing';
  }
  return labelled;
}

function sameNodes(
  { graph, roads }: RoadsOfBuild,
  before: RoadsOfBuild,
  first: number,
  oldFirst: number,
  count: number,
): boolean {
  const { firstOut, nodeLngE7, nodeLatE7 } = roads.arrays;
  const old = before.roads.arrays;
  const shift = firstOut[first] - old.firstOut[oldFirst];
  for (let i = 0; i < count; i++) {
    const node = first + i;
    const was = oldFirst + i;
    if (
      graph.pieces.nodeOsmId[graph.nodes[node]] !== before.graph.pieces.nodeOsmId[before.graph.nodes[was]] ||
      roads.nodeFlags[node] !== before.roads.nodeFlags[was] ||
      nodeLngE7[node] !== old.nodeLngE7[was] ||
      nodeLatE7[node] !== old.nodeLatE7[was] ||
      firstOut[node + 1] - old.firstOut[was + 1] !== shift
    )
      return false;
  }
  return true;
}

const equal = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, i) => number === b[i]);
