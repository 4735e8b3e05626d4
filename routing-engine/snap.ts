import type { LatLng } from '#schemas/units.js';
import type { RoadNetwork } from './road-network.js';
import type { TravelMode } from './travel-mode.js';

/** A place on a directed edge. */
export interface Snap {
  readonly edge: number;
  /** 0 at the tail, 1 at the head, by length. */
  readonly fraction: number;
  /** Side of the edge, looking along it, that the place lies on; 'on' within half a metre. */
  readonly side: 'left' | 'right' | 'on';
  /** The place moved onto the road. */
  readonly point: LatLng;
  readonly distanceM: number;
}

export interface SnapOptions {
  readonly mode: TravelMode;
  /** Nothing farther is looked at. Bounded by `limits.snapMetersMax`. */
  readonly maxMeters: number;
  /** Road pieces at most (a two-way piece gives two snaps, one per direction). Default 1. */
  readonly limit?: number;
  /** Compass heading of travel: only edges within 60° of it. */
  readonly headingDeg?: number;
  /** Only edges of this strongly connected part (0 is the largest). */
  readonly part?: number;
}

/** Nearest first; empty when no road of the mode is within reach. */
export function snap(network: RoadNetwork, point: LatLng, options: SnapOptions): Snap[] {
  throw new Error('in the making');
}

/**
 * Snaps for a route: the nearest road pieces of both places, unless those lie in parts of the network that do not reach
 * each other and a part that holds roads near both exists.
 */
export function snapPair(
  network: RoadNetwork,
  from: LatLng,
  to: LatLng,
  options: Omit<SnapOptions, 'part' | 'headingDeg'> & { readonly fromHeadingDeg?: number },
): { from: Snap[]; to: Snap[] } {
  throw new Error('in the making');
}
