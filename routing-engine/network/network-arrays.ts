import type { HoursRule } from './hours-rule.js';
import type { VehicleLimits } from './vehicle.js';

/**
 * The road network as typed arrays, each on a SharedArrayBuffer, so that a worker thread reads the same
 * memory.
 *
 * Nodes are numbered so that the nodes of a cell are neighbours in the numbering, at every level; directed
 * edges are numbered by their tail node. An edge belongs to the cell of its tail.
 *
 * ```text
 *   node  n:  out-edges are the edges firstOut[n] … firstOut[n+1]-1
 *             in-edges are inEdges[firstIn[n] … firstIn[n+1]-1]
 *   turn a→b at n (head[a] = tail[b] = n), mode m:
 *             turnCostsDs[turnTable[m·N + n] + inRank[a] · outDegree(n) + (b − firstOut[n])]
 * ```
 */
export interface NetworkArrays {
  /** [N] 1e-7 degrees. */
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  /** [N] OpenStreetMap ids, exact below 2^53. */
  readonly nodeOsmId: Float64Array;
  /** [N+1] */
  readonly firstOut: Uint32Array;
  /** [N+1] */
  readonly firstIn: Uint32Array;
  /** [4N] by mode, then node: where the turn table of the node starts in `turnCostsDs`. */
  readonly turnTable: Uint32Array;
  /** Tenths of a second; FORBIDDEN_TURN = 255. Equal tables are stored once. */
  readonly turnCostsDs: Uint8Array;

  /** [E] */
  readonly tail: Uint32Array;
  readonly head: Uint32Array;
  readonly inEdges: Uint32Array;
  /** [E] position of the edge among the in-edges of its head. */
  readonly inRank: Uint16Array;
  /** [E] centimetres. */
  readonly lengthCm: Uint32Array;
  /** [E] bits of `edgeFlag`. */
  readonly flags: Uint32Array;
  /** [E] position in `roadClasses`. */
  readonly roadClass: Uint8Array;
  /** [4E] by mode, then edge: free-flow km/h; 0 if the mode may not use it. */
  readonly speedKph: Uint8Array;
  /**
   * [4E] by mode, then edge: number of the connected area of ends-only roads; 0 for a road that is open to
   * through traffic.
   */
  readonly zone: Uint32Array;
  /** [4E] by mode, then edge: strongly connected part of the network; part 0 is the largest. */
  readonly part: Uint32Array;
  /** [E] compass direction in 256ths of a turn, leaving the tail and arriving at the head. */
  readonly bearingOut: Uint8Array;
  readonly bearingIn: Uint8Array;
  /** [E] edge of the opposite direction of the same road piece, or -1. */
  readonly reverse: Int32Array;
  /**
   * [E] the edge itself, or the edge that it is a copy of (turn restrictions over several ways need copies).
   */
  readonly copyOf: Uint32Array;
  /** [E] */
  readonly wayId: Float64Array;
  /** [E] 0, or 1, 2, … where a way runs more than once between the same two nodes. */
  readonly ordinal: Uint8Array;
  /** [E] index into the names, 0 = none. */
  readonly name: Uint32Array;
  readonly ref: Uint32Array;
  /** [E] road piece: both directions of a street share one. */
  readonly piece: Uint32Array;

  /**
   * [P+1] first shape point of a piece, in `shapeLngE7`. Points between the end nodes, in the way's drawn
   * direction.
   */
  readonly firstShape: Uint32Array;
  readonly shapeLngE7: Int32Array;
  readonly shapeLatE7: Int32Array;
  /**
   * [P] the directed edge of the piece that runs along the way's drawn direction, or the other one if only
   * that exists.
   */
  readonly pieceEdge: Uint32Array;
  /** [P] index into the names: the signs where `pieceEdge` begins (`unpackSigns`), 0 = none. */
  readonly pieceSign: Uint32Array;

  /**
   * [names] where the name starts in `nameBytes`: its number, four bytes, its length, two bytes, big-endian,
   * then UTF-8. Name 0 is empty and lies nowhere.
   */
  readonly nameAt: Uint32Array;
  readonly nameBytes: Uint8Array;

