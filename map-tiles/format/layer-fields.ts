/** Numbers of the fields of the format, with how they are written: a length and bytes. */
export const fieldOf = { layer: 0x1a, feature: 0x12, tags: 0x12, key: 0x1a, value: 0x22 } as const;

/**
 * The fields of a layer as `encodeLayers` writes it, without copies: all features, then all keys, then all
 * values.
 */
export class LayerFields {
  readonly bytes: Buffer;
  /** Behind the length of the layer. */
  readonly start: number;
  /** Start of each; each ends where the next one starts, with one more entry for the end of the last. */
  readonly features: readonly number[];
  readonly keys: readonly number[];
  readonly values: readonly number[];
  /** Numbers of keys and values of the last feature, in turns; only the first `tagCount` are valid. */
  readonly tags: number[] = [];
  tagCount = 0;
  #at = 0;

  constructor(layer: Uint8Array) {
    this.bytes = Buffer.from(layer.buffer, layer.byteOffset, layer.byteLength);
    this.#at = 1;
    this.#varint();
    this.start = this.#at;
    // The version, and the name.
    this.#at += 3;
    this.#skip();
    this.features = this.#run(fieldOf.feature);
    this.keys = this.#run(fieldOf.key);
    this.values = this.#run(fieldOf.value);
  }

  /** How many features there are. */
  get length(): number {
    return this.features.length - 1;
  }

  /** Reads the tags of a feature; returns the start of type and geometry, which end with the feature. */
  bodyOf(place: number): number {
    this.tagCount = 0;
    this.#at = this.features[place]! + 1;
    this.#varint();
    if (this.bytes[this.#at] === fieldOf.tags) {
      this.#at++;
      const tagsEnd = this.#varint() + this.#at;
      while (this.#at < tagsEnd) this.tags[this.tagCount++] = this.#varint();
    }
    return this.#at;
  }

  /** A value as it is written. */
  value(number: number): Buffer {
    return this.bytes.subarray(this.values[number], this.values[number + 1]);
  }

  *keyTexts(): Iterable<string> {
    for (let number = 0; number + 1 < this.keys.length; number++) {
      this.#at = this.keys[number]! + 1;
      const length = this.#varint();
      yield this.bytes.toString('utf8', this.#at, this.#at + length);
    }
  }

  /** Start of consecutive fields with a number. */
  #run(field: number): number[] {
    const starts: number[] = [];
    while (this.bytes[this.#at] === field) {
      starts.push(this.#at++);
      this.#skip();
    }
    starts.push(this.#at);
    return starts;
  }

  /** Skips a length and its content. */
  #skip(): void {
    const length = this.#varint();
    this.#at += length;
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.#at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}
