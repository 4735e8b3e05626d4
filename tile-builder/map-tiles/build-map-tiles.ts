import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { MapElements } from '../osm/map-elements.js';
import { CollectedRows } from './collect-rows.js';
import { blocksOf, squareOf } from './draw-square.js';
import { EarlierMap } from './earlier-map.js';
import { ExtractSea, markSea } from './extract-sea.js';
import { landBox } from './land-box.js';
import { mapTileLimits } from './limits.js';
import { type BlockEntry, mapManifestKey, mapMemoryKey, sealMapManifest } from './map-manifest.js';
import { encodeMapMemory, type MapSettings } from './map-memory.js';
import type { MapSession } from './map-session.js';
import { rowsOfSquares, rowsToCut, squareAt, squareZoom } from './plan-squares.js';
import type { Box } from './ring-geometry.js';
import { coastsOf } from './sea.js';
import type { SquareInput } from './square-input.js';
import {
  type BlockPlace,
  type BlockPlan,
  type DrawnSquare,
  nameOf,
  SquareWriter,
  takenBlock,
} from './square-writer.js';
import { markChanges, TouchedTiles } from './touched-tiles.js';
import type { TileId } from './web-mercator.js';

/** Draws whole squares somewhere else. */
export interface SquareShare {
  /** Resolves when the square is handed over; `drawn` when every tile of it is in the store. */
  draw(input: SquareInput): Promise<{ readonly drawn: Promise<DrawnSquare> }>;
}

export interface MapTilesOptions {
  /** Deepest zoom of vector tiles. Default: 16. */
  readonly zoomMax?: number;
  /** Deepest zoom of PNG tiles that are drawn ahead; −1 for none. Default: 12. */
  readonly pngZoomMax?: number;
  /** Sea, borders and countries of the whole world at the low zooms. Default: true. */
  readonly world?: boolean;
  /** Id of a map whose tiles are taken over where they are made of the same; the bytes are those of a build without it. */
  readonly earlier?: string;
  /** Who draws the squares; absent: this process does. The bytes are the same. */
  readonly share?: SquareShare;
  /** Of a process that builds again and again; the bytes are the same. */
  readonly session?: MapSession;
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
  const earlier = before?.covers(box) === true ? before : undefined;
  const from = world ? squareZoom : 0;
  const sea = new ExtractSea(coasts, widened(box), { from, zoomMax }, earlier?.memory);
  const changes = changesOf(earlier, drawn, sea, zoomMax);
  const squares = rowsOfSquares(drawn.rows, sea.rows, (root) =>
    hasCut(blocksOf({ root, settings, bounds }), changes),
  );
  const writer = new SquareWriter({ objects, zoomMax, pngZoomMax, bounds });
  const total = squares.size + 2;
  let done = 0;
  const progress = (): void => options.onProgress?.('map', ++done, total);
  progress();
  const under: Promise<DrawnSquare>[] = [];
  const draw = async (root: TileId, candidates: readonly number[]): Promise<void> => {
    const plans = await planned(blocksOf({ root, settings, bounds }), changes);
    const features = drawn.features(rowsToCut(drawn.rows, candidates, plans));
    const input: SquareInput = { root, settings, bounds, features, sea: () => sea.tree };
    const isWhole = plans.every(({ kept, touched }) => kept === undefined && touched === undefined);
    // What is drawn here is drawn one after the other.
    const square =
      options.share !== undefined && isWhole
        ? (await options.share.draw(input)).drawn
        : Promise.resolve(await writer.write(await squareOf(input, plans)));
    const tracked = square.finally(progress);
    // Looked at when all are handed over.
    tracked.catch(() => {});
    under.push(tracked);
  };
  const low: number[] = [];
  for (let row = 0; row < drawn.rows.length; row++) if (drawn.rows.minZoom[row]! < squareZoom) low.push(row);
  await draw({ z: 0, x: 0, y: 0 }, low);
  for (const [key, candidates] of squares) if (zoomMax >= squareZoom) await draw(squareAt(key), candidates);
  const all = await Promise.all(under);
  const vector = all.flatMap((square) => square.vector);
  const png = all.flatMap((square) => square.png);
  const { mapId, bytes } = sealMapManifest({
    format: 'meridian-map-tiles',
    version: 1,
    attribution: attributionText,
    bounds,
    world,
    vector: { zoomMax, blocks: vector },
    png: { zoomMax: pngZoomMax, blocks: png },
  });
  const memory = { settings, box, drawn, coasts: sea.coasts, sea: sea.rows, brokenCoasts: sea.broken };
  await objects.put(mapMemoryKey(mapId), encodeMapMemory(mapId, memory));
  await objects.put(mapManifestKey(mapId), bytes);
  options.onProgress?.('map', total, total);
  const tiles = (blocks: readonly BlockEntry[]): number =>
    blocks.reduce((sum, block) => sum + block.tiles, 0);
  const stored = new Map([...vector, ...png].map((block) => [block.sha256, block.bytes]));
  return {
    mapId,
    vectorTiles: tiles(vector),
    pngTiles: tiles(png),
    bytes: [...stored.values()].reduce((sum, size) => sum + size, bytes.length),
    brokenRings: drawn.brokenRings + sea.broken,
    cutTiles: all.reduce((sum, { cutTiles }) => sum + cutTiles, 0),
    keptTiles: all.reduce((sum, { keptTiles }) => sum + keptTiles, 0),
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

/** Undefined where all is drawn: there is no such map, or so much has changed that looking it up is no use. */
function changesOf(
  earlier: EarlierMap | undefined,
  drawn: CollectedRows,
  sea: ExtractSea,
  zoomMax: number,
): MapChanges | undefined {
  if (earlier === undefined) return undefined;
  const touched = new TouchedTiles(zoomMax);
  markChanges(earlier.memory.drawn, drawn, touched);
  markSea(earlier.memory.sea, sea.rows, zoomMax, touched);
  return touched.isTooMuch ? undefined : { earlier, touched };
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
