import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BlockBuffers } from './block-buffers.js';
import { mapTileLimits } from './limits.js';

export type TileKind = 'vector' | 'png';
const kindByte: Readonly<Record<TileKind, number>> = { vector: 1, png: 2 };

const MAGIC = 0x4d524d42; // 'MRMB'
const VERSION = 1;
const HEADER_BYTES = 16;
const ROW_BYTES = 32;
const HASH_BYTES = 16;

/** The bytes are not the block that was requested; the message says why. */
export class InvalidBlock extends Error {
  override readonly name = 'InvalidBlock';
}

export interface StoredTile {
  /** The bytes as sent: a vector tile in gzip, a PNG unchanged. */
  readonly bytes: Uint8Array;
  /** First 16 bytes of the SHA-256 of the tile before compression, base64url. */
  readonly hash: string;
}

/** A tile as a block has it: views of its bytes. */
export interface RawTile {
  readonly bytes: Uint8Array;
  readonly hash: Buffer;
}

/** First 16 bytes of the SHA-256. */
export const contentHash = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(bytes).digest().subarray(0, HASH_BYTES);

interface Row {
  readonly first: number;
  run: number;
  readonly offset: number;
  readonly length: number;
  readonly hash: Buffer;
}

/**
 * ```text
 *  0        4         6      7   8      12           16                 16 + 32·rows
 *  | "MRMB" | version | kind | 0 | rows | data bytes | row, row, …      | data … | crc32 of all before |
 *    row:   | first tile u32 | run u32 | offset u32 | length u32 | hash 16 bytes |
 * ```
 * Big-endian. A row says that `run` tiles from number `first` on are the same bytes. Rows ascend by `first`.
 * The block does not contain its position on the map, so that two squares of open sea are the same block.
 */
export class BlockBuilder {
  readonly kind: TileKind;
  readonly #rows: Row[] = [];
  readonly #data: Uint8Array[] = [];
  readonly #places = new Map<string, { readonly offset: number; readonly length: number }>();
  #dataBytes = 0;

  constructor(kind: TileKind) {
    this.kind = kind;
  }

  get tiles(): number {
    return this.#rows.reduce((sum, { run }) => sum + run, 0);
  }

