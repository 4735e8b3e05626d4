import type { LayerName } from './layers.js';

export interface Attribute {
  readonly key: string;
  readonly value: string | number | boolean;
  /** The attribute is in tiles of this zoom and deeper ones. */
  readonly fromZoom: number;
}

/** How something is drawn: in which layer, at which zooms, with what attributes. */
export interface Drawing {
  readonly layer: LayerName;
  readonly minZoom: number;
  /** Default: the deepest. */
  readonly maxZoom?: number;
  readonly attributes: readonly Attribute[];
}

/** Coordinates are [lng, lat, lng, lat, …] in 1e-7 degrees; a ring ends where it began. */
export type Shape =
  | { readonly type: 'point'; readonly at: Int32Array }
  | { readonly type: 'line'; readonly line: Int32Array }
  /** Polygons, each its outer ring and then its holes. */
  | { readonly type: 'area'; readonly polygons: readonly (readonly Int32Array[])[] };

export interface MapFeature {
  readonly drawing: Drawing;
  readonly shape: Shape;
  /**
   * Features of a layer are in ascending order of rank: large areas and small roads below, large towns first.
   */
  readonly rank: number;
  /** Number by which a long-running builder identifies it; features of the world atlas have none. */
  readonly number?: number;
}
