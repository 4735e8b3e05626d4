import { memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import type { MapElements } from '#osm/elements/map-elements.js';
import type { Box } from '#osm/polygons/ring-geometry.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { mapTileLimits } from '../format/limits.js';
import { type BlockEntry, mapManifestKey, mapMemoryKey, sealMapManifest } from '../format/map-manifest.js';
import type { TileId } from '../format/web-mercator.js';
import { ExtractSea } from './extract-sea.js';
import { landBox, meetsItself } from './land-box.js';
import { changesOf, hasCut, planned } from './map-changes.js';
import { CollectedRows } from './rows/collect-rows.js';
import { coastsOf, isCoast } from './sea/sea.js';
import { encodeMapMemory, type MapSettings } from './squares/map-build-cache.js';
import type { MapSession } from './squares/map-session.js';
import {
  rowsAbove,
  rowsOfSquares,
  rowsToCut,
  squareAt,
  squaresWith,
  squareZoom,
} from './squares/plan-squares.js';
import { PreviousMap } from './squares/previous-map.js';
import { blocksOf, squareOf } from './squares/render-square.js';
import type { SquareInput } from './squares/square-input.js';
import { type DrawnSquare, SquareWriter } from './squares/square-writer.js';
import { TilePieces } from './tiles/tile-pieces.js';

/** Renders build tiles elsewhere. */
export interface SquareShare {
  /** Resolves when the square is submitted; `drawn` when all of its tiles are in the store. */
  draw(input: SquareInput): Promise<{ readonly drawn: Promise<DrawnSquare> }>;
}

export interface MapTilesOptions {
  /** Deepest zoom of vector tiles. Default: 16. */
  readonly zoomMax?: number;
  /** Deepest zoom of prepared PNG tiles; −1 for none. Default: 12. */
  readonly pngZoomMax?: number;
  /** Sea, borders and countries of the whole world at the low zooms. Default: true. */
  readonly world?: boolean;
  /**
   * Id of a map whose tiles are reused where their sources are the same; the bytes are those of a build
   * without it.
   */
  readonly earlier?: string;
  /** Renders the build tiles; absent: this process does. The bytes are the same. */
  readonly share?: SquareShare;
  /** The session of a long-running builder; the bytes are the same. */
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
  /** Tiles that were cut, and those that were reused from the previous map. */
  readonly cutTiles: number;
  readonly keptTiles: number;
}

const attributionText = '© OpenStreetMap contributors';
const pngZoomMaxDefault = 12;

/**
 * Cuts and renders the map of an extract and puts it into the store. Over a previous map, the rows of an
 * element are found by a hash of the element, and only layers with an added, removed or changed feature are
 * cut: ADR 0091. Memory holds the elements and the content of one square of zoom 10. The manifest is written
 * last; nothing points to the map until a release does.
 */
export async function buildMapTiles(
  elements: MapElements,
  objects: ObjectStore,
  options: MapTilesOptions = {},
): Promise<BuiltMapTiles> {
  const { session, share, onProgress } = options;
  const settings = settingsOf(options);
  const { zoomMax, pngZoomMax, world } = settings;
  const known = session?.take(objects, options.earlier, settings);
  const before = known ? PreviousMap.of(known, session!.blocks) : await earlierOf(objects, options, settings);
  const columns = session?.memoryBeside(known) ?? memoryOfOneBuild();
  const drawn = new CollectedRows(elements, before?.memory.drawn, columns);
  const coasts = drawn.changedWays?.some(isCoast) === false ? known!.coasts : coastsOf(elements.ways);
  const box = landBox(drawn.rows, coasts);
  const bounds = box.map((value) => value / 1e7) as unknown as Box;
  const earlier = before?.covers(box) === true ? before : undefined;
  const from = world ? squareZoom : 0;
  const sea = new ExtractSea(coasts, widened(box), { from, zoomMax }, earlier?.memory);
  const changes = changesOf(earlier, drawn, sea, zoomMax);
  const remembered = changes && known?.pieces;
  const pieces = session && !meetsItself(drawn.rows) ? (remembered ?? new TilePieces()) : undefined;
  const rowsOf = onceMade(() =>
    rowsOfSquares(drawn.rows, sea.rows, (root) => hasCut(blocksOf({ root, settings, bounds }), changes)),
  );
  const squares =
    changes && known
      ? squaresWith(
          known.squares,
          drawn.rows,
          drawn.numbers.freshRows,
          sea.rows === known.memory.sea ? [] : sea.rows,
        )
      : [...rowsOf().keys()];
  const writer = new SquareWriter({
    ...{ objects, zoomMax, pngZoomMax, bounds },
    ...(pieces && { pieces }),
    ...(session && { open: session.blocks, buffers: session.buffers, grounds: session.grounds }),
  });
  const total = squares.length + 2;
  let done = 0;
  const progress = (): void => onProgress?.('map', ++done, total);
  progress();
  const under: Promise<DrawnSquare>[] = [];
  const draw = async (root: TileId, candidates: () => Iterable<number>): Promise<void> => {
    const places = [...blocksOf({ root, settings, bounds })];
    const plans = await planned(places, changes, pieces);
    const rows = new Set([
      ...rowsToCut(
        drawn.rows,
        () => drawn.numbers.freshRows,
        plans,
        ({ touched }) => touched,
      ),
      ...rowsToCut(drawn.rows, candidates, plans, ({ touched, unknown = touched }) => unknown),
    ]);
    const input: SquareInput = {
      root,
      settings,
      bounds,
      features: drawn.features(rows),
      sea: () => sea.tree,
    };
    const isWhole = plans.every(({ kept, touched }) => kept === undefined && touched === undefined);
    // Tiles that are rendered here are rendered one after the other.
    const square =
      share !== undefined && isWhole
        ? (await share.draw(input)).drawn
        : Promise.resolve(await writer.write(await squareOf(input, plans, drawn.order)));
    const tracked = square.finally(progress);
    // Awaited when all are submitted.
    tracked.catch(() => {});
    under.push(tracked);
  };
  await draw({ z: 0, x: 0, y: 0 }, () => rowsAbove(drawn.rows, squareZoom));
  if (zoomMax >= squareZoom)
    for (const key of squares) await draw(squareAt(key), () => rowsOf().get(key) ?? []);
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
  await objects.put(mapMemoryKey(mapId), encodeMapMemory(mapId, memory, columns.scratch));
  await objects.put(mapManifestKey(mapId), bytes);
  onProgress?.('map', total, total);
  drawn.release();
  session?.keep({
    ...{ objects, mapId, memory, coasts, pieces, columns: columns.kept },
    blocks: { vector: { zoomMax, blocks: vector }, png: { zoomMax: pngZoomMax, blocks: png } },
    squares: squares.filter((_, i) => (all[i + 1]?.vector.length ?? 0) > 0),
  });
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

/**
 * Sea round the outermost shores, 1e-7 degrees: some kilometres, so that an island does not end at the edge
 * of the map.
 */
const seaRoom = 500_000;
const widened = ([west, south, east, north]: Box): Box => [
  Math.max(-1_800_000_000, west - seaRoom),
  Math.max(-900_000_000, south - seaRoom),
  Math.min(1_800_000_000, east + seaRoom),
  Math.min(900_000_000, north + seaRoom),
];

const earlierOf = async (
  objects: ObjectStore,
  { earlier, session }: MapTilesOptions,
  settings: MapSettings,
): Promise<PreviousMap | undefined> =>
  earlier === undefined ? undefined : PreviousMap.open(objects, earlier, settings, session?.blocks);

function onceMade<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
