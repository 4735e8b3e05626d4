import type { LatLng } from '#schemas/units.js';
import type { RoadNetwork } from './road-network.js';
import type { TravelMode } from './travel-mode.js';

/** One observation of a device. */
export interface TracePoint {
  readonly point: LatLng;
  /** Unix milliseconds, as the device says. */
  readonly timeMs: number;
  readonly headingDeg?: number;
  readonly speedMps?: number;
  /** Radius of the 68 % circle; default 10 m. */
  readonly accuracyM?: number;
}

/** What the matcher carries from point to point. Plain data, a few numbers: it can be stored with a consumer's offset. */
export interface MatchState {
  readonly timeMs: number;
  readonly edge: number;
  readonly fraction: number;
}

export type MatchOutcome =
  | {
      readonly kind: 'matched';
      readonly edge: number;
      readonly fraction: number;
      readonly point: LatLng;
      readonly distanceM: number;
      /** Edges from the previous match to this one, both included; just the one edge when there was no continuity. */
      readonly traversed: readonly number[];
      /** The way from the previous match is known. */
      readonly continuous: boolean;
      readonly state: MatchState;
    }
  /** No road near enough that fits. The next point starts anew. */
  | {
      readonly kind: 'gap';
      readonly reason: 'no-road' | 'out-of-order';
      readonly state: MatchState | undefined;
    };

export interface MatchOptions {
  readonly mode: TravelMode;
}

/**
 * Matches one live point: among the roads within reach it prefers those that the network leads to from the previous
 * match, and those that run in the direction of travel.
 */
export function matchPoint(
  network: RoadNetwork,
  previous: MatchState | undefined,
  trace: TracePoint,
  options: MatchOptions,
): MatchOutcome {
  throw new Error('in the making');
}
