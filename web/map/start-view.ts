import type { StatusAnswer } from '#schemas/http/map.js';

/** West, south, east, north in degrees. */
export type Box = [number, number, number, number];

/** Degrees of latitude from the middle of the town to the edge of the first view: 4 km. */
const reachDeg = 0.036;

/** What the map shows first: the middle of the town, and nothing beyond the edge of a small map. */
export function startView({ bounds, middle }: Pick<StatusAnswer['tileset'], 'bounds' | 'middle'>): Box {
  const [west, south, east, north] = bounds as Box;
  const across = reachDeg / Math.cos((middle.lat * Math.PI) / 180);
  return [
    Math.max(west, middle.lng - across),
    Math.max(south, middle.lat - reachDeg),
    Math.min(east, middle.lng + across),
    Math.min(north, middle.lat + reachDeg),
  ];
}
