import type { Box } from '#osm/polygons/ring-geometry.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BlockBuffers } from '../../format/block-buffers.js';
import { type Band, blockName, tileOfNumber, tilesAtMost } from '../../format/block-grid.js';
import type { MapFeature } from '../../format/map-feature.js';
import type { BlockEntry } from '../../format/map-manifest.js';
import { BlockBuilder, contentHash, type TileBlock, type TileKind } from '../../format/tile-block.js';
import { latOf, lngOf, type TileId } from '../../format/web-mercator.js';
import type { BackgroundCache } from '../../png/background-cache.js';
import { PngRenderer } from '../../png/png-renderer.js';
import { isSamePicture } from '../../png/same-picture.js';
import { TileCutter } from '../geometry/cut-vector-tiles.js';
import type { TilePieces } from '../tiles/tile-pieces.js';
import { TileRoom } from '../tiles/tile-room.js';
import {
  allLayers,
  keptTile,
  seaTile,
  type TileSources,
  type WrittenTile,
  writeTile,
} from '../tiles/write-tile.js';
import type { AffectedBlock } from './affected-tiles.js';
import { BlockWriter } from './block-writer.js';
import type { OpenBlocks } from './map-session.js';
import type { PreviousBlock } from './previous-map.js';

/** Zooms with prepared PNG tiles of the whole world; deeper ones cover only the extract. */
const pngWorldZoomMax = 3;

/** A part of the map that is cut from one list of features. */
export interface Square extends TileSources {
  /** All tiles of `plans` are this tile or below it. */
  readonly root: TileId;
  readonly plans: readonly BlockPlan[];
  /** In tile order: a superset of the features in the cut tiles. */
  readonly features: readonly MapFeature[];
}

/** Where a block lies: its root's column and row. */
export interface BlockPlace {
  readonly band: Band;
  readonly x: number;
  readonly y: number;
}

/** A block that is to be written. */
export interface BlockPlan extends BlockPlace {
  /** The unchanged block of the previous map. */
  readonly kept?: PreviousBlock;
  /** The tiles and layers that are cut; the rest is reused from `taken`. Absent: everything is cut. */
  readonly touched?: AffectedBlock;
  readonly taken?: TakenBlock;
  /**
   * The part of `touched` that is cut from all features; in the rest, new features are merged. Absent: all of
   * it.
   */
  readonly unknown?: AffectedBlock;
}

/** The tiles of a block of the previous map. */
export type TakenBlock = { readonly [Kind in TileKind]: TileBlock | undefined };

/** Undefined if the block cannot be read: then all of it is cut. */
export async function takenBlock(block: PreviousBlock): Promise<TakenBlock | undefined> {
  try {
    const [vector, png] = [await block.open('vector'), await block.open('png')];
    return { vector, png };
  } catch {
    return undefined;
  }
}

export const nameOf = ({ band, x, y }: BlockPlace): string => {
  const shift = band.from - band.root;
  return blockName({ z: band.from, x: x << shift, y: y << shift });
};

export interface SquareWriterOptions {
  readonly objects: ObjectStore;
  readonly zoomMax: number;
  readonly pngZoomMax: number;
  /** Of the extract, degrees. */
  readonly bounds: Box;
  /** The features in the tiles of the previous map; afterwards, those of this one. */
  readonly pieces?: TilePieces;
  readonly open?: OpenBlocks;
  readonly buffers?: BlockBuffers;
  /** Backgrounds of PNG tiles that are rendered again. */
  readonly grounds?: BackgroundCache;
}

/** The blocks of a square, in the order of its plans. */
export interface DrawnSquare {
  readonly vector: readonly BlockEntry[];
  readonly png: readonly BlockEntry[];
  /** Tiles that were cut, and those that equal the previous map's. */
  readonly cutTiles: number;
  readonly keptTiles: number;
}
type Drawing = { -readonly [Key in 'cutTiles' | 'keptTiles']: number } & Record<TileKind, BlockEntry[]>;

/**
 * Writes the blocks of a map. A layer of a tile is a function of its visible features, in their order. So
 * unchanged layers are reused from the previous map, one by one, and a block without changes is not even
 * read.
 */
export class SquareWriter {
  readonly #blocks: BlockWriter;
  readonly #options: SquareWriterOptions;
  readonly #painter = new PngRenderer();
  readonly #room = new TileRoom();
  /** By zoom the PNG of open sea, which most tiles of a coast use. */
  readonly #seaPictures = new Map<number, Uint8Array>();

  constructor(options: SquareWriterOptions) {
    this.#options = options;
    this.#blocks = new BlockWriter(options.objects, options.open, options.buffers);
  }

