import type { TrafficAnswer } from '#schemas/http/map.js';
import { trafficEdgesMax } from '../http/limits.js';
import type { Roads } from './roads.js';

/** An edge whose speed is not that of free flow. */
export interface EdgeTraffic {
  readonly edge: number;
  readonly closed: boolean;
  /** 0 when closed. */
  readonly speedKph: number;
  readonly freeFlowKph: number;
}

/** The current metric, as far as traffic is concerned. */
export interface CurrentTraffic {
  readonly version: number;
  /** Unix milliseconds; undefined before the first version. */
  readonly publishedMs: number | undefined;
  differing(): Iterable<EdgeTraffic>;
  isClosed(edge: number): boolean;
}

type Congestion = TrafficAnswer['features'][number]['properties']['congestion'];

/** Levels by the share of free flow that is still driven. */
function congestionOf({ closed, speedKph, freeFlowKph }: EdgeTraffic): Congestion {
  if (closed) return 'closed';
  const share = speedKph / freeFlowKph;
  if (share >= 0.75) return 'low';
  if (share >= 0.5) return 'moderate';
  return share >= 0.25 ? 'heavy' : 'severe';
}

const shareOf = ({ speedKph, freeFlowKph }: EdgeTraffic): number => speedKph / freeFlowKph;
const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** GeoJSON of the edges that differ, worst first when there are too many to send. */
export function trafficView(traffic: CurrentTraffic, roads: Roads): TrafficAnswer {
  let edges = [...traffic.differing()];
  if (edges.length > trafficEdgesMax)
    edges = edges.toSorted((a, b) => shareOf(a) - shareOf(b)).slice(0, trafficEdgesMax);
  return {
    metric_version: traffic.version,
    tileset_id: roads.tilesetId,
    type: 'FeatureCollection',
    features: edges.map((each) => ({
      type: 'Feature',
      id: each.edge,
      geometry: {
        type: 'LineString',
        coordinates: roads.lineOf(each.edge).map(([lng, lat]) => [lng, lat]),
      },
      properties: {
        edge_id: roads.edgeIdOf(each.edge),
        closed: each.closed,
        speed_kph: oneDecimal(each.speedKph),
        free_flow_kph: oneDecimal(each.freeFlowKph),
        congestion: congestionOf(each),
      },
    })),
  };
}
