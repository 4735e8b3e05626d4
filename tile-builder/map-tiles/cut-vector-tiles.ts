import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { extent } from './encode-vector-tile.js';
import type { MapFeature, Shape } from './map-feature.js';
import type { TileId } from './web-mercator.js';

/** Units beyond the edge of a tile that are drawn too, so that outlines and joints do not show at the edge. */
export const buffer = 64;
/** Share of a tile beyond its edge in which something may be seen in it: the buffer, and as much again for what rounding moves. */
export const margin = (2 * buffer) / extent;
/** Units by which a line may be simplified: a fifth of a pixel of a 256-pixel tile. */
export const tolerance = 3;

type Position = [number, number];

/** The slicer's own step from a tile to its quarters, which its types leave out. */
interface Slicer {
  readonly tiles: Readonly<Record<number, { source: unknown } | undefined>>;
  splitTile(source: unknown, z: number, x: number, y: number, toZ: number, toX: number, toY: number): void;
}

/** Cuts the tiles below one tile of the grid, from the features that touch it. */
export class TileCutter {
  readonly #index: GeoJSONVT | undefined;

  /**
   * @param zoomMax the deepest zoom of the map; there nothing is simplified.
   * @param root only it and tiles below it are asked for.
   */
  constructor(features: readonly MapFeature[], zoomMax: number, root: TileId) {
    if (features.length === 0) return;
    this.#index = new GeoJSONVT(
      { type: 'FeatureCollection', features: features.map(geoJson) },
      { maxZoom: zoomMax, indexMaxZoom: 0, extent, buffer, tolerance },
    );
    const { z, x, y } = root;
    if (z < 2) return;
    // Not through all zooms above: they would make ten tiles that nobody asks for.
    const slicer = this.#index as unknown as Slicer;
    const source = slicer.tiles[0]?.source;
    if (source != null) slicer.splitTile(source, z - 1, x >> 1, y >> 1, z, x, y);
  }

  /** What is seen in a tile, in the order of the features; not all is drawn at its zoom. */
  cut({ z, x, y }: TileId): readonly RawFeature[] {
    return this.#index?.getTileRaw(z, x, y)?.features ?? [];
  }
}

const geoJson = ({ drawing, shape }: MapFeature): GeoJSON.Feature => ({
  type: 'Feature',
  // Handed through by reference, so that a tile's features know how they are drawn.
  properties: drawing as unknown as GeoJSON.GeoJsonProperties,
  geometry: geometryOf(shape),
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

/** More than this from one point to the next goes the other way round, over the date line. */
const halfTurn = 1_800_000_000;

function positions(line: Int32Array): Position[] {
  const found: Position[] = [];
  let turned = 0;
  for (let i = 0; i < line.length; i += 2) {
    const step = i === 0 ? 0 : line[i]! - line[i - 2]!;
    // Counted on beyond 180 degrees; the slicer brings both halves to their places.
    // A whole turn is the edge of the world itself, as polygons that hold a pole have it.
    if (Math.abs(step) > halfTurn && Math.abs(step) < 2 * halfTurn) turned -= 360 * Math.sign(step);
    found.push([line[i]! / 1e7 + turned, line[i + 1]! / 1e7]);
  }
  return found;
}
