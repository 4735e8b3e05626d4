import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { extent, tagsOf } from '../../format/encode-vector-tile.js';
import type { MapFeature, Shape } from '../../format/map-feature.js';
import type { TileId } from '../../format/web-mercator.js';

/** Buffer around a tile, in units, so that outlines and joints are not visible at its edge. */
export const buffer = 64;
/**
 * Share of a tile beyond its edge whose features may be visible in it: the buffer, and the same again for
 * rounding.
 */
export const margin = (2 * buffer) / extent;
/** Units by which a line may be simplified: a fifth of a pixel of a 256-pixel tile. */
export const tolerance = 3;

type Position = [number, number];

/** Members of the slicer that its types omit. */
interface Slicer {
  readonly tiles: Record<number, { source: unknown } | undefined>;
  /** Splits a tile into quarters, recursively, down to a requested tile. */
  splitTile(source: unknown, z: number, x: number, y: number, toZ: number, toX: number, toY: number): void;
}
const slicerId = (z: number, x: number, y: number): number => (2 ** z * y + x) * 32 + z;

/** Cuts the tiles below one tile of the grid, from the features that touch it. */
export class TileCutter {
  readonly #index: GeoJSONVT | undefined;

  /**
   * @param zoomMax the deepest zoom of the map; there nothing is simplified.
   * @param root only this tile and tiles below it are requested.
   * @param wanted only these are requested; absent: any.
   */
  constructor(features: readonly MapFeature[], zoomMax: number, root: TileId, wanted?: Iterable<TileId>) {
    if (features.length === 0) return;
    this.#index = new GeoJSONVT(
      { type: 'FeatureCollection', features: features.map(geoJson) },
      { maxZoom: zoomMax, indexMaxZoom: 0, extent, buffer, tolerance },
    );
    const slicer = this.#index as unknown as Slicer;
    if (wanted !== undefined) leaveOut(slicer, root, wanted);
    const { z, x, y } = root;
    if (z < 2) return;
    // Not through all zooms above, which would create ten tiles that are never requested.
    const source = slicer.tiles[0]?.source;
    if (source != null) slicer.splitTile(source, z - 1, x >> 1, y >> 1, z, x, y);
  }

  /** The features in a tile, in order; not all are drawn at its zoom. */
  cut({ z, x, y }: TileId): readonly RawFeature[] {
    return this.#index?.getTileRaw(z, x, y)?.features ?? [];
  }
}

/** Gives the slicer empty tiles instead of siblings that lead to no wanted tile. */
function leaveOut(slicer: Slicer, root: TileId, wanted: Iterable<TileId>): void {
  const onTheWay = new Set<number>();
  for (let { z, x, y } of wanted) {
    for (; z >= root.z && !onTheWay.has(slicerId(z, x, y)); z--, x >>= 1, y >>= 1)
      onTheWay.add(slicerId(z, x, y));
  }
  for (const id of onTheWay) {
    const z = id % 32;
    const place = (id - z) / 32;
    const [x, y] = [place % 2 ** z, Math.floor(place / 2 ** z)];
    for (let quarter = 0; quarter < 4; quarter++) {
      const child = slicerId(z + 1, 2 * x + (quarter & 1), 2 * y + (quarter >> 1));
      if (!onTheWay.has(child)) slicer.tiles[child] = { source: null };
    }
  }
}

const geoJson = (feature: MapFeature): GeoJSON.Feature => ({
  type: 'Feature',
  // Passed through by reference, so that a tile's features keep their identity and style.
  properties: tagsOf(feature),
  geometry: geometryOf(feature.shape),
});

function geometryOf(shape: Shape): GeoJSON.Geometry {
  switch (shape.type) {
    case 'point':
      return { type: 'Point', coordinates: positions(shape.at)[0]! };
    case 'line':
      return { type: 'LineString', coordinates: positions(shape.line) };
    case 'area':
      return { type: 'MultiPolygon', coordinates: shape.polygons.map((rings) => rings.map(positions)) };
  }
}

/** A longer step between two points crosses the date line. */
const halfTurn = 1_800_000_000;

function positions(line: Int32Array): Position[] {
  const found: Position[] = [];
  let turned = 0;
  for (let i = 0; i < line.length; i += 2) {
    const step = i === 0 ? 0 : line[i]! - line[i - 2]!;
    // Longitudes continue beyond 180 degrees, and the slicer wraps both halves. A full turn is the edge of
    // the world itself, in polygons that contain a pole.
    if (Math.abs(step) > halfTurn && Math.abs(step) < 2 * halfTurn) turned -= 360 * Math.sign(step);
    found.push([line[i]! / 1e7 + turned, line[i + 1]! / 1e7]);
  }
  return found;
}
