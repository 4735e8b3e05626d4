import { gzipSync } from 'node:zlib';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { MapElements } from '../osm/map-elements.js';
import { type Band, bandOf, bands, blockName, numberInBlock } from './block-grid.js';
import { BlockWriter } from './block-writer.js';
import { collectFeatures } from './collect-features.js';
import { TileCutter } from './cut-vector-tiles.js';
import { PngPainter } from './draw/png-painter.js';
import { mapTileLimits } from './limits.js';
import type { MapFeature } from './map-feature.js';
import { mapManifestKey, sealMapManifest } from './map-manifest.js';
import type { Box } from './ring-geometry.js';
import { coastsOf, seaOf } from './sea.js';
import { byRoot, landBounds } from './share-out.js';
import { BlockBuilder, contentHash } from './tile-block.js';
import { latOf, lngOf, type TileId, tileAt } from './web-mercator.js';
import { worldFeatures } from './world.js';

export interface MapTilesOptions {
  /** Deepest zoom of vector tiles. Default: 16. */
  readonly zoomMax?: number;
  /** Deepest zoom of PNG tiles that are drawn ahead; −1 for none. Default: 12. */
  readonly pngZoomMax?: number;
  /** Sea, borders and countries of the whole world at the low zooms. Default: true. */
  readonly world?: boolean;
  readonly onProgress?: (phase: 'map', done: number, total: number) => void;
}

export interface BuiltMapTiles {
  readonly mapId: string;
  readonly vectorTiles: number;
  readonly pngTiles: number;
  readonly bytes: number;
  /** Rings of areas and coasts that were left out because they do not close. */
  readonly brokenRings: number;
}

const attributionText = '© OpenStreetMap contributors';
const pngZoomMaxDefault = 12;
/** Zooms at which PNG tiles of the whole world are drawn ahead; deeper ones only where the extract is. */
const pngWorldZoomMax = 3;
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
  const features = [...ocean, ...collected];

  const vector = new BlockWriter(objects);
  const png = new BlockWriter(objects);
  const painter = new PngPainter();
  const drawsPng = ({ z, x, y }: TileId): boolean =>
    z <= pngZoomMax && (z <= pngWorldZoomMax || touches({ z, x, y }, bounds));
  const write = async (cutter: TileCutter, band: Band, x: number, y: number): Promise<void> => {
    const vectorBlock = new BlockBuilder('vector');
    const pngBlock = new BlockBuilder('png');
    for (const [tile, bytes] of cutter.block(band, x, y, zoomMax)) {
      const number = numberInBlock(tile);
      vectorBlock.add(number, contentHash(bytes), () => packed(bytes));
      if (!drawsPng(tile)) continue;
      const image = await painter.paint(bytes, tile.z);
      pngBlock.add(number, contentHash(image), () => image);
    }
    const name = blockName({
      z: band.from,
      x: x << (band.from - band.root),
      y: y << (band.from - band.root),
    });
    await vector.write(name, vectorBlock);
    await png.write(name, pngBlock);
  };

  const shallow = [
    ...(world ? await worldFeatures() : []),
    ...features.filter(({ drawing }) => drawing.minZoom < squareZoom),
  ];
  const squares = byRoot(features, squareZoom);
  let done = 0;
  const progress = (): void => options.onProgress?.('map', done++, squares.length + 1);
  progress();
  const low = new TileCutter(shallow, zoomMax);
  for (const band of bands.filter(({ to }) => to < squareZoom))
    for (const [x, y] of tilesOver(bounds, band.root, world))
      if (band.from <= zoomMax) await write(low, band, x, y);
  for (const { x, y, features: ofSquare } of squares) {
    progress();
    if (zoomMax < squareZoom) break;
    const cutter = new TileCutter(ofSquare, zoomMax);
    for (const band of bands) {
      if (band.from < squareZoom || band.from > zoomMax) continue;
      const side = 2 ** (band.root - squareZoom);
      for (let dx = 0; dx < side; dx++)
        for (let dy = 0; dy < side; dy++) await write(cutter, band, x * side + dx, y * side + dy);
    }
  }
  const { mapId, bytes } = sealMapManifest({
    format: 'meridian-map-tiles',
    version: 1,
    attribution: attributionText,
    bounds,
    world,
    vector: { zoomMax, blocks: vector.entries },
    png: { zoomMax: pngZoomMax, blocks: png.entries },
  });
  await objects.put(mapManifestKey(mapId), bytes);
  options.onProgress?.('map', squares.length + 1, squares.length + 1);
  const count = (writer: BlockWriter): number => writer.entries.reduce((sum, { tiles }) => sum + tiles, 0);
  return {
    mapId,
    vectorTiles: count(vector),
    pngTiles: count(png),
    bytes: vector.bytes + png.bytes + bytes.length,
    brokenRings: brokenRings + sea.broken,
  };
}

/** gzip without the byte that names the operating system, so that every machine makes the same bytes. */
function packed(bytes: Uint8Array): Uint8Array {
  const gzip = gzipSync(bytes);
  gzip[9] = 255;
  return gzip;
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

function touches({ z, x, y }: TileId, [west, south, east, north]: Box): boolean {
  return lngOf(x, z) <= east && lngOf(x + 1, z) >= west && latOf(y + 1, z) <= north && latOf(y, z) >= south;
}
