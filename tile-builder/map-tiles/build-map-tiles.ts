import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { MapElements, TaggedWay } from '../osm/map-elements.js';
import { CollectedRows } from './collect-rows.js';
import { EarlierMap } from './earlier-map.js';
import { ExtractSea, markSea } from './extract-sea.js';
import type { FeatureRows } from './feature-rows.js';
import { layerIndex } from './layers.js';
import { mapTileLimits } from './limits.js';
import type { MapFeature } from './map-feature.js';
import { mapManifestKey, mapMemoryKey, sealMapManifest } from './map-manifest.js';
import { encodeMapMemory, type MapSettings } from './map-memory.js';
import {
  blocksOfSquare,
  rowsOfSquares,
  rowsToCut,
  shallowBlocks,
  squareAt,
  squareZoom,
} from './plan-squares.js';
import { type Box, boxOf } from './ring-geometry.js';
import { coastsOf } from './sea.js';
import { SeaTree } from './sea-tree.js';
import {
  type BlockPlace,
  type BlockPlan,
  nameOf,
  type Square,
  SquareWriter,
  takenBlock,
} from './square-writer.js';
import { markChanges, TouchedTiles } from './touched-tiles.js';
import { readWorld, type World } from './world.js';

export interface MapTilesOptions {
  /** Deepest zoom of vector tiles. Default: 16. */
  readonly zoomMax?: number;
  /** Deepest zoom of PNG tiles that are drawn ahead; −1 for none. Default: 12. */
  readonly pngZoomMax?: number;
  /** Sea, borders and countries of the whole world at the low zooms. Default: true. */
  readonly world?: boolean;
  /** Id of a map whose tiles are taken over where they are made of the same; the bytes are those of a build without it. */
  readonly earlier?: string;
  readonly onProgress?: (phase: 'map', done: number, total: number) => void;
}

export interface BuiltMapTiles {
  readonly mapId: string;
  readonly vectorTiles: number;
  readonly pngTiles: number;
  readonly bytes: number;
  /** Rings of areas and coasts that were left out because they do not close. */
  readonly brokenRings: number;
  /** Tiles that were cut, and those that were taken over from the map before. */
  readonly cutTiles: number;
  readonly keptTiles: number;
}

const attributionText = '© OpenStreetMap contributors';
const pngZoomMaxDefault = 12;

/**
 * Cuts and draws the map of an extract and puts it into the store. Over an earlier map, what an element is drawn as is looked up by a
 * hash of the element, and only layers of tiles are cut in which a feature came, went or changed: ADR 0091. Memory holds the elements and
 * what lies in one square of zoom 10. The manifest is written last; nothing points to the map until a release does.
 */
export async function buildMapTiles(
  elements: MapElements,
  objects: ObjectStore,
  options: MapTilesOptions = {},
): Promise<BuiltMapTiles> {
  const settings = settingsOf(options);
  const { zoomMax, pngZoomMax, world } = settings;
  const before =
    options.earlier === undefined ? undefined : await EarlierMap.open(objects, options.earlier, settings);
  const drawn = new CollectedRows(elements, before?.memory.drawn);
  const coasts = coastsOf(elements.ways);
  const box = landBox(drawn.rows, coasts);
  const bounds = box.map((value) => value / 1e7) as unknown as Box;
  const changes =
    before?.covers(box) === true ? { earlier: before, touched: new TouchedTiles(zoomMax) } : undefined;
  const sea = new ExtractSea(
    coasts,
    widened(box),
    { from: world ? squareZoom : 0, zoomMax },
    changes?.earlier.memory,
  );
  if (changes !== undefined) {
    markChanges(changes.earlier.memory.drawn, drawn, changes.touched);
    markSea(changes.earlier.memory.sea, sea.rows, zoomMax, changes.touched);
  }
  const writer = new SquareWriter({ objects, zoomMax, pngZoomMax, bounds });
  const squares = rowsOfSquares(drawn.rows, sea.rows, (square) =>
    hasCut(blocksOfSquare(square, zoomMax), changes),
  );
  let done = 0;
  const progress = (): void => options.onProgress?.('map', done++, squares.size + 1);
  progress();
  await writer.write(
    await lowSquare(drawn, sea, await planned(shallowBlocks(bounds, world, zoomMax), changes), world),
  );
  for (const [key, candidates] of squares) {
    progress();
    if (zoomMax < squareZoom) break;
    const root = squareAt(key);
    const plans = await planned(blocksOfSquare(root, zoomMax), changes);
    const features = drawn.features(rowsToCut(drawn.rows, candidates, plans));
    await writer.write({ root, plans, features, seaOf: () => sea.tree });
  }
  const { vector, png } = writer;
  const { mapId, bytes } = sealMapManifest({
    format: 'meridian-map-tiles',
    version: 1,
    attribution: attributionText,
    bounds,
    world,
    vector: { zoomMax, blocks: vector.entries },
    png: { zoomMax: pngZoomMax, blocks: png.entries },
  });
  const memory = { settings, box, drawn, coasts: sea.coasts, sea: sea.rows, brokenCoasts: sea.broken };
  await objects.put(mapMemoryKey(mapId), encodeMapMemory(mapId, memory));
  await objects.put(mapManifestKey(mapId), bytes);
  options.onProgress?.('map', squares.size + 1, squares.size + 1);
  const count = ({ entries }: typeof vector): number => entries.reduce((sum, { tiles }) => sum + tiles, 0);
  return {
    mapId,
    vectorTiles: count(vector),
    pngTiles: count(png),
    bytes: vector.bytes + png.bytes + bytes.length,
    brokenRings: drawn.brokenRings + sea.broken,
    cutTiles: writer.cutTiles,
    keptTiles: writer.keptTiles,
  };
}

