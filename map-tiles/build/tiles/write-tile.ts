import { gunzipSync, gzipSync } from 'node:zlib';
import type { RawFeature } from 'geojson-vt';
import { type EncodedLayer, encodeLayers, layersOf, taggedOf } from '../../format/encode-vector-tile.js';
import { type LayerName, layerIndex, layerNames, oceanLayer } from '../../format/layers.js';
import { contentHash, type RawTile } from '../../format/tile-block.js';
import type { TileId } from '../../format/web-mercator.js';
import { type SeaTree, wholeTile } from '../sea/sea-tree.js';
import { type FeatureOrder, mergeLayer } from './merge-layer.js';
import type { PiecesOfTile } from './tile-pieces.js';
import type { TileRoom } from './tile-room.js';

export const allLayers = -1;

export interface WrittenTile {
  /** Of the bytes before compression. */
  readonly hash: Buffer;
  readonly packed: () => Uint8Array;
  /** Uncompressed. */
  readonly bytes: () => Uint8Array;
  /** The tile is reused from the previous map. */
  readonly isKept: boolean;
  /** Absent if they were not read, and for open sea. */
  readonly layers?: readonly EncodedLayer[];
  /** Those of the previous tile, if they were read. */
  readonly layersBefore?: ReadonlyMap<LayerName, EncodedLayer>;
}

/** The work for a tile. Layers are a bit each. */
export interface TileWork {
  readonly tile: TileId;
  /** Layers that are rebuilt; the others are unchanged. */
  readonly layers: number;
  /** Rebuilt layers that are built from all their features; new features are merged into the others. */
  readonly whole: number;
  /** Absent: there was none. */
  readonly before: RawTile | undefined;
  readonly pieces: PiecesOfTile | undefined;
  /** The buffer of the returned tile, valid until the next one. */
  readonly room: TileRoom;
}

export interface TileSources {
  seaOf(zoom: number): Pick<SeaTree, 'at'>;
  readonly order?: FeatureOrder & { isFresh(number: number): boolean };
}

/** Undefined if the tile is empty. `features`: those found by the cutter, maybe more than requested. */
export function writeTile(
  { seaOf, order }: TileSources,
  features: readonly RawFeature[],
  { tile, layers, whole, before, pieces, room }: TileWork,
): WrittenTile | undefined {
  const sea = (layers & bitOf(oceanLayer)) === 0 ? undefined : seaOf(tile.z).at(tile);
  const seas = sea === undefined ? [] : [sea.feature];
  if (layers === allLayers && whole === allLayers) {
    if (features.length > 0) return tileOf(encodeLayers([...seas, ...features], tile.z), before, room);
    return sea?.isAll === true ? seaTile : tileOf(encodeLayers(seas, tile.z), before, room);
  }
  const found = grouped(features, layers);
  if (before !== undefined && order !== undefined && (layers & (whole | bitOf(oceanLayer))) === 0)
    if (isAsBefore(layers, pieces, found, order)) return keptTile(before);
  const old = new Map(before && layersOf(unpacked(before.bytes)).map((layer) => [layer.name, layer]));
  const all = layerNames.flatMap((name, index): readonly EncodedLayer[] => {
    const known = pieces?.get(index);
    const layer = withNumbers(old.get(name), known);
    if ((layers & bitOf(index)) === 0) return layer === undefined ? [] : [layer];
    if (index === oceanLayer) return encodeLayers(seas, tile.z);
    const group = found[index] ?? [];
    if ((whole & bitOf(index)) !== 0) return encodeLayers(group, tile.z);
    const fresh = group.filter((feature) => order!.isFresh(taggedOf(feature).number!));
    if (layer === undefined) return encodeLayers(fresh, tile.z);
    const { numbers } = layer;
    if (numbers === undefined) throw new Error(`layer ${name} of a tile is not known and was not cut whole`);
    const merged = mergeLayer({ ...layer, numbers }, fresh, tile.z, order!);
    return merged === undefined ? [] : [merged];
  });
  const written = tileOf(all, before, room);
  return written && { ...written, layersBefore: old };
}

