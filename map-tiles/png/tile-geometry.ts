import { PbfReader } from 'pbf';
import { layersOf } from '../format/encode-vector-tile.js';
import { LayerFields } from '../format/layer-fields.js';
import type { LayerName } from '../format/layers.js';
import type { Attribute } from '../format/map-feature.js';
import { renderedKeys } from './rendered-keys.js';
import { type LinePen, traceGeometry } from './trace-geometry.js';

/** [x, y, x, y, …] in pixels of a 256-pixel tile; never empty. */
export type PixelLine = readonly number[];

/** A feature of a vector tile; its geometry is read on demand. */
export class TileFeature {
  /** Those that are painted. */
  readonly properties: Readonly<Record<string, Attribute['value']>>;
  readonly #bytes: Uint8Array;
  readonly #geometry: number;

  /**
   * @param geometry position of the length of its commands.
   */
  constructor(properties: TileFeature['properties'], bytes: Uint8Array, geometry: number) {
    this.properties = properties;
    this.#bytes = bytes;
    this.#geometry = geometry;
  }

  /** Without invisible steps: shorter than `stepPixels` both ways. */
  trace(pen: LinePen, stepPixels: number): void {
    traceGeometry(this.#bytes, this.#geometry, pen, stepPixels);
  }

  lines(): readonly PixelLine[] {
    const lines: number[][] = [];
    let line: number[] = [];
    const pen: LinePen = {
      moveTo: (x, y) => {
        line = [x, y];
        lines.push(line);
      },
      lineTo: (x, y) => void line.push(x, y),
    };
    this.trace(pen, 0);
    return lines;
  }
}

/** Reads the layers of a vector tile on demand, as far as they are rendered at its zoom. */
export class TileGeometry {
  readonly #layers: ReadonlyMap<string, Uint8Array>;
  readonly #zoom: number;
  readonly #read = new Map<LayerName, readonly TileFeature[]>();

  /**
   * @param tile in the form of `encodeLayers`.
   */
  constructor(tile: Uint8Array, zoom: number) {
    this.#zoom = zoom;
    this.#layers = new Map(layersOf(tile).map(({ name, bytes }) => [name, bytes]));
  }

  /** The bytes of those layers that there are. */
  bytesOf(names: readonly LayerName[]): Uint8Array[] {
    return names.flatMap((name) => this.#layers.get(name) ?? []);
  }

  layer(name: LayerName): readonly TileFeature[] {
    const read = this.#read.get(name);
    if (read !== undefined) return read;
    const keys = renderedKeys(name, this.#zoom);
    const layer = keys && this.#layers.get(name);
    const features = layer === undefined ? [] : featuresOf(new LayerFields(layer), keys!);
    this.#read.set(name, features);
    return features;
  }
}

function featuresOf(fields: LayerFields, painted: readonly string[]): TileFeature[] {
  const keys = Array.from(fields.keyTexts(), (key) => (painted.includes(key) ? key : undefined));
  const values: (Attribute['value'] | undefined)[] = [];
  const pbf = new PbfReader(fields.bytes);
  const features: TileFeature[] = [];
  for (let place = 0; place < fields.length; place++) {
    const body = fields.bodyOf(place);
    const { tags, tagCount } = fields;
    const properties: Record<string, Attribute['value']> = {};
    for (let i = 0; i < tagCount; i += 2) {
      const [key, number] = [keys[tags[i]!], tags[i + 1]!];
      if (key === undefined) continue;
      values[number] ??= valueAt(pbf, fields.values[number]!);
      properties[key] = values[number];
    }
    // The type, and the number of the field of the geometry.
    features.push(new TileFeature(properties, fields.bytes, body + 3));
  }
  return features;
}

/** A value, whose field begins at a place. */
function valueAt(pbf: PbfReader, start: number): Attribute['value'] {
  pbf.pos = start + 1;
  pbf.readVarint();
  const field = pbf.readVarint() >> 3;
  if (field === 1) return pbf.readString();
  if (field === 7) return pbf.readBoolean();
  return field === 6 ? pbf.readSVarint() : pbf.readDouble();
}
