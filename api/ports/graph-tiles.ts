import type { TileAddress } from '../road-tiles/cut-tile.js';
import type { Mode } from './planner.js';

export interface GraphTileQuestion {
  readonly address: TileAddress;
  readonly mode: Mode;
}

export type GraphTile =
  | { readonly status: 'ok'; readonly gzip: Uint8Array }
  /** More roads than `graphTileRoadsMax`. */
  | { readonly status: 'too-big'; readonly roads: number };

/**
 * The roads that routes of a mode use now, and the turns between them, as a vector tile. Made beside the
 * event loop; it rejects as `Planner.plan` does.
 */
export type GraphTiles = (
  question: GraphTileQuestion,
  options: { readonly signal: AbortSignal },
) => Promise<GraphTile>;
