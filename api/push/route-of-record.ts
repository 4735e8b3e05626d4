import polyline from '@mapbox/polyline';
import type { NavigationChanged } from '#schemas/messages.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import type { Roads } from '../ports/roads.js';
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
 * The route of a record, drawn from its edges: for a client that reconnects after the frame itself was
 * evicted. A record does not contain the positions of both ends on their edges, so the line includes both
 * edges completely. Edge ids stay valid over releases of the map; undefined if the current one lacks an edge
 * of the route.
 */
export function routeOfRecord(record: NavigationChanged, roads: Roads): RouteBody | undefined {
  const line = lineOf(record.edgeIds, roads);
  if (line === undefined) return undefined;
  return {
    polyline: encoded(line),
    distance_m: Math.round(lengthOf(line)),
    duration_s: record.durationS,
    metric_version: record.metricVersion,
    edge_ids: [...record.edgeIds],
  };
}

type Point = readonly [lng: number, lat: number];

/** Undefined when an edge is not on the map. */
function lineOf(edgeIds: readonly string[], roads: Roads): readonly Point[] | undefined {
  const points: Point[] = [];
  for (const edgeId of edgeIds) {
    const edge = roads.edgeOf(edgeId);
    if (edge === undefined) return undefined;
    // Each edge begins where the previous one ended.
    points.push(...roads.lineOf(edge).slice(points.length === 0 ? 0 : 1));
  }
  return points;
}

const lengthOf = (line: readonly Point[]): number =>
  line.slice(1).reduce((sum, point, index) => sum + metresBetween(line[index]!, point), 0);

const encoded = (line: readonly Point[]): string => polyline.encode(line.map(([lng, lat]) => [lat, lng]));

/**
 * The part of a route after its last closed edge, for a client that reconnects. The edges at its ends do not
 * count: a route may start or end on a closed road. Undefined if nothing is left, or an edge is not on the
 * map.
 */
export function openPartOf(
  route: RouteBody,
  roads: Roads,
  isClosed: (edgeId: string) => boolean,
): RouteBody | undefined {
  const { edge_ids: edgeIds } = route;
  const closedAt = edgeIds.findLastIndex((id, at) => at > 0 && at < edgeIds.length - 1 && isClosed(id));
  if (closedAt === -1) return route;
  const ahead = lineOf(edgeIds.slice(closedAt + 1), roads);
  if (ahead === undefined) return undefined;
  const metres = lengthOf(ahead);
  const share = route.distance_m > 0 ? Math.min(1, metres / route.distance_m) : 0;
  return {
    ...route,
    polyline: encoded(ahead),
    distance_m: Math.round(metres),
    duration_s: route.duration_s * share,
    edge_ids: edgeIds.slice(closedAt + 1),
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
