import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import { sharedFloat64 } from '#map-data/arrays/shared-array.js';
import { adjacency } from '../partition/adjacency.js';
import { carryPartition, type KeptPartition } from '../partition/carry-partition.js';
import { cellsOf } from '../partition/cells.js';
import { inertialFlow } from '../partition/inertial-flow.js';
import { type Partition, partition } from '../partition/partition.js';
import { DirectedEdges, directEdges } from './directed-edges.js';
import { type CrossingLimits, crossingLimits } from './edge-limits.js';
import { forbidTurns } from './forbid-turns.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { numberEdges } from './number-edges.js';
import { pickInt32 } from './pick.js';
import { type PieceBearings, pieceBearings } from './piece-bearings.js';
import { type KindsRead, readRestrictions } from './read-restrictions.js';
import type { RoadGraph } from './road-graph.js';
import { type CarriedPieces, type CutRoads, cutRoads, type RoadPieces } from './road-pieces.js';

/** Nodes of a cell at most, by level; the topmost cell holds them all. */
export const cellNodesMax = [128, 768, 4_096, 24_576, 147_456] as const;

/** The roads of a build, with the parts that the next one may reuse. */
export interface BuiltGraph {
  readonly graph: RoadGraph;
  readonly cut: CutRoads;
  readonly bearings: PieceBearings;
  readonly kinds: KindsRead;
  /** For the same reason as `KnownTileset.alive`. */
  readonly alive: readonly object[];
}

/** An extract with that of the previous build, and its results. */
export interface GraphBefore {
  readonly matched: MatchedExtract;
  readonly built: BuiltGraph;
}

/** The roads of an extract before they are numbered. None of it refers to the extract, except `cut`. */
export interface JoinedPieces {
  readonly pieces: RoadPieces;
  readonly carried: CarriedPieces;
  readonly edges: DirectedEdges;
  readonly bearings: PieceBearings;
  readonly kinds: KindsRead;
  readonly turns: ReturnType<typeof forbidTurns>;
  readonly atCrossings: CrossingLimits;
  readonly cut: CutRoads;
}

/** The roads of an extract, cut at crossings, with the turns and limits there. */
export function joinPieces(placed: PlacedExtract, memory: BuildMemory, before?: GraphBefore): JoinedPieces {
  const { cut, carried } = cutRoads(placed, memory, before?.matched, before?.built.cut);
  const { pieces } = cut;
  const edges = directEdges(pieces, memory.scratch);
  const bearings = pieceBearings(pieces, memory.kept, carried.was, before?.built.bearings);
  const { restrictions, kinds } = readRestrictions(
    placed.extract.restrictions,
    pieces,
    edges,
    bearings,
    before?.built.kinds,
  );
  const turns = forbidTurns(edges, restrictions);
  const atCrossings = crossingLimits(pieces, placed.extract.nodeTags);
  return { pieces, carried, edges, bearings, kinds, cut, turns, atCrossings };
}

/**
 * The roads numbered by cell: with the partition in `kept` if it fits, else with a new one. Within a cell,
 * crossings are numbered in the order of the extract's ways, so that changes elsewhere do not renumber them.
 */
export async function numberRoads(
  { pieces, edges, bearings, turns, atCrossings }: Omit<JoinedPieces, 'cut'>,
  cellNodes: readonly number[],
  kept: KeptPartition | undefined,
  onPartition: (done: number, total: number) => void,
  memory: BuildMemory,
  before?: GraphBefore,
  workers = 1,
): Promise<RoadGraph> {
  const cellsBefore = before === undefined ? undefined : cellsOfCrossings(pieces, before, memory.scratch);
  const cells =
    (kept === undefined ? undefined : carryPartition(kept, cellNodes, pieces, memory, cellsBefore)) ??
    cellsOf(await makePartition(pieces, cellNodes, onPartition, workers));
  return numberEdges(cells, pieces, edges, bearings, turns, atCrossings, memory);
}

/** What the next build of a long-running builder reuses. */
export const builtGraph = (
  graph: RoadGraph,
  { cut, bearings, kinds }: Pick<JoinedPieces, 'cut' | 'bearings' | 'kinds'>,
): BuiltGraph => ({ graph, cut, bearings, kinds, alive: [new DirectedEdges(0, 0, new Scratch())] });

/** By crossing its previous cell, or -1. */
function cellsOfCrossings(
  { nodes }: RoadPieces,
  { matched, built }: GraphBefore,
  scratch: Scratch,
): Int32Array {
  const { pieces, partition, nodes: order } = built.graph;
  const cellOfNode = scratch.int32('cellOfNode', matched.extract.nodeIds.length).fill(-1);
  const starts = partition.levels[0];
  for (let cell = 0; cell + 1 < starts.length; cell++)
    putCell(cellOfNode, cell, order.subarray(starts[cell], starts[cell + 1]), pieces.nodes, matched.nodeNow);
  return pickInt32(cellOfNode, nodes, scratch.int32('cellsBefore', nodes.length));
}

function putCell(
  cellOfNode: Int32Array,
  cell: number,
  crossings: Uint32Array,
  nodes: Uint32Array,
  nodeNow: Int32Array,
): void {
  for (let i = 0; i < crossings.length; i++) {
    const node = nodeNow[nodes[crossings[i]]];
    if (node >= 0) cellOfNode[node] = cell;
  }
}

/** With fewer crossings, threads take longer to start than they save. */
export const crossingsForThreads = 16_384;

async function makePartition(
  { nodeLngE7, nodeLatE7, from, to }: RoadPieces,
  cellNodes: readonly number[],
  onPartition: (done: number, total: number) => void,
  workers: number,
): Promise<Partition> {
  const nodeCount = nodeLngE7.length;
  // A flat projection suffices to order the nodes.
  const squeeze = Math.cos(((nodeLatE7[0] ?? 0) / 1e7) * (Math.PI / 180));
  const flat = {
    x: sharedFloat64(nodeCount),
    y: sharedFloat64(nodeCount),
    ...adjacency(nodeCount, from, to),
  };
  for (let node = 0; node < nodeCount; node++) flat.x[node] = nodeLngE7[node] * squeeze;
  flat.y.set(nodeLatE7);
  const show = (placed: number): void => onPartition(placed, nodeCount);
  if (workers === 1 || nodeCount < crossingsForThreads)
    return partition(nodeCount, cellNodes, inertialFlow(flat), show);
  // Its threads run a compiled file, which most builds need not have.
  const { partitionInThreads } = await import('../partition/partition-in-threads.js');
  return partitionInThreads(flat, cellNodes, workers, show);
}
