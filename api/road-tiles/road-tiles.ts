import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { encodeTile, extent } from '#map-tiles/format/encode-vector-tile.js';
import type { Attribute } from '#map-tiles/format/map-feature.js';
import { tileZoomMax } from '../http/limits.js';
import { joinRoads } from './join-roads.js';
import type { RoadLine } from './road-line.js';

/** First zoom at which a class is drawn. An unlisted class is drawn with the smallest roads. */
const firstZoom: ReadonlyMap<string, number> = new Map(
  Object.entries({
    motorway: 0,
    motorway_link: 9,
    trunk: 0,
    trunk_link: 9,
    primary: 7,
    primary_link: 11,
    secondary: 9,
    secondary_link: 11,
    tertiary: 10,
    tertiary_link: 11,
    ferry: 8,
    unclassified: 11,
    residential: 12,
    living_street: 12,
  }),
);
const firstZoomOfOthers = 13;

export const roadsLayer = 'roads';

/** Passed through the slicer by reference, so that the attributes of a road are created once. */
const attributesOf = ({ tags }: RawFeature): readonly Attribute[] => tags as unknown as readonly Attribute[];
const attribute = (key: string, value: Attribute['value']): Attribute => ({ key, value, fromZoom: 0 });

function feature(road: RoadLine): GeoJSON.Feature {
  const attributes = [attribute('class', road.class), attribute('oneway', road.oneway)];
  if (road.name !== '') attributes.push(attribute('name', road.name));
  if (road.ref !== '') attributes.push(attribute('ref', road.ref));
  return {
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: road.coordinates as unknown as GeoJSON.Position[] },
    properties: attributes as unknown as GeoJSON.Feature['properties'],
  };
}

/**
 * Cuts the road map into vector tiles on demand. Roads are grouped by the zoom at which they first appear,
 * one index for each group, so a tile of a low zoom never touches the side streets. An index keeps the tiles
 * that it has split, bounded by the tiles that the covered area has.
 */
export class RoadTiles {
  readonly #groups: readonly { readonly fromZoom: number; readonly index: GeoJSONVT }[];

  constructor(roads: Iterable<RoadLine>) {
    const groups = new Map<number, GeoJSON.Feature[]>();
    for (const road of joinRoads(roads)) {
      const fromZoom = firstZoom.get(road.class) ?? firstZoomOfOthers;
      const features = groups.get(fromZoom);
      if (features === undefined) groups.set(fromZoom, [feature(road)]);
      else features.push(feature(road));
    }
    const options = { maxZoom: tileZoomMax, indexMaxZoom: 0, extent, buffer: 64, tolerance: 3 };
    this.#groups = [...groups]
      .toSorted(([a], [b]) => b - a)
      .map(([fromZoom, features]) => ({
        fromZoom,
        index: new GeoJSONVT({ type: 'FeatureCollection', features }, options),
      }));
  }

  /**
   * Bytes of the tile, or undefined when nothing is drawn in it. Small roads come first, so that large ones
   * are drawn over them.
   */
  cut(z: number, x: number, y: number): Uint8Array | undefined {
    const features = this.#groups
      .filter(({ fromZoom }) => z >= fromZoom)
      .flatMap(({ index }) => index.getTileRaw(z, x, y)?.features ?? []);
    return encodeTile(roadsLayer, features, attributesOf);
  }
}