  /** [cells of level 0 + 1] first node of each cell. */
  readonly cellFirstNode: Uint32Array;
  /** [cells of level 0 + 1] first edge of each cell. */
  readonly cellFirstEdge: Uint32Array;
  /**
   * [4 × cells of level 0] west, south, east, north of the nodes and the road pieces of a cell, 1e-7 degrees.
   */
  readonly cellBounds: Int32Array;
  /** [levels-1 rows of cells of level 0] ancestor of a level-0 cell at level 1, 2, … */
  readonly cellAncestor: Uint32Array;
  /**
   * [cells of level 0] 1 when the roads of the cell are in the arrays. In a network that is loaded
   * completely, all are 1. See `CellsMissing`.
   */
  readonly loaded: Uint8Array;
  /** [cells of level 0] union of the flags of the cell's edges. */
  readonly cellFlags: Uint32Array;
  /**
   * Pairs of zone and cell, ascending: the cells of every zone of ends-only roads that lies in more than one.
   */
  readonly zoneCells: Uint32Array;
  /**
   * [B] the edges between two cells of level 0, ascending: the vertices of the overlay. Below, an edge of the
   * overlay is identified by its place in this list. The edges that leave a cell, of any level, are
   * contiguous in it.
   */
  readonly boundaryEdge: Uint32Array;
  /** [B] level-0 cells of its tail and head. */
  readonly boundaryTailCell: Uint32Array;
  readonly boundaryHeadCell: Uint32Array;
  /**
   * Overlay. Cells of all levels but the topmost are numbered through, level 0 first. [cells+1] first entry
   * of a cell in `entries`: edges of the overlay that come in over its border; likewise exits; and where its
   * weights start, entry by entry, with one weight for each exit.
   */
  readonly firstEntry: Uint32Array;
  readonly entries: Uint32Array;
  readonly firstExit: Uint32Array;
  readonly exits: Uint32Array;
  readonly firstWeight: Uint32Array;
  /** [levels × B] position among the entries (exits) of the cell that the edge comes into (leaves). */
  readonly entryRank: Uint16Array;
  readonly exitRank: Uint16Array;
  /** [4W] by mode, then weight: milliseconds of the overlay at free flow. */
  readonly freeFlowWeightsMs: Int32Array;
  /**
   * Distances from and to landmarks, by mode; filled in by the first search of a mode, see `landmarksOf`.
   * [4] `landmarksMade` is 1 for a mode from then on.
   */
  readonly landmarksMs: Int32Array;
  readonly landmarksMade: Int32Array;

  /**
   * Boxes around runs of at most eight segments of a piece, cell by cell, sorted so that neighbours lie near
   * each other: [4 × rows] west, south, east, north. In a cell the rows of boxes around sixteen runs each
   * come first. See `snap-index.ts`.
   */
  readonly snapBoxes: Int32Array;
  /** [rows] piece of each run. */
  readonly snapPiece: Uint32Array;
  /** [cells of level 0 + 1] first row of each cell. */
  readonly cellFirstSnap: Uint32Array;
  /** Pairs of way and cell, ascending by both: where the edges of a way are. */
  readonly wayIds: Float64Array;
  readonly wayCells: Uint32Array;
}

/** Metadata of the network besides its arrays. Plain data. */
export interface NetworkMeta {
  readonly tilesetId: string;
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** Number of cells of each level; the last level has one. */
  readonly cellCounts: readonly number[];
  /** 'right' or 'left': the side of the road that vehicles keep to. */
  readonly drivingSide: 'right' | 'left';
  /** Which edges are shut at which hours; an edge under several rules is open when none of them shuts it. */
  readonly hours: readonly EdgeHours[];
  /** What vehicles may use which edges; an edge may have several limits. */
  readonly limits: readonly EdgeLimits[];
}

/** A rule with the edges that it shuts: roads, and copies of roads where it is about a turn onto them. */
export interface EdgeHours extends HoursRule {
  /** By mode, ascending. */
  readonly edges: readonly (readonly number[])[];
}

/** A limit with the edges that it is for. */
export interface EdgeLimits extends VehicleLimits {
  /**
   * It is about a place at the tail of the edges, such as a barrier: one may begin on them, and not come to
   * them over it.
   */
  readonly atTail: boolean;
  /** Ascending. */
  readonly edges: readonly number[];
}

export const FORBIDDEN_TURN = 255;
