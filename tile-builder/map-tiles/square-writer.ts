import { gunzipSync, gzipSync } from 'node:zlib';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type Band, blockName, numberInBlock, tilesOfBlock } from './block-grid.js';
import { BlockWriter } from './block-writer.js';
import { TileCutter } from './cut-vector-tiles.js';
import { PngPainter } from './draw/png-painter.js';
import type { EarlierBlock, EarlierMap } from './map-inputs.js';
import type { Box } from './ring-geometry.js';
import { BlockBuilder, contentHash, type StoredTile } from './tile-block.js';
import { type KeyedFeature, type TileKeys, tilesOfFeatures } from './tile-keys.js';
import { latOf, lngOf, type TileId } from './web-mercator.js';

/** Zooms at which PNG tiles of the whole world are drawn ahead; deeper ones only where the extract is. */
const pngWorldZoomMax = 3;

/** The features of a part of the map, with a cutter over all of them once one is needed. */
export class MapSquare {
  readonly features: readonly KeyedFeature[];
  readonly #zoomMax: number;
  #cutter: TileCutter | undefined;

  constructor(features: readonly KeyedFeature[], zoomMax: number) {
    this.features = features;
    this.#zoomMax = zoomMax;
  }

  cutter(): TileCutter {
    this.#cutter ??= new TileCutter(this.features, this.#zoomMax);
    return this.#cutter;
  }
}

export interface SquareWriterOptions {
  readonly objects: ObjectStore;
  readonly zoomMax: number;
  readonly pngZoomMax: number;
  /** Of the extract, degrees. */
  readonly bounds: Box;
  readonly earlier: EarlierMap | undefined;
}

/** What is written of a tile; its hash is that of the bytes before compression. */
interface WrittenTile {
  readonly hash: Buffer;
  readonly packed: () => Uint8Array;
  /** Uncompressed. */
  readonly bytes: () => Uint8Array;
}

/**
 * Writes the blocks of a map. A tile is a function of the features that may be seen in it, in their order; so one that is made
 * of the same features as in an earlier map is taken over, and a block in which all are is not even read.
 */
export class SquareWriter {
  readonly vector: BlockWriter;
  readonly png: BlockWriter;
  readonly inputs = new Map<string, TileKeys>();
  cutTiles = 0;
  keptTiles = 0;
  readonly #options: SquareWriterOptions;
  readonly #painter = new PngPainter();

  constructor(options: SquareWriterOptions) {
    this.#options = options;
    this.vector = new BlockWriter(options.objects);
    this.png = new BlockWriter(options.objects);
  }

  async write(square: MapSquare, band: Band, x: number, y: number): Promise<void> {
    const { zoomMax, earlier, bounds } = this.#options;
    const shift = band.from - band.root;
    const name = blockName({ z: band.from, x: x << shift, y: y << shift });
    const { keys, touching } = tilesOfFeatures(square.features, band, { x, y }, zoomMax);
    const before = earlier?.block(name);
    const changed = changedTiles(keys, before?.keys);
    const sameBounds = earlier?.manifest.bounds.every((value, i) => value === bounds[i]) ?? false;
    this.inputs.set(name, keys);
    if (before !== undefined && changed.size === 0 && before.keys.size === keys.size && sameBounds) {
      this.#keep(before);
      return;
    }
    const taken = before === undefined ? undefined : await this.#tilesOf(before);
    const cutter = taken === undefined ? square.cutter() : new TileCutter(touching(changed), zoomMax);
    const vectorBlock = new BlockBuilder('vector');
    const pngBlock = new BlockBuilder('png');
    for (const tile of tilesOfBlock({ ...band, to: Math.min(band.to, zoomMax) }, x, y)) {
      const number = numberInBlock(tile);
      const isKept = taken !== undefined && !changed.has(number);
      const written = isKept ? storedTile(taken.vector(number)) : cutTile(cutter.cut(tile));
      if (written === undefined) continue;
      // A tile that no box of a feature touches: of such a block nothing is said, and it is cut again each time.
      if (!keys.has(number) && !isKept) this.inputs.delete(name);
      if (isKept) this.keptTiles++;
      else this.cutTiles++;
      vectorBlock.add(number, written.hash, written.packed);
      if (!this.#drawsPng(tile)) continue;
      const drawn = isKept ? taken.png(number) : undefined;
      const image = drawn?.bytes ?? (await this.#painter.paint(written.bytes(), tile.z));
      pngBlock.add(number, drawn === undefined ? contentHash(image) : hashOf(drawn), () => image);
    }
    await this.vector.write(name, vectorBlock);
    await this.png.write(name, pngBlock);
  }

  #keep({ entries: { vector, png } }: EarlierBlock): void {
    if (vector !== undefined) this.vector.keep(vector);
    if (png !== undefined) this.png.keep(png);
    this.keptTiles += vector?.tiles ?? 0;
  }

  /** Undefined when the block cannot be read any more: then all of it is cut again. */
  async #tilesOf(block: EarlierBlock) {
    try {
      const [vector, png] = [await block.open('vector'), await block.open('png')];
      return {
        vector: (number: number) => vector?.tile(number),
        png: (number: number) => png?.tile(number),
      };
    } catch {
      return undefined;
    }
  }

  #drawsPng({ z, x, y }: TileId): boolean {
    const { pngZoomMax, bounds } = this.#options;
    return z <= pngZoomMax && (z <= pngWorldZoomMax || touches({ z, x, y }, bounds));
  }
}

/** Numbers of the tiles that are made of something else than before, all of them where nothing was. */
function changedTiles(keys: TileKeys, before: TileKeys | undefined): Set<number> {
  const changed = new Set<number>();
  for (const [number, [a, b]] of keys) {
    const known = before?.get(number);
    if (known?.[0] !== a || known[1] !== b) changed.add(number);
  }
  // What was there and is no more leaves nothing to cut, and must not be taken over.
  for (const number of before?.keys() ?? []) if (!keys.has(number)) changed.add(number);
  return changed;
}

const hashOf = ({ hash }: StoredTile): Buffer => Buffer.from(hash, 'base64url');

const storedTile = (stored: StoredTile | undefined): WrittenTile | undefined =>
  stored && { hash: hashOf(stored), packed: () => stored.bytes, bytes: () => gunzipSync(stored.bytes) };

const cutTile = (bytes: Uint8Array | undefined): WrittenTile | undefined =>
  bytes && { hash: contentHash(bytes), packed: () => packed(bytes), bytes: () => bytes };

/** gzip without the byte that names the operating system, so that every machine makes the same bytes. */
function packed(bytes: Uint8Array): Uint8Array {
  const gzip = gzipSync(bytes);
  gzip[9] = 255;
  return gzip;
}

function touches({ z, x, y }: TileId, [west, south, east, north]: Box): boolean {
  return lngOf(x, z) <= east && lngOf(x + 1, z) >= west && latOf(y + 1, z) <= north && latOf(y, z) >= south;
}