function settingsOf({ zoomMax: deepest, pngZoomMax, world = true }: MapTilesOptions): MapSettings {
  const zoomMax = deepest ?? mapTileLimits.zoomMax;
  return { zoomMax, pngZoomMax: Math.min(zoomMax, pngZoomMax ?? pngZoomMaxDefault), world };
}

/** Sea round the outermost shores, 1e-7 degrees: some kilometres, so that an island does not end at the edge of the map. */
const seaRoom = 500_000;
const widened = ([west, south, east, north]: Box): Box => [
  Math.max(-1_800_000_000, west - seaRoom),
  Math.max(-900_000_000, south - seaRoom),
  Math.min(1_800_000_000, east + seaRoom),
  Math.min(900_000_000, north + seaRoom),
];

/** What differs from the map before. */
interface MapChanges {
  readonly earlier: EarlierMap;
  readonly touched: TouchedTiles;
}

/** Whether anything of the blocks is cut, if none of them is damaged. */
function hasCut(blocks: Iterable<BlockPlace>, changes: MapChanges | undefined): boolean {
  if (changes === undefined) return true;
  for (const { band, x, y } of blocks) if (changes.touched.block(band.from, x, y) !== undefined) return true;
  return false;
}

async function planned(blocks: Iterable<BlockPlace>, changes: MapChanges | undefined): Promise<BlockPlan[]> {
  const plans: BlockPlan[] = [];
  for (const place of blocks) {
    if (changes === undefined) {
      plans.push(place);
      continue;
    }
    const { band, x, y } = place;
    const touched = changes.touched.block(band.from, x, y);
    const kept = changes.earlier.block(nameOf(place));
    const taken = touched && (await takenBlock(kept));
    if (touched === undefined) plans.push({ ...place, kept });
    else plans.push(taken === undefined ? place : { ...place, touched, taken });
  }
  return plans;
}

const worldLayers =
  (1 << layerIndex.get('ocean')!) |
  (1 << layerIndex.get('boundaries')!) |
  (1 << layerIndex.get('place_labels')!);

/** The zooms above the squares, over the whole world if it is shown. The atlas is only read when it is drawn. */
async function lowSquare(
  drawn: CollectedRows,
  sea: ExtractSea,
  plans: readonly BlockPlan[],
  world: boolean,
): Promise<Square> {
  const needsWorld = plans.some(({ kept, touched }) => kept === undefined && showsWorld(touched));
  const atlas = world && needsWorld ? await readWorld() : undefined;
  const low: number[] = [];
  for (let row = 0; row < drawn.rows.length; row++) if (drawn.rows.minZoom[row]! < squareZoom) low.push(row);
  const features = drawn.features(rowsToCut(drawn.rows, low, plans));
  const trees = new Map<ReturnType<World['seaOf']>, SeaTree>();
  return {
    root: { z: 0, x: 0, y: 0 },
    plans,
    features: atlas === undefined ? features : inOrder([...atlas.features, ...features]),
    seaOf(zoom) {
      if (atlas === undefined) return sea.tree;
      const polygons = atlas.seaOf(zoom);
      const tree = trees.get(polygons) ?? new SeaTree(polygons, mapTileLimits.zoomMax);
      trees.set(polygons, tree);
      return tree;
    },
  };
}

function showsWorld(touched: BlockPlan['touched']): boolean {
  if (touched === undefined) return true;
  for (const layers of touched.values()) if ((layers & worldLayers) !== 0) return true;
  return false;
}

function inOrder(features: MapFeature[]): MapFeature[] {
  const place = ({ drawing }: MapFeature): number => layerIndex.get(drawing.layer)!;
  return features.sort((a, b) => place(a) - place(b) || a.rank - b.rank);
}

/** Ferries, borders and far names lead out of an extract. */
const beyond = new Set(
  ['ferries', 'boundaries', 'place_labels'].map((name) => layerIndex.get(name as 'ferries')!),
);

/** What the features on land and the coasts cover, in 1e-7 degrees. */
function landBox(rows: FeatureRows, coasts: readonly TaggedWay[]): Box {
  const box: [number, number, number, number] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  const widen = (west: number, south: number, east: number, north: number): void => {
    box[0] = Math.min(box[0], west);
    box[1] = Math.min(box[1], south);
    box[2] = Math.max(box[2], east);
    box[3] = Math.max(box[3], north);
  };
  const widenBy = (isMeant: (row: number) => boolean): void => {
    for (let row = 0; row < rows.length; row++) {
      const at = 4 * row;
      if (isMeant(row)) widen(rows.box[at]!, rows.box[at + 1]!, rows.box[at + 2]!, rows.box[at + 3]!);
    }
  };
  for (const { lngLatE7 } of coasts) widen(...boxOf(lngLatE7));
  widenBy((row) => !beyond.has(rows.layer[row]!));
  if (box[0] === Number.POSITIVE_INFINITY) widenBy(() => true);
  return box[0] === Number.POSITIVE_INFINITY ? [0, 0, 0, 0] : box;
}
