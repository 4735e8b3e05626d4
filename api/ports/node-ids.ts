import type { PathNodes } from '#routing-engine/route/path-nodes.js';

/** Ids of OpenStreetMap of the points between crossings, which a network does not have. */
export interface NodeIds {
  /** Rejects if the tiles of the map cannot be read. */
  idsOf(nodes: PathNodes): Promise<readonly number[]>;
}
