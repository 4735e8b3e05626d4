import type { RawFeature } from 'geojson-vt';
import { PbfWriter } from 'pbf';
import {
  type EncodedFeature,
  type EncodedLayer,
  encodeFeature,
  encodeLayers,
  writeValue,
} from '../../format/encode-vector-tile.js';
import { fieldOf, LayerFields } from '../../format/layer-fields.js';
import type { Attribute } from '../../format/map-feature.js';
import { Renumbering } from './renumbering.js';

/** A layer whose features are identified by number. */
export type KnownLayer = EncodedLayer & { readonly numbers: Uint32Array };

/** The current features and their order. */
export interface FeatureOrder {
  isGone(number: number): boolean;
  /** Whether one precedes the other in a tile. */
  precedes(one: number, other: number): boolean;
}

/**
 * The layer without removed features and with added ones, byte for byte equal to the result of
 * `encodeLayers`; undefined if it is empty. Keys and values are numbered in order of first use, so kept
 * features are renumbered.
 *
 * @param fresh in their order.
 */
export function mergeLayer(
  before: KnownLayer,
  fresh: readonly RawFeature[],
  zoom: number,
  order: FeatureOrder,
): EncodedLayer | undefined {
  const added: EncodedFeature[] = [];
  for (const feature of fresh) {
    const encoded = encodeFeature(feature, zoom);
    if (encoded !== undefined) added.push(encoded);
  }
  const { numbers } = before;
  let kept = 0;
  for (const number of numbers) if (!order.isGone(number)) kept++;
  if (kept === numbers.length && added.length === 0) return before;
  if (kept === 0) return encodeLayers(fresh, zoom)[0];
  const old = new LayerFields(before.bytes);
  const merged = new LayerMerger(old, before.bytes.length + 256 * added.length + 64);
  const all = new Uint32Array(kept + added.length);
  let [at, next] = [0, 0];
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place]!;
    if (order.isGone(number)) continue;
    while (next < added.length && order.precedes(added[next]!.number!, number)) {
      merged.add(added[next]!);
      all[at++] = added[next++]!.number!;
    }
    merged.keep(place);
    all[at++] = number;
  }
  for (; next < added.length; next++) {
    merged.add(added[next]!);
    all[at++] = added[next]!.number!;
  }
  return { name: before.name, bytes: merged.finish(), numbers: all };
}

class LayerMerger {
  readonly #old: LayerFields;
  readonly #keys: Renumbering;
  readonly #values: Renumbering;
  #out: Buffer;
  #at: number;
  /** Space for the length of the layer before its first field. */
  static readonly #lengthBytes = 6;

  constructor(old: LayerFields, expectedBytes: number) {
    this.#old = old;
    this.#keys = new Renumbering(old.bytes, old.keys);
    this.#values = new Renumbering(old.bytes, old.values);
    this.#out = Buffer.allocUnsafe(expectedBytes + LayerMerger.#lengthBytes);
    this.#at = LayerMerger.#lengthBytes;
    this.#copy(old.bytes, old.start, old.features[0]!);
  }

  /** Keeps the previous feature at this place. */
  keep(place: number): void {
    const body = this.#old.bodyOf(place);
    const { tags, tagCount } = this.#old;
    for (let i = 0; i < tagCount; i += 2) {
      tags[i] = this.#keys.of(tags[i]!);
      tags[i + 1] = this.#values.of(tags[i + 1]!);
    }
    this.#write(tags, tagCount, this.#old.bytes, body, this.#old.features[place + 1]!);
  }

  add({ attributes, body }: EncodedFeature): void {
    const tags: number[] = [];
    for (const { key, value } of attributes) {
      tags.push(this.#keys.find(written(fieldOf.key, Buffer.from(key))));
      tags.push(this.#values.find(written(fieldOf.value, valueBytes(value))));
    }
    this.#write(tags, tags.length, body, 0, body.length);
  }

  finish(): Uint8Array {
    const { bytes, values } = this.#old;
    const copy = (field: Uint8Array, from: number, to: number): void => this.#copy(field, from, to);
    this.#keys.write(copy);
    this.#values.write(copy);
    this.#copy(bytes, values.at(-1)!, bytes.length);
    const length = this.#at - LayerMerger.#lengthBytes;
    const start = LayerMerger.#lengthBytes - sizeOf(length) - 1;
    this.#at = start;
    this.#byte(fieldOf.layer);
    this.#varint(length);
    return this.#out.subarray(start, LayerMerger.#lengthBytes + length);
  }

  #write(tags: readonly number[], tagCount: number, bytes: Uint8Array, from: number, to: number): void {
    let tagBytes = 0;
    for (let i = 0; i < tagCount; i++) tagBytes += sizeOf(tags[i]!);
    const length = to - from + (tagBytes === 0 ? 0 : 1 + sizeOf(tagBytes) + tagBytes);
    this.#room(length + 6);
    this.#byte(fieldOf.feature);
    this.#varint(length);
    if (tagBytes > 0) {
      this.#byte(fieldOf.tags);
      this.#varint(tagBytes);
      for (let i = 0; i < tagCount; i++) this.#varint(tags[i]!);
    }
    this.#copy(bytes, from, to);
  }

  #copy(bytes: Uint8Array, from: number, to: number): void {
    this.#room(to - from);
    if (to - from > 64) this.#out.set(bytes.subarray(from, to), this.#at);
    else for (let i = from; i < to; i++) this.#out[this.#at + i - from] = bytes[i]!;
    this.#at += to - from;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.#at + bytes));
    wider.set(this.#out.subarray(0, this.#at));
    this.#out = wider;
  }

  #byte(byte: number): void {
    this.#out[this.#at++] = byte;
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#out[this.#at++] = (rest & 0x7f) | 0x80;
    this.#out[this.#at++] = rest;
  }
}

function written(field: number, content: Uint8Array): Buffer {
  const size = sizeOf(content.length);
  const bytes = Buffer.allocUnsafe(1 + size + content.length);
  bytes[0] = field;
  let rest = content.length;
  for (let i = 1; i < size; i++, rest >>>= 7) bytes[i] = (rest & 0x7f) | 0x80;
  bytes[size] = rest;
  bytes.set(content, 1 + size);
  return bytes;
}

function valueBytes(value: Attribute['value']): Uint8Array {
  const pbf = new PbfWriter();
  writeValue(value, pbf);
  return pbf.finish();
}

function sizeOf(varint: number): number {
  let size = 1;
  for (let rest = varint; rest > 0x7f; rest >>>= 7) size++;
  return size;
}
