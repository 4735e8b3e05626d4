import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { MapElements } from '../osm/map-elements.js';
import { bandOf, bands } from './block-grid.js';
import { collectFeatures } from './collect-features.js';
import { mapTileLimits } from './limits.js';
import type { MapFeature } from './map-feature.js';
import { EarlierMap, putMapInputs } from './map-inputs.js';
import { mapManifestKey, sealMapManifest } from './map-manifest.js';
import type { Box } from './ring-geometry.js';
import { coastsOf, seaOf } from './sea.js';
import { byRoot, landBounds } from './share-out.js';
import { MapSquare, SquareWriter } from './square-writer.js';
import { keyed } from './tile-keys.js';
import { tileAt } from './web-mercator.js';
import { worldFeatures } from './world.js';

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
/** Blocks of shallower zooms are cut from few features at once, the others square by square of this zoom. */
const squareZoom = 10;

/**
 * Cuts and draws the map of an extract and puts it into the store. Memory holds the elements and what lies in one square
 * of zoom 10. The manifest is written last; nothing points to the map until a release does.
 */
export async function buildMapTiles(
  elements: MapElements,
  objects: ObjectStore,
  options: MapTilesOptions = {},
): Promise<BuiltMapTiles> {
  const zoomMax = options.zoomMax ?? mapTileLimits.zoomMax;
  const pngZoomMax = Math.min(zoomMax, options.pngZoomMax ?? pngZoomMaxDefault);
  const world = options.world ?? true;
  const { features: collected, brokenRings } = collectFeatures(elements);
  const coasts = coastsOf(elements.ways);
  const box = landBounds(
    collected,
    coasts.map(({ lngLatE7 }) => lngLatE7),
  );
  const bounds = box.map((value) => value / 1e7) as unknown as Box;
  const sea = seaOf(coasts, widened(box));
  const ocean: MapFeature[] = sea.polygons.map((rings) => ({
    drawing: { layer: 'ocean', minZoom: world ? squareZoom : 0, attributes: [] },
    shape: { type: 'area', polygons: [rings] },
    rank: Number.NEGATIVE_INFINITY,
  }));
  const features = [...ocean, ...collected].map(keyed);
  const earlier = await takenOver(objects, options.earlier, { zoomMax, pngZoomMax, world });

  const writer = new SquareWriter({ objects, zoomMax, pngZoomMax, bounds, earlier });
  const shallow = [
    ...(world ? await worldFeatures() : []).map(keyed),
    ...features.filter(({ drawing }) => drawing.minZoom < squareZoom),
  ];
  const squares = byRoot(features, squareZoom);
  let done = 0;
  const progress = (): void => options.onProgress?.('map', done++, squares.length + 1);
  progress();
  const low = new MapSquare(shallow, zoomMax);
  for (const band of bands.filter(({ to }) => to < squareZoom))
    for (const [x, y] of tilesOver(bounds, band.root, world))
      if (band.from <= zoomMax) await writer.write(low, band, x, y);
  for (const { x, y, features: ofSquare } of squares) {
    progress();
    if (zoomMax < squareZoom) break;
    const square = new MapSquare(ofSquare, zoomMax);
    for (const band of bands) {
      if (band.from < squareZoom || band.from > zoomMax) continue;
      const side = 2 ** (band.root - squareZoom);
      for (let dx = 0; dx < side; dx++)
        for (let dy = 0; dy < side; dy++) await writer.write(square, band, x * side + dx, y * side + dy);
    }
  }
  const { vector, png, inputs } = writer;
  const { mapId, bytes } = sealMapManifest({
    format: 'meridian-map-tiles',
    version: 1,
    attribution: attributionText,
    bounds,
    world,
    vector: { zoomMax, blocks: vector.entries },
    png: { zoomMax: pngZoomMax, blocks: png.entries },
  });
  await putMapInputs(objects, mapId, inputs);
  await objects.put(mapManifestKey(mapId), bytes);
  options.onProgress?.('map', squares.length + 1, squares.length + 1);
  const count = ({ entries }: typeof vector): number => entries.reduce((sum, { tiles }) => sum + tiles, 0);
  return {
    mapId,
    vectorTiles: count(vector),
    pngTiles: count(png),
    bytes: vector.bytes + png.bytes + bytes.length,
    brokenRings: brokenRings + sea.broken,
    cutTiles: writer.cutTiles,
    keptTiles: writer.keptTiles,
  };
}

/** Sea round the outermost shores, 1e-7 degrees: some kilometres, so that an island does not end at the edge of the map. */
const seaRoom = 500_000;
const widened = ([west, south, east, north]: Box): Box => [
  Math.max(-1_800_000_000, west - seaRoom),
  Math.max(-900_000_000, south - seaRoom),
  Math.min(1_800_000_000, east + seaRoom),
  Math.min(900_000_000, north + seaRoom),
];

function* tilesOver(bounds: Box, z: number, world: boolean): Iterable<[x: number, y: number]> {
  const all = world && bandOf(z).root === 0;
  const [west, south, east, north] = bounds;
  const first = all ? { x: 0, y: 0 } : tileAt(north, west, z);
  const last = all ? { x: 2 ** z - 1, y: 2 ** z - 1 } : tileAt(south, east, z);
  for (let x = first.x; x <= last.x; x++) for (let y = first.y; y <= last.y; y++) yield [x, y];
}

/** The map before, unless it was drawn otherwise. */
async function takenOver(
  objects: ObjectStore,
  mapId: string | undefined,
  { zoomMax, pngZoomMax, world }: { zoomMax: number; pngZoomMax: number; world: boolean },
): Promise<EarlierMap | undefined> {
  if (mapId === undefined) return undefined;
  const earlier = await EarlierMap.open(objects, mapId);
  const { manifest } = earlier ?? {};
  const isAlike =
    manifest?.vector.zoomMax === zoomMax && manifest.png.zoomMax === pngZoomMax && manifest.world === world;
  return isAlike ? earlier : undefined;
}
