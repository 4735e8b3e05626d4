import type { Attribute } from '#map-tiles/format/map-feature.js';
import { barredTo } from '#routing-engine/network/barred-roads.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { CLOSED, freeFlowMs, type Metric } from '#routing-engine/overlay/metric.js';

export type Attributes = readonly Attribute[];

export const attributes = (values: Readonly<Record<string, Attribute['value']>>): Attributes =>
  Object.entries(values).map(([key, value]) => ({ key, value, fromZoom: 0 }));

/** The slicer passes them on by reference. */
export const featureOf = (geometry: GeoJSON.Geometry, of: Attributes): GeoJSON.Feature => ({
  type: 'Feature',
  geometry,
  properties: of as unknown as GeoJSON.Feature['properties'],
});

/** Names of where speeds come from, as in the annotations of routes. */
export const dataSources = ['free flow', 'live traffic'] as const;

/** Both directions of the pieces, as far as a route may use them now, in the layout of OSRM's `speeds`. */
export function roadFeatures(
  network: RoadNetwork,
  metric: Metric,
  pieces: Iterable<number>,
): GeoJSON.Feature[] {
  const { pieceEdge, reverse, part } = network.arrays;
  const parts = modeIndex(metric.mode) * network.edgeCount;
  const features: GeoJSON.Feature[] = [];
  const barred = barredTo(network, metric.vehicle);
  for (const piece of pieces)
    for (const edge of [pieceEdge[piece]!, reverse[pieceEdge[piece]!]!]) {
      if (edge < 0 || metric.costMs[edge] === CLOSED || barred?.hasWhole(edge) === true) continue;
      const ms = metric.costMs[edge]!;
      const kph = Math.round((3_600 * network.edgeLengthM(edge)) / ms);
      const isLive = ms !== freeFlowMs(network, edge, metric.mode);
      const of = attributes({
        speed: kph,
        is_small: part[parts + edge] !== 0,
        datasource: dataSources[isLive ? 1 : 0],
        duration: ms / 1_000,
        weight: ms / 1_000,
        name: network.edgeName(edge),
        rate: kph,
        is_startpoint: (network.edgeFlags(edge) & edgeFlag.ferry) === 0,
      });
      features.push(featureOf({ type: 'LineString', coordinates: pairs(network.edgeGeometry(edge)) }, of));
    }
  return features;
}

const pairs = (lngLat: Float64Array): number[][] =>
  Array.from({ length: lngLat.length / 2 }, (_, at) => [lngLat[2 * at]!, lngLat[2 * at + 1]!]);
