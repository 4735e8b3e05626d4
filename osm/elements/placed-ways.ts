import type { OsmExtract } from './osm-extract.js';

export type NodeColumns = Pick<OsmExtract, 'nodeIds' | 'nodeLngE7' | 'nodeLatE7'>;

/** Ways and where their nodes lie. */
export interface PlacedWays extends Pick<OsmExtract, 'wayIds' | 'firstRef' | 'refs'> {
  /** [refs] index of each node, −1: the map does not hold it. */
  readonly nodeOf: Int32Array;
}
