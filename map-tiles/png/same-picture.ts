import type { EncodedLayer } from '../format/encode-vector-tile.js';
import { LayerFields } from '../format/layer-fields.js';
import { type LayerName, layerNames } from '../format/layers.js';
import { renderedKeys } from './rendered-keys.js';

type Layers = ReadonlyMap<LayerName, EncodedLayer>;

/**
 * Whether the renderer reads the same from two tiles of a zoom; then their pictures are equal. May be false
 * for equal pictures.
 */
export function isSamePicture(one: Layers, other: Layers, zoom: number): boolean {
  return layerNames.every((name) => {
    const keys = renderedKeys(name, zoom);
    if (keys === undefined) return true;
    const [a, b] = [one.get(name)?.bytes, other.get(name)?.bytes];
    if (a === undefined || b === undefined) return a === b;
    return a === b || Buffer.compare(a, b) === 0 || layerLooksTheSame(a, b, keys);
  });
}

function layerLooksTheSame(one: Uint8Array, other: Uint8Array, keys: readonly string[]): boolean {
  const [a, b] = [new SeenLayer(one, keys), new SeenLayer(other, keys)];
  if (a.fields.length !== b.fields.length) return false;
  for (let place = 0; place < a.fields.length; place++) {
    a.read(place);
    b.read(place);
    const isSameBody = a.fields.bytes.compare(b.fields.bytes, b.start, b.end, a.start, a.end) === 0;
    if (!isSameBody || !keys.every((_, key) => isSameValue(a, b, key))) return false;
  }
  return true;
}

function isSameValue(a: SeenLayer, b: SeenLayer, key: number): boolean {
  const [one, other] = [a.values[key]!, b.values[key]!];
  if (one < 0 || other < 0) return one === other;
  return a.fields.value(one).equals(b.fields.value(other));
}

/** The part of a layer that the renderer reads, feature by feature. */
class SeenLayer {
  readonly fields: LayerFields;
  /** For the current feature, by index of a key, the number of its value; −1 if it has none. */
  readonly values: Int32Array;
  /** Position of type and geometry of the current feature. */
  start = 0;
  end = 0;
  /** By number of a key its index among the rendered ones, −1 for others. */
  readonly #seen: readonly number[];

  constructor(layer: Uint8Array, keys: readonly string[]) {
    this.fields = new LayerFields(layer);
    this.values = new Int32Array(keys.length);
    this.#seen = Array.from(this.fields.keyTexts(), (key) => keys.indexOf(key));
  }

  read(place: number): void {
    this.start = this.fields.bodyOf(place);
    const { tags, tagCount } = this.fields;
    this.end = this.fields.features[place + 1]!;
    this.values.fill(-1);
    for (let i = 0; i < tagCount; i += 2) {
      const key = this.#seen[tags[i]!]!;
      if (key >= 0) this.values[key] = tags[i + 1]!;
    }
  }
}
