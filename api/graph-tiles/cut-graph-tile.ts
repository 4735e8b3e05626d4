import { gzipSync } from 'node:zlib';
import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { encodeTile, extent } from '#map-tiles/format/encode-vector-tile.js';
import { latOf, lngOf } from '#map-tiles/format/web-mercator.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { cellsIn, piecesIn } from '#routing-engine/snap/snap-index.js';
import { graphTileRoadsMax, graphTileZoom } from '../http/limits.js';
import type { GraphTile } from '../ports/graph-tiles.js';
import type { TileAddress } from '../road-tiles/cut-tile.js';
import { type Attributes, roadFeatures } from './road-features.js';
import { turnFeatures } from './turn-features.js';

/** For the thread of tiles; structured-cloneable. */
export interface GraphTileTask {
  readonly address: TileAddress;
  readonly metric: Metric;
}

/** Beyond the edge of a tile, in its units, so that lines of neighbours meet. */
const buffer = 64;

/** Roads with their present speeds, and the turns between them where the zoom is high enough. */
export function cutGraphTile(
  network: RoadNetwork,
  metric: Metric,
  { z, x, y }: TileAddress,
  roadsMax = graphTileRoadsMax,
): GraphTile {
  const margin = buffer / extent;
  const box = [
    lngOf(x - margin, z),
    latOf(y + 1 + margin, z),
    lngOf(x + 1 + margin, z),
    latOf(y - margin, z),
  ].map((degrees) => Math.round(1e7 * degrees)) as [number, number, number, number];
  const pieces = new Set<number>();
  for (const cell of cellsIn(network, box)) piecesIn(network, cell, box, pieces);
  if (pieces.size > roadsMax) return { status: 'too-big', roads: pieces.size };
  const layers = [
    layer('speeds', roadFeatures(network, metric, pieces)),
    ...(z < graphTileZoom.turns ? [] : [layer('turns', turnFeatures(network, metric, pieces))]),
  ];
  return { status: 'ok', gzip: gzipSync(Buffer.concat(layers)) };

  function layer(name: string, features: GeoJSON.Feature[]): Uint8Array {
    const options = { maxZoom: graphTileZoom.most, indexMaxZoom: 0, extent, buffer, tolerance: 3 };
    const cut = new GeoJSONVT({ type: 'FeatureCollection', features }, options).getTileRaw(z, x, y);
    return encodeTile(name, cut?.features ?? [], attributesOf) ?? new Uint8Array();
  }
}

const attributesOf = ({ tags }: RawFeature): Attributes => tags as unknown as Attributes;
