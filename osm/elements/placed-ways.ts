import type { OsmExtract } from './osm-extract.js';

export type NodeColumns = Pick<OsmExtract, 'nodeIds' | 'nodeLngE7' | 'nodeLatE7'>;

/** Ways and the positions of their nodes. */
export interface PlacedWays extends Pick<OsmExtract, 'wayIds' | 'firstRef' | 'refs'> {
  /** [refs] index of each node, −1: the map lacks it. */
  readonly nodeOf: Int32Array;
}
