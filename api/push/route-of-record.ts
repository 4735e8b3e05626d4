import polyline from '@mapbox/polyline';
import type { NavigationChanged } from '#schemas/messages.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import type { Roads } from '../roads/roads.js';
import type { RouteEdges } from './held-record.js';

const earthRadiusM = 6_371_008.8;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres between two points [lng, lat] by the haversine formula. */
function metresBetween(a: readonly [number, number], b: readonly [number, number]): number {
  const sinLat = Math.sin(radians(b[1] - a[1]) / 2);
  const sinLng = Math.sin(radians(b[0] - a[0]) / 2);
  const h = sinLat * sinLat + Math.cos(radians(a[1])) * Math.cos(radians(b[1])) * sinLng * sinLng;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * The route of a record, drawn from its edges: for a client that comes back so late that the frame itself is gone.
 * A record does not say where on its first and last edge the route begins and ends, so the line holds both whole.
 * Ids of edges outlive a release of the map; undefined when the present one lacks an edge of the route.
 */
export function routeOfRecord(record: NavigationChanged, roads: Roads): RouteBody | undefined {
  const points: (readonly [number, number])[] = [];
  for (const edgeId of record.edgeIds) {
    const edge = roads.edgeOf(edgeId);
    if (edge === undefined) return undefined;
    // Each edge begins where the one before ended.
    points.push(...roads.lineOf(edge).slice(points.length === 0 ? 0 : 1));
  }
  const metres = points.slice(1).reduce((sum, point, index) => sum + metresBetween(points[index]!, point), 0);
  return {
    polyline: polyline.encode(points.map(([lng, lat]) => [lat, lng])),
    distance_m: Math.round(metres),
    duration_s: record.durationS,
    metric_version: record.metricVersion,
    edge_ids: [...record.edgeIds],
  };
}

/** The navigating-user record of a decided route; undefined when it is of another tileset. */
export function tilesOfRoute(
  { tilesetId, edgeIds }: RouteEdges,
  roads: Roads,
): readonly string[] | undefined {
  const [start, destination] = [edgeIds[0], edgeIds.at(-1)].map((id) =>
    id === undefined || tilesetId !== roads.tilesetId ? undefined : roads.edgeOf(id),
  );
  return start === undefined || destination === undefined
    ? undefined
    : roads.tilesBetween(start, destination);
}