  /**
   * Numbers come ascending. `hash` is `contentHash` of the tile before compression; `bytes` is requested only
   * when no equal tile is in the block yet.
   */
  add(number: number, hash: Buffer, bytes: () => Uint8Array): void {
    const last = this.#rows.at(-1);
    if (last !== undefined && number < last.first + last.run)
      throw new RangeError(`tile ${number} of a block comes too late`);
    if (last !== undefined && number === last.first + last.run && last.hash.equals(hash)) {
      last.run++;
      return;
    }
    const key = hash.toString('base64url');
    let place = this.#places.get(key);
    if (place === undefined) {
      const data = bytes();
      place = { offset: this.#dataBytes, length: data.length };
      this.#places.set(key, place);
      this.#data.push(data);
      this.#dataBytes += data.length;
    }
    this.#rows.push({ first: number, run: 1, ...place, hash });
  }

  /**
   * Undefined when no tile was added.
   *
   * @param memory the memory of the block; absent: new memory.
   */
  finish(memory?: BlockBuffers): Uint8Array | undefined {
    if (this.#rows.length === 0) return undefined;
    const dataStart = HEADER_BYTES + ROW_BYTES * this.#rows.length;
    const total = dataStart + this.#dataBytes + 4;
    if (total > mapTileLimits.blockBytesMax)
      throw new InvalidBlock(
        `a block of map tiles has ${total} bytes, ${mapTileLimits.blockBytesMax} are allowed; ` +
          'build fewer zooms',
      );
    const bytes = memory === undefined ? Buffer.allocUnsafeSlow(total) : memory.take(total);
    bytes.writeUInt32BE(MAGIC, 0);
    bytes.writeUInt16BE(VERSION, 4);
    bytes.writeUInt8(kindByte[this.kind], 6);
    bytes.writeUInt8(0, 7);
    bytes.writeUInt32BE(this.#rows.length, 8);
    bytes.writeUInt32BE(this.#dataBytes, 12);
    this.#rows.forEach(({ first, run, offset, length, hash }, index) => {
      const at = HEADER_BYTES + ROW_BYTES * index;
      bytes.writeUInt32BE(first, at);
      bytes.writeUInt32BE(run, at + 4);
      bytes.writeUInt32BE(offset, at + 8);
      bytes.writeUInt32BE(length, at + 12);
      hash.copy(bytes, at + 16);
    });
    let at = dataStart;
    for (const data of this.#data) {
      bytes.set(data, at);
      at += data.length;
    }
    bytes.writeUInt32BE(crc32(bytes.subarray(0, at)), at);
    return bytes;
  }
}

/** A block in memory; tiles are views of its bytes. */
export class TileBlock {
  readonly #bytes: Buffer;
  readonly #rows: number;
  /** Those that were requested; a block holds at most 1,365. */
  readonly #found = new Map<number, StoredTile>();

  private constructor(bytes: Buffer, rows: number) {
    this.#bytes = bytes;
    this.#rows = rows;
  }

  /** Throws `InvalidBlock` when the bytes are truncated, changed, or of another version or kind. */
  static from(kind: TileKind, source: Uint8Array): TileBlock {
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    if (bytes.length < HEADER_BYTES + 4) throw new InvalidBlock(`it is cut off at ${bytes.length} bytes`);
    if (bytes.readUInt32BE(0) !== MAGIC) throw new InvalidBlock('it does not begin with "MRMB"');
    const version = bytes.readUInt16BE(4);
    if (version !== VERSION)
      throw new InvalidBlock(`its format is version ${version}, this program reads ${VERSION}`);
    const rows = bytes.readUInt32BE(8);
    const dataBytes = bytes.readUInt32BE(12);
    const end = HEADER_BYTES + ROW_BYTES * rows + dataBytes;
    if (bytes.length !== end + 4) throw new InvalidBlock(`it has ${bytes.length} bytes and says ${end + 4}`);
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end)))
      throw new InvalidBlock('its checksum does not match');
    if (bytes.readUInt8(6) !== kindByte[kind]) throw new InvalidBlock(`it holds no ${kind} tiles`);
    for (let row = 0; row < rows; row++) {
      const at = HEADER_BYTES + ROW_BYTES * row;
      if (bytes.readUInt32BE(at + 8) + bytes.readUInt32BE(at + 12) > dataBytes)
        throw new InvalidBlock(`row ${row} points beyond its end`);
    }
    return new TileBlock(bytes, rows);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The same object each time. */
  tile(number: number): StoredTile | undefined {
    const known = this.#found.get(number);
    if (known !== undefined) return known;
    const raw = this.raw(number);
    if (raw === undefined) return undefined;
    const found = { bytes: raw.bytes, hash: raw.hash.toString('base64url') };
    this.#found.set(number, found);
    return found;
  }

  /** For a builder, which requests each tile once. */
  raw(number: number): RawTile | undefined {
    const bytes = this.#bytes;
    let low = 0;
    let high = this.#rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (bytes.readUInt32BE(HEADER_BYTES + ROW_BYTES * middle) <= number) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return undefined;
    const at = HEADER_BYTES + ROW_BYTES * (low - 1);
    if (number >= bytes.readUInt32BE(at) + bytes.readUInt32BE(at + 4)) return undefined;
    const start = HEADER_BYTES + ROW_BYTES * this.#rows + bytes.readUInt32BE(at + 8);
    return {
      bytes: bytes.subarray(start, start + bytes.readUInt32BE(at + 12)),
      hash: bytes.subarray(at + 16, at + 16 + HASH_BYTES),
    };
  }
}
