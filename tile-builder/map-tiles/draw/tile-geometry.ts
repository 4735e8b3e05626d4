import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { LayerName } from '../layers.js';

export const tilePixels = 256;

/** A feature of a vector tile, its geometry in pixels of a 256-pixel tile. */
export interface TileFeature {
  readonly properties: VectorTileFeature['properties'];
  readonly lines: readonly (readonly { readonly x: number; readonly y: number }[])[];
}

/** Reads the layers of a vector tile as they are asked for. */
export class TileGeometry {
  readonly #layers: Readonly<Record<string, VectorTileLayer>>;
  readonly #read = new Map<LayerName, readonly TileFeature[]>();

  constructor(bytes: Uint8Array) {
    this.#layers = new VectorTile(new PbfReader(bytes)).layers;
  }

  layer(name: LayerName): readonly TileFeature[] {
    const read = this.#read.get(name);
    if (read !== undefined) return read;
    const layer = this.#layers[name];
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
      features.push({ properties: feature.properties, lines });
    }
    this.#read.set(name, features);
    return features;
  }
}
