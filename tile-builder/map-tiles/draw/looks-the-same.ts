import type { EncodedLayer } from '../encode-vector-tile.js';
import { LayerFields } from '../layer-fields.js';
import { type LayerName, layerNames } from '../layers.js';
import { paintedKeys } from './painted-keys.js';

type Layers = ReadonlyMap<LayerName, EncodedLayer>;

/** Whether the painter sees the same in two tiles of a zoom: then they have the same picture. False may be said of some that have too. */
export function looksTheSame(one: Layers, other: Layers, zoom: number): boolean {
  return layerNames.every((name) => {
    const keys = paintedKeys(name, zoom);
    if (keys === undefined) return true;
    const [a, b] = [one.get(name)?.bytes, other.get(name)?.bytes];
    if (a === undefined || b === undefined) return a === b;
    return a === b || Buffer.compare(a, b) === 0 || layerLooksTheSame(a, b, keys);
  });
}

function layerLooksTheSame(one: Uint8Array, other: Uint8Array, keys: readonly string[]): boolean {
  const [a, b] = [new SeenLayer(one, keys), new SeenLayer(other, keys)];
  if (a.length !== b.length) return false;
  for (let place = 0; place < a.length; place++) {
    const [seenA, seenB] = [a.feature(place), b.feature(place)];
    if (seenA.body.compare(seenB.body) !== 0) return false;
    if (seenA.values.some((value, i) => !isSameValue(value, seenB.values[i]))) return false;
  }
  return true;
}

const isSameValue = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);

/** A layer as far as the painter sees it. */
class SeenLayer {
  readonly #fields: LayerFields;
  /** By number of a key its place among those that are seen, −1 for others. */
  readonly #seen: readonly number[];
  readonly #count: number;

  constructor(layer: Uint8Array, keys: readonly string[]) {
    this.#fields = new LayerFields(layer);
    this.#seen = Array.from(this.#fields.keyTexts(), (key) => keys.indexOf(key));
    this.#count = keys.length;
  }

  get length(): number {
    return this.#fields.length;
  }

  feature(place: number): { readonly body: Buffer; readonly values: readonly (Buffer | undefined)[] } {
    const { tags, body } = this.#fields.feature(place);
    const values = new Array<Buffer | undefined>(this.#count).fill(undefined);
    for (let i = 0; i < tags.length; i += 2) {
      const key = this.#seen[tags[i]!]!;
      if (key >= 0) values[key] = this.#fields.value(tags[i + 1]!);
    }
    return { body, values };
  }
}
