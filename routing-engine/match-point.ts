import type { LatLng } from '#schemas/units.js';
import { distanceM } from './earth.js';
import { followRoads } from './follow-roads.js';
import type { RoadNetwork } from './road-network.js';
import { type Snap, snap } from './snap.js';
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
  /** Whether the direction of travel is known: by heading, by a one-way road or by having moved. */
  readonly directed: boolean;
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

const ACCURACY_M = 10;
const REACH_MIN_M = 30;
const REACH_MAX_M = 150;
const CANDIDATES = 6;
/** A heading below this speed is noise. */
const HEADING_SPEED_MPS = 1.5;
/** Nobody drives faster; bounds how far ahead the network is followed. */
const SPEED_MAX_MPS = 60;
/** Scale of the difference between way and straight line (Newson and Krumm's β). */
const DETOUR_M = 30;
/** Costs, in the same unit as half a squared deviation: a heading that does not fit, a way that is not known. */
const WRONG_HEADING = 8;
const NO_WAY = 12;

/**
 * Matches one live point: among the roads within reach it prefers near ones, those that run in the direction of travel,
 * and those that the network leads to from the previous match on a way about as long as the straight line. One step of
 * Newson and Krumm's model (2009), without look-ahead.
 */
export function matchPoint(
  network: RoadNetwork,
  previous: MatchState | undefined,
  trace: TracePoint,
  options: MatchOptions,
): MatchOutcome {
  if (previous !== undefined && trace.timeMs < previous.timeMs)
    return { kind: 'gap', reason: 'out-of-order', state: previous };
  const accuracyM = Math.max(3, trace.accuracyM ?? ACCURACY_M);
  const maxMeters = Math.max(REACH_MIN_M, Math.min(REACH_MAX_M, 4 * accuracyM));
  const near = { mode: options.mode, maxMeters, limit: CANDIDATES };
  const candidates = snap(network, trace.point, near);
  if (candidates.length === 0) return { kind: 'gap', reason: 'no-road', state: undefined };

  const { headingDeg } = trace;
  const heads = headingDeg !== undefined && (trace.speedMps ?? HEADING_SPEED_MPS) >= HEADING_SPEED_MPS;
  const ahead = heads
    ? new Set(snap(network, trace.point, { ...near, headingDeg }).map(({ edge }) => edge))
    : undefined;
  const ways =
    previous === undefined ? undefined : waysFrom(network, previous, trace, candidates, accuracyM, options);

  let best: Snap | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    let cost = (candidate.distanceM / accuracyM) ** 2 / 2;
    if (ahead !== undefined && !ahead.has(candidate.edge)) cost += WRONG_HEADING;
    if (ways !== undefined) cost += ways.get(candidate)?.cost ?? NO_WAY;
    if (cost >= bestCost) continue;
    best = candidate;
    bestCost = cost;
  }
  const matched = best!;
  const way = ways?.get(matched);
  const oneWay = network.reverseOf(matched.edge) === undefined;
  const directed =
    heads || oneWay || (way !== undefined && ((previous?.directed ?? false) || way.meters > accuracyM));
  const fraction = way?.fraction ?? matched.fraction;
  return {
    kind: 'matched',
    edge: matched.edge,
    fraction,
    point: matched.point,
    distanceM: matched.distanceM,
    traversed: way?.edges ?? [matched.edge],
    continuous: way !== undefined,
    state: { timeMs: trace.timeMs, edge: matched.edge, fraction, directed },
  };
}

interface KnownWay {
  readonly edges: readonly number[];
  readonly meters: number;
  readonly fraction: number;
  readonly cost: number;
}

/** The ways that lead from the previous match to candidates, with what they cost. */
function waysFrom(
  network: RoadNetwork,
  previous: MatchState,
  trace: TracePoint,
  candidates: readonly Snap[],
  accuracyM: number,
  { mode }: MatchOptions,
): Map<Snap, KnownWay> {
  const straight = straightFrom(network, previous, trace.point);
  const seconds = (trace.timeMs - previous.timeMs) / 1000;
  const reachM = Math.min(2 * straight + 300, SPEED_MAX_MPS * seconds + 2 * accuracyM);
  const lengthM = network.edgeLengthM(previous.edge);
  const known = new Map<Snap, KnownWay>();
  const wanted = new Set(candidates.map(({ edge }) => edge));
  const followed = followRoads(network, mode, previous, wanted, reachM);
  for (const candidate of candidates) {
    if (candidate.edge === previous.edge) {
      const meters = (candidate.fraction - previous.fraction) * lengthM;
      // A place a little behind the last one is noise: who stands still does not drive backwards.
      if (meters >= -2 * accuracyM && (previous.directed || meters >= -1)) {
        known.set(candidate, {
          edges: [candidate.edge],
          meters: Math.max(0, meters),
          fraction: Math.max(candidate.fraction, previous.fraction),
          cost: Math.abs(Math.max(0, meters) - straight) / DETOUR_M,
        });
        continue;
      }
    }
    const way = followed.get(candidate.edge);
    if (way === undefined) continue;
    const meters = way.metersToTail + candidate.fraction * network.edgeLengthM(candidate.edge);
    if (meters > reachM) continue;
    known.set(candidate, {
      edges: way.edges,
      meters,
      fraction: candidate.fraction,
      cost: Math.abs(meters - straight) / DETOUR_M,
    });
  }
  return known;
}

function straightFrom(network: RoadNetwork, { edge, fraction }: MatchState, to: LatLng): number {
  const line = network.edgeGeometry(edge);
  // The chord between the ends is near enough to the road for a comparison of lengths.
  const lng = line[0] + (line[line.length - 2] - line[0]) * fraction;
  const lat = line[1] + (line[line.length - 1] - line[1]) * fraction;
  return distanceM(lng, lat, to.lng, to.lat);
}
