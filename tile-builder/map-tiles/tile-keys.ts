import { type Band, numberInBlock } from './block-grid.js';
import { layerIndex } from './layers.js';
import type { MapFeature, Shape } from './map-feature.js';
import { margin, shapeBox } from './share-out.js';
import { latMax, xOf, yOf } from './web-mercator.js';

/** Raised whenever the same features make other bytes: then no tile of an earlier map is taken over. */
export const drawingVersion = 1;

/** What a tile is made of, as two 32-bit halves of a hash of its features in their order. */
export type TileKeys = ReadonlyMap<number, readonly [number, number]>;

/** A feature with a hash of all that it is. */
export interface KeyedFeature extends MapFeature {
  readonly key: readonly [number, number];
  /** West, north, east, south as shares of the square world. */
  readonly reach: readonly [number, number, number, number];
}

/**
 * 64 bits of a multiplicative hash: tiles are compared with the same tile of the map before alone, so a mistake takes two versions of one
 * square that collide.
 */
class Mixer {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(value: number): void {
    this.#a = Math.imul(this.#a ^ value, 0x01000193);
    this.#a ^= this.#a >>> 15;
    this.#b = Math.imul(this.#b + value, 0xcc9e2d51 | 0);
    this.#b ^= this.#b >>> 13;
  }

  text(text: string): void {
    this.add(text.length);
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i));
  }

  get key(): readonly [number, number] {
    return [this.#a >>> 0, this.#b >>> 0];
  }
}

export function keyed(feature: MapFeature): KeyedFeature {
  const { layer, minZoom, maxZoom, attributes } = feature.drawing;
  const mixer = new Mixer();
  mixer.add(layerIndex.get(layer)!);
  mixer.add(minZoom);
  mixer.add(maxZoom ?? -1);
  for (const { key, value, fromZoom } of attributes) {
    mixer.text(key);
    mixer.text(`${typeof value} ${value}`);
    mixer.add(fromZoom);
  }
  for (const line of linesOf(feature.shape)) {
    mixer.add(line.length);
    for (let i = 0; i < line.length; i++) mixer.add(line[i]!);
  }
  const [west, south, east, north] = shapeBox(feature.shape);
  // Of a line over the date line the box says nothing.
  const isRound = east - west > 1_800_000_000;
  const [left, right] = isRound ? [0, 1] : [xOf(west / 1e7, 0), xOf(east / 1e7, 0)];
  return { ...feature, key: mixer.key, reach: [left, yOf(clamped(north), 0), right, yOf(clamped(south), 0)] };
}

function* linesOf(shape: Shape): Iterable<Int32Array> {
  switch (shape.type) {
    case 'point':
      yield shape.at;
      return;
    case 'line':
      yield shape.line;
      return;
    case 'area':
      for (const rings of shape.polygons) yield* rings;
  }
}

export interface TilesOfFeatures {
  readonly keys: TileKeys;
  /** Those of the features that may be seen in one of the tiles. */
  touching(tiles: ReadonlySet<number>): KeyedFeature[];
}

/** Keys of the tiles of a block that a feature may be seen in, by their numbers in the block. */
export function tilesOfFeatures(
  features: readonly KeyedFeature[],
  band: Band,
  root: { readonly x: number; readonly y: number },
  zoomMax: number,
): TilesOfFeatures {
  const mixers = new Map<number, Mixer>();
  for (const feature of features)
    for (const number of numbersOf(feature, band, root, zoomMax)) {
      let mixer = mixers.get(number);
      if (mixer === undefined) {
        mixer = new Mixer();
        mixers.set(number, mixer);
      }
      mixer.add(feature.key[0]);
      mixer.add(feature.key[1]);
    }
  return {
    keys: new Map([...mixers].map(([number, { key }]) => [number, key])),
    touching: (tiles) =>
      features.filter((feature) => {
        for (const number of numbersOf(feature, band, root, zoomMax)) if (tiles.has(number)) return true;
        return false;
      }),
  };
}

/** The tiles of the block that the box of the feature touches at the zooms at which it is drawn. */
function* numbersOf(
  { drawing, reach }: KeyedFeature,
  band: Band,
  root: { readonly x: number; readonly y: number },
  zoomMax: number,
): Iterable<number> {
  const lastZoom = Math.min(band.to, zoomMax, drawing.maxZoom ?? band.to);
  for (let z = Math.max(band.from, drawing.minZoom); z <= lastZoom; z++) {
    const side = 2 ** (z - band.root);
    const columns = range(reach[0], reach[2], z, root.x * side, side);
    const rows = range(reach[1], reach[3], z, root.y * side, side);
    if (columns === undefined || rows === undefined) continue;
    for (let x = columns[0]; x <= columns[1]; x++)
      for (let y = rows[0]; y <= rows[1]; y++) yield numberInBlock({ z, x, y });
  }
}

/** First and last of `side` tiles from `from` on that a stretch of the world touches. */
function range(
  low: number,
  high: number,
  z: number,
  from: number,
  side: number,
): readonly [number, number] | undefined {
  const first = Math.floor(low * 2 ** z - margin);
  const last = Math.floor(high * 2 ** z + margin);
  if (last < from || first >= from + side) return undefined;
  return [Math.max(from, first), Math.min(from + side - 1, last)];
}

const clamped = (latE7: number): number => Math.min(latMax, Math.max(-latMax, latE7 / 1e7));
