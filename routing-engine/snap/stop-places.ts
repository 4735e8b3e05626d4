import type { LatLng } from '#schemas/units.js';
import { distanceM } from '../network/earth.js';
import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import { type Snap, type SnapOptions, snap } from './snap.js';

/** Ends of roads this close together are one place. */
const SAME_PLACE_M = 0.5;
/** Roads that meet in one place, at most. */
const TIED_PIECES = 8;
/** OSRM counts bearings in whole degrees. */
const ROUNDING_DEG = 0.5;

/** A place on a route, with the requirements for the road on which it is reached. */
export interface AskedStop {
  readonly point: LatLng;
  /** Roads farther away are not used. */
  readonly maxMeters: number;
  /** Only roads within this many degrees of this compass heading there, in the direction of travel. */
  readonly heading?: { readonly deg: number; readonly rangeDeg: number };
  /**
   * Of a road that is open both ways: only the direction that has the place at its kerb, or only the
   * opposite one.
   */
  readonly approach?: 'curb' | 'opposite';
  /** Stable id of an edge of the road that it is on, as far as that is within reach. */
  readonly hint?: string;
}

export interface StopRules {
  /** Roads without these properties are searched first. */
  readonly avoid: AvoidMask;
  /** Roads with these are never used. */
  readonly never: AvoidMask;
  /** Only this strongly connected part. */
  readonly part?: number;
}

/**
 * The nearest place of the network that a stop may be at, in every direction in which it may be passed, on
 * every road that meets there. Empty if there is none.
 */
export function stopPlaces(network: RoadNetwork, metric: Metric, stop: AskedStop, rules: StopRules): Snap[] {
  const { avoid, never } = rules;
  const options = (avoided: AvoidMask): SnapOptions => stopOptions(network, metric, stop, rules, avoided);
  const hinted = hintedPlace(network, metric, stop, rules);
  if (hinted.length > 0) return hinted;
  const fitting = nearestPlace(network, stop, options(avoid | never));
  // If everything near must be avoided, the search reports that no route avoids it.
  return fitting.length > 0 || avoid === 0 ? fitting : nearestPlace(network, stop, options(never));
}

/** The place on the road of the hint; empty without a hint, or if its road is gone or out of reach. */
export function hintedPlace(network: RoadNetwork, metric: Metric, stop: AskedStop, rules: StopRules): Snap[] {
  const piece = pieceOfHint(network, stop);
  if (piece === undefined) return [];
  return snap(network, stop.point, { ...stopOptions(network, metric, stop, rules, rules.never), piece });
}

/** What a stop requires of its road, beside having none of the properties `avoid`. */
export function stopOptions(
  network: RoadNetwork,
  { mode, vehicle }: Metric,
  stop: AskedStop,
  { part }: Pick<StopRules, 'part'>,
  avoid: AvoidMask,
): SnapOptions {
  const { heading, maxMeters } = stop;
  const side = sideOf(network, stop);
  return {
    ...{ mode, vehicle, maxMeters, avoid },
    ...(heading === undefined
      ? {}
      : { headingDeg: heading.deg, headingToleranceDeg: heading.rangeDeg + ROUNDING_DEG }),
    ...(side === undefined ? {} : { side }),
    ...(part === undefined ? {} : { part }),
  };
}

/** The side of travel on which the stop must lie. */
export function sideOf({ meta }: RoadNetwork, { approach }: AskedStop): 'left' | 'right' | undefined {
  if (approach === undefined) return undefined;
  return (approach === 'curb') === (meta.drivingSide === 'right') ? 'right' : 'left';
}

/** A hint of another map, or of a removed road, is ignored. */
export function pieceOfHint(network: RoadNetwork, { hint }: AskedStop): number | undefined {
  const edge = hint === undefined ? undefined : network.edgeByStableId(hint);
  return edge === undefined ? undefined : network.arrays.piece[edge];
}

function nearestPlace(network: RoadNetwork, { point, maxMeters }: AskedStop, options: SnapOptions): Snap[] {
  const [nearest] = snap(network, point, options);
  if (nearest === undefined) return [];
  const reach = Math.min(maxMeters, nearest.distanceM + SAME_PLACE_M);
  const near = snap(network, point, { ...options, maxMeters: reach, limit: TIED_PIECES });
  const { lat, lng } = nearest.point;
  return near.filter((other) => distanceM(lng, lat, other.point.lng, other.point.lat) <= SAME_PLACE_M);
}

/**
 * Of the places of a stop between others, those that a route can arrive at: a route that reaches a crossing
 * on one road need not begin the next one there, from where it would have to turn round.
 */
export function arrivals(network: RoadNetwork, places: readonly Snap[]): readonly Snap[] {
  const leftM = ({ edge, fraction }: Snap): number => (1 - fraction) * network.edgeLengthM(edge);
  const doneM = ({ edge, fraction }: Snap): number => fraction * network.edgeLengthM(edge);
  if (!places.some((place) => leftM(place) <= SAME_PLACE_M)) return places;
  return places.filter((place) => doneM(place) > SAME_PLACE_M || leftM(place) <= SAME_PLACE_M);
}

/** One of the places lies in the largest strongly connected part. */
export const isConnected = (network: RoadNetwork, { mode }: Metric, places: readonly Snap[]): boolean =>
  places.some(({ edge }) => network.arrays.part[modeIndex(mode) * network.edgeCount + edge] === 0);