const bitOf = (layer: number): number => 1 << layer;

function grouped(features: readonly RawFeature[], layers: number): (RawFeature[] | undefined)[] {
  const groups: (RawFeature[] | undefined)[] = [];
  for (const feature of features) {
    const index = layerIndex.get(taggedOf(feature).drawing.layer)!;
    if ((layers & bitOf(index)) === 0) continue;
    groups[index] ??= [];
    groups[index].push(feature);
  }
  return groups;
}

/**
 * Whether no feature of these layers was added or removed: most tiles that a box overlaps do not show its
 * content.
 */
function isAsBefore(
  layers: number,
  pieces: PiecesOfTile | undefined,
  found: readonly (readonly RawFeature[] | undefined)[],
  { isFresh, isGone }: Required<TileSources>['order'],
): boolean {
  for (let index = 0; index < layerNames.length; index++) {
    if ((layers & bitOf(index)) === 0) continue;
    if (found[index]?.some((feature) => isFresh(taggedOf(feature).number!)) === true) return false;
    const known = pieces?.get(index);
    if (known === 'unknown') return false;
    if (known !== undefined) for (const number of known) if (isGone(number)) return false;
  }
  return true;
}

function withNumbers(
  layer: EncodedLayer | undefined,
  numbers: Uint32Array | 'unknown' | undefined,
): EncodedLayer | undefined {
  return layer === undefined || numbers === undefined || numbers === 'unknown'
    ? layer
    : { ...layer, numbers };
}

function tileOf(
  layers: readonly EncodedLayer[],
  before: RawTile | undefined,
  room: TileRoom,
): WrittenTile | undefined {
  if (layers.length === 0) return undefined;
  const bytes = room.lay(layers);
  const hash = contentHash(bytes);
  if (before?.hash.equals(hash) === true) return { ...keptTile(before), layers };
  return { ...cutTile(bytes, hash), layers };
}

export const keptTile = ({ hash, bytes }: RawTile): WrittenTile => ({
  hash,
  packed: () => bytes,
  bytes: () => unpacked(bytes),
  isKept: true,
});

function cutTile(bytes: Uint8Array, hash: Buffer): WrittenTile {
  return { hash, packed: () => packed(bytes), bytes: () => bytes, isKept: false };
}

/** Unpacks into a buffer of the final length, which gzip stores at its end. */
const unpacked = (gzip: Uint8Array): Uint8Array =>
  gunzipSync(gzip, {
    chunkSize: Math.max(
      64,
      1 + Buffer.from(gzip.buffer, gzip.byteOffset + gzip.length - 4, 4).readUInt32LE(),
    ),
  });

/** One level below the default gives 0.1 % more bytes and takes a quarter less time. */
const gzipLevel = 5;

/** gzip without the byte that names the operating system, so that every machine makes the same bytes. */
function packed(bytes: Uint8Array): Uint8Array {
  const gzip = gzipSync(bytes, { level: gzipLevel, chunkSize: Math.max(64, bytes.length) });
  gzip[9] = 255;
  return gzip;
}

const seaBytes = encodeLayers([wholeTile], 0)[0]!.bytes;
/** A tile that is all sea. */
export const seaTile = cutTile(seaBytes, contentHash(seaBytes));

/** The layers of a tile to rebuild whose features are unknown. */
export function unknownLayers(
  layers: number,
  before: RawTile | undefined,
  pieces: PiecesOfTile | undefined,
): number {
  if (before === undefined || before.hash.equals(seaTile.hash)) return 0;
  if (pieces === undefined) return layers;
  let unknown = 0;
  for (const [layer, numbers] of pieces) if (numbers === 'unknown') unknown |= bitOf(layer);
  return layers & unknown;
}