  async write(square: Square): Promise<DrawnSquare> {
    const drawn: Drawing = { vector: [], png: [], cutTiles: 0, keptTiles: 0 };
    let cutter: TileCutter | undefined;
    for (const plan of square.plans) {
      if (plan.kept !== undefined) keep(plan.kept, drawn);
      else {
        cutter ??= new TileCutter(
          square.features,
          this.#options.zoomMax,
          square.root,
          wantedTiles(square.plans),
        );
        await this.#writeBlock(square, cutter, plan, drawn);
      }
    }
    return drawn;
  }

  async #writeBlock(square: Square, cutter: TileCutter, plan: BlockPlan, drawn: Drawing): Promise<void> {
    const { band, x, y, touched, taken, unknown } = plan;
    const { pieces } = this.#options;
    const name = nameOf(plan);
    const vectorBlock = new BlockBuilder('vector');
    const pngBlock = new BlockBuilder('png');
    const count = tilesAtMost({ ...band, to: Math.min(band.to, this.#options.zoomMax) });
    for (let number = 0; number < count; number++) {
      const layers = touched === undefined ? allLayers : (touched.get(number) ?? 0);
      const before = taken?.vector?.raw(number);
      const tile = tileOfNumber(band, x, y, number);
      const written =
        layers === 0
          ? before && keptTile(before)
          : writeTile(square, cutter.cut(tile), {
              tile,
              layers,
              whole: touched === undefined ? allLayers : ((unknown ?? touched).get(number) ?? 0),
              before,
              pieces: pieces?.of(name, number),
              room: this.#room,
            });
      if (written?.layers !== undefined) pieces?.set(name, number, written.layers);
      else if (layers !== 0 && written?.isKept !== true) pieces?.delete(name, number);
      if (written === undefined) continue;
      vectorBlock.add(number, written.hash, written.packed);
      if (written.isKept) drawn.keptTiles++;
      else drawn.cutTiles++;
      if (!this.#drawsPng(tile)) continue;
      // Equal bounds and visible content give an equal PNG.
      const picture = isSeenAsBefore(written, tile.z) ? taken?.png?.raw(number) : undefined;
      if (picture !== undefined) pngBlock.add(number, picture.hash, () => picture.bytes);
      else {
        const isAgain = taken?.png?.raw(number) !== undefined;
        const image = await this.#paint(written, tile.z, isAgain ? this.#options.grounds : undefined);
        pngBlock.add(number, contentHash(image), () => image);
      }
    }
    for (const [kind, builder] of [
      ['vector', vectorBlock],
      ['png', pngBlock],
    ] as const) {
      const entry = await this.#blocks.write(name, builder);
      if (entry !== undefined) drawn[kind].push(entry);
    }
  }

  async #paint(tile: WrittenTile, z: number, grounds: BackgroundCache | undefined): Promise<Uint8Array> {
    if (!seaTile.hash.equals(tile.hash)) return this.#painter.paint(tile.bytes(), z, grounds);
    const image = this.#seaPictures.get(z) ?? (await this.#painter.paint(tile.bytes(), z));
    this.#seaPictures.set(z, image);
    return image;
  }

  #drawsPng({ z, x, y }: TileId): boolean {
    const { pngZoomMax, bounds } = this.#options;
    return z <= pngZoomMax && (z <= pngWorldZoomMax || touches({ z, x, y }, bounds));
  }
}

function keep({ entries: { vector, png } }: PreviousBlock, drawn: Drawing): void {
  if (vector !== undefined) drawn.vector.push(vector);
  if (png !== undefined) drawn.png.push(png);
  drawn.keptTiles += vector?.tiles ?? 0;
}

function isSeenAsBefore({ isKept, layers, layersBefore }: WrittenTile, zoom: number): boolean {
  if (isKept || layers === undefined || layersBefore === undefined) return isKept;
  return isSamePicture(layersBefore, new Map(layers.map((layer) => [layer.name, layer])), zoom);
}

/** The tiles that are cut, completely or partly; undefined when a block is cut completely. */
function wantedTiles(plans: readonly BlockPlan[]): TileId[] | undefined {
  const wanted: TileId[] = [];
  for (const { band, x, y, kept, touched } of plans) {
    if (kept !== undefined) continue;
    if (touched === undefined) return undefined;
    for (const number of touched.keys()) wanted.push(tileOfNumber(band, x, y, number));
  }
  return wanted;
}

function touches({ z, x, y }: TileId, [west, south, east, north]: Box): boolean {
  return lngOf(x, z) <= east && lngOf(x + 1, z) >= west && latOf(y + 1, z) <= north && latOf(y, z) >= south;
}
