import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { LayerName } from '../layers.js';
import { paintedKeys } from './painted-keys.js';

export const tilePixels = 256;

/** A feature of a vector tile, its geometry in pixels of a 256-pixel tile. */
export interface TileFeature {
  /** Those that are painted. */
  readonly properties: Readonly<VectorTileFeature['properties']>;
  readonly lines: readonly (readonly { readonly x: number; readonly y: number }[])[];
}

/** Reads the layers of a vector tile as they are asked for, as far as they are painted at its zoom. */
export class TileGeometry {
  readonly #layers: Readonly<Record<string, VectorTileLayer>>;
  readonly #zoom: number;
  readonly #read = new Map<LayerName, readonly TileFeature[]>();

  constructor(bytes: Uint8Array, zoom: number) {
    this.#zoom = zoom;
    this.#layers = new VectorTile(new PbfReader(bytes)).layers;
  }

  layer(name: LayerName): readonly TileFeature[] {
    const read = this.#read.get(name);
    if (read !== undefined) return read;
    const keys = paintedKeys(name, this.#zoom);
    const layer = keys && this.#layers[name];
    const features: TileFeature[] = [];
    for (let i = 0; i < (layer?.length ?? 0); i++) {
      const feature = layer!.feature(i);
      const lines = feature.loadGeometry();
      const scale = tilePixels / feature.extent;
      for (const line of lines)
        for (const point of line) {
          point.x *= scale;
          point.y *= scale;
        }
      const properties: Record<string, TileFeature['properties'][string]> = {};
      for (const key of keys!) {
        const value = feature.properties[key];
        if (value !== undefined) properties[key] = value;
      }
      features.push({ properties, lines });
    }
    this.#read.set(name, features);
    return features;
  }
}
