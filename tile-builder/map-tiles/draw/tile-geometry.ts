import { PbfReader } from 'pbf';
import { extent, layersOf } from '../encode-vector-tile.js';
import { LayerFields } from '../layer-fields.js';
import type { LayerName } from '../layers.js';
import type { Attribute } from '../map-feature.js';
import { paintedKeys } from './painted-keys.js';

export const tilePixels = 256;

/** [x, y, x, y, …] in pixels of a 256-pixel tile; never empty. */
export type PixelLine = readonly number[];

/** A feature of a vector tile. */
export interface TileFeature {
  /** Those that are painted. */
  readonly properties: Readonly<Record<string, Attribute['value']>>;
  readonly lines: readonly PixelLine[];
}

/** Reads the layers of a vector tile as they are asked for, as far as they are painted at its zoom. */
export class TileGeometry {
  readonly #layers: ReadonlyMap<string, Uint8Array>;
  readonly #zoom: number;
  readonly #read = new Map<LayerName, readonly TileFeature[]>();

  /** @param tile as `encodeLayers` makes its layers. */
  constructor(tile: Uint8Array, zoom: number) {
    this.#zoom = zoom;
    this.#layers = new Map(layersOf(tile).map(({ name, bytes }) => [name, bytes]));
  }

  layer(name: LayerName): readonly TileFeature[] {
    const read = this.#read.get(name);
    if (read !== undefined) return read;
    const keys = paintedKeys(name, this.#zoom);
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
    pbf.pos = body + 3;
    features.push({ properties, lines: linesAt(pbf) });
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

const closePath = 7;
const moveTo = 1;
const scale = tilePixels / extent;

function linesAt(pbf: PbfReader): PixelLine[] {
  const end = pbf.readVarint() + pbf.pos;
  const lines: number[][] = [];
  let line: number[] = [];
  let [x, y] = [0, 0];
  while (pbf.pos < end) {
    const command = pbf.readVarint();
    const kind = command & 7;
    if (kind === closePath) {
      line.push(line[0]!, line[1]!);
      continue;
    }
    for (let left = command >> 3; left > 0; left--) {
      x += pbf.readSVarint();
      y += pbf.readSVarint();
      if (kind === moveTo) {
        line = [];
        lines.push(line);
      }
      line.push(x * scale, y * scale);
    }
  }
  return lines;
}
