import type { EdgeHours, EdgeLimits } from '#routing-engine/network/network-arrays.js';
import type { Cells } from '../partition/cells.js';
import type { RoadPieces } from './road-pieces.js';

/** The complete network in its final numbering: nodes by cell, edges by tail. The tiles are cut from it. */
export interface RoadGraph {
  readonly pieces: RoadPieces;
  readonly partition: Cells;
  /** [N] index into the columns of `pieces` for nodes. */
  readonly nodes: Uint32Array;
  readonly firstOut: Uint32Array;
  readonly tail: Uint32Array;
  readonly head: Uint32Array;
  /** [E] index into the pieces. */
  readonly piece: Uint32Array;
  readonly flags: Uint32Array;
  readonly reverse: Int32Array;
  readonly copyOf: Uint32Array;
  readonly bearingOut: Uint8Array;
  readonly bearingIn: Uint8Array;
  /** Triples: edge, edge, modes; ascending. */
  readonly forbidden: Uint32Array;
  /** Which edges are shut at which hours. */
  readonly hours: readonly EdgeHours[];
  readonly limits: readonly EdgeLimits[];
}
