import type { LatLng } from '#schemas/units.js';
import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { CLOSED, type Metric } from '../overlay/metric.js';
import { type Snap, snap } from './snap.js';

/** A place whose nearest roads are searched, or a fixed position on the network. */
export type AskedEnd =
  | { readonly point: LatLng; readonly headingDeg?: number }
  | { readonly fixed: readonly Snap[] };

/** Places this close together count as one. */
export const SAME_PLACE_M = 0.5;

export interface NearestPlaces {
  /** On every road that is as near as the nearest. */
  readonly places: readonly Snap[];
  /** To the nearest road of the mode, whether or not it is to be avoided. */
  readonly roadM: number;
}

export interface PlaceRules {
  readonly avoid: AvoidMask;
  /** The search radius. */
  readonly maxMeters: number;
}

/**
 * Empty when no road is within reach. If every road must be avoided, the nearest one stays, and the search
 * reports that no route avoids it.
 */
export function nearestPlaces(
  network: RoadNetwork,
  { mode, vehicle }: Metric,
  end: AskedEnd,
  { avoid, maxMeters }: PlaceRules,
): NearestPlaces {
  if ('fixed' in end) return { places: end.fixed, roadM: Number.POSITIVE_INFINITY };
  const heading = end.headingDeg === undefined ? {} : { headingDeg: end.headingDeg };
  const options = { mode, maxMeters, tiedMeters: SAME_PLACE_M, ...heading };
  const all = snap(network, end.point, options);
  const fitting =
    avoid === 0 && vehicle === undefined ? all : snap(network, end.point, { ...options, avoid, vehicle });
  const roadM = all[0]?.distanceM ?? Number.POSITIVE_INFINITY;
  return { places: fitting.length > 0 ? fitting : all, roadM };
}

/**
 * At a crossing, the roads that lead away from it: a route that begins there need not come in on another road
 * and turn. A heading selects the road of the traveller.
 */
export function startsAt(network: RoadNetwork, end: AskedEnd, places: readonly Snap[]): readonly Snap[] {
  if ('fixed' in end || end.headingDeg !== undefined) return places;
  const leaving = places.filter(
    (place) => (1 - place.fraction) * network.edgeLengthM(place.edge) > SAME_PLACE_M,
  );
  return leaving.length > 0 ? leaving : places;
}

/** At a crossing, the roads that lead to it. */
export function goalsAt(network: RoadNetwork, end: AskedEnd, places: readonly Snap[]): readonly Snap[] {
  if ('fixed' in end) return places;
  const coming = places.filter((place) => place.fraction * network.edgeLengthM(place.edge) > SAME_PLACE_M);
  return coming.length > 0 ? coming : places;
}

/**
 * Without the roads that are closed at the moment. Roads whose costs are not loaded yet stay, and the search
 * loads them.
 */
export const openPlaces = (
  network: RoadNetwork,
  { costMs, covered }: Metric,
  places: readonly Snap[],
): readonly Snap[] =>
  places.filter(({ edge }) => covered[network.edgeCell(edge)] === 0 || costMs[edge] !== CLOSED);

/** The place on an edge of the path; the first place if the path has none of them. */
export const placeOnEdge = (network: RoadNetwork, places: readonly Snap[], edge: number): Snap =>
  places.find((place) => place.edge === network.arrays.copyOf[edge]) ?? places[0];
