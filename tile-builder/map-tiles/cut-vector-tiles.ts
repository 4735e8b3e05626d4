import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { type Band, tilesOfBlock } from './block-grid.js';
import { drawingOf, encodeVectorTile, extent } from './encode-vector-tile.js';
import type { MapFeature, Shape } from './map-feature.js';
import type { TileId } from './web-mercator.js';

/** Units beyond the edge of a tile that are drawn too, so that outlines and joints do not show at the edge. */
const buffer = 64;
/** Units by which a line may be simplified: a fifth of a pixel of a 256-pixel tile. */
const tolerance = 3;

type Position = [number, number];

/** Cuts the tiles below one tile of the grid, from the features that touch it. */
export class TileCutter {
  readonly #index: GeoJSONVT;
  /** Tiles that are nothing but one area without attributes, the open sea: so are all tiles below them. */
  readonly #plain = new Map<string, Uint8Array>();

  /** @param zoomMax the deepest zoom that will be asked for; there nothing is simplified. */
  constructor(features: readonly MapFeature[], zoomMax: number) {
    this.#index = new GeoJSONVT(
      { type: 'FeatureCollection', features: features.map(geoJson) },
      { maxZoom: zoomMax, indexMaxZoom: 0, extent, buffer, tolerance },
    );
  }

  /** Bytes of the tile; undefined when nothing is drawn in it. */
  cut({ z, x, y }: TileId): Uint8Array | undefined {
    const above = this.#plain.get(`${z - 1}/${x >> 1}/${y >> 1}`);
    if (above !== undefined) {
      this.#plain.set(`${z}/${x}/${y}`, above);
      return above;
    }
    const features: readonly RawFeature[] | undefined = this.#index.getTileRaw(z, x, y)?.features;
    if (features === undefined || features.length === 0) return undefined;
    const bytes = encodeVectorTile(features, z);
    if (bytes !== undefined && features.length === 1 && coversTile(features[0]!, z))
      this.#plain.set(`${z}/${x}/${y}`, bytes);
    return bytes;
  }

  /** The tiles of a block that hold anything, in the order of their numbers. Shallow zooms first, as the index grows. */
  *block(band: Band, x: number, y: number, zoomMax: number): Iterable<[TileId, Uint8Array]> {
    for (const tile of tilesOfBlock({ ...band, to: Math.min(band.to, zoomMax) }, x, y)) {
      const bytes = this.cut(tile);
      if (bytes !== undefined) yield [tile, bytes];
    }
  }
}

function coversTile(feature: RawFeature, z: number): boolean {
  const { attributes, minZoom, maxZoom } = drawingOf(feature);
  if (feature.type !== 3 || attributes.length > 0 || z < minZoom || maxZoom !== undefined) return false;
  const ring = feature.geometry[0]!;
  return (
    feature.geometry.length === 1 &&
    ring.length === 10 &&
    ring.every((value) => value === -buffer || value === extent + buffer)
  );
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
