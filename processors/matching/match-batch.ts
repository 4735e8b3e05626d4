import type { MatchState, TracePoint } from '#routing-engine/match-point.js';
import { type MatchOptions, type MatchOutcome, matchPoint } from '#routing-engine/match-point.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { LocationBatch } from '#schemas/location.js';
import { E7, type LatLng } from '#schemas/units.js';
import {
  followRoute,
  type Guidance,
  type GuidanceStep,
  original,
  type Placed,
  placeOnRoute,
  type TurnedAway,
} from './guidance.js';
import { completedEdges, type DrivenEdge, type Move } from './passages.js';
import type { MatchingSettings } from './settings.js';

/** What is remembered of one user between batches. Plain data, so that it can be stored as JSON. */
export interface UserTrack {
  readonly match?: MatchState;
  /** When the present edge was entered, where that is known. */
  readonly enteredMs?: number;
  /** Event time of the newest point taken; older ones are late. */
  readonly newestMs?: number;
  /** Newest acceptance; says when a user is idle. */
  readonly receivedMs: number;
  /** Ids of the last batches, newest last. */
  readonly batchIds: readonly string[];
  /** The route he is guided on, and the one before while its last crossing still counts. */
  readonly guidances: readonly Guidance[];
  /** What the last batch told, for a navigation whose record is read after the points that it guided. */
  readonly recent?: RecentSteps;
}

export interface RecentSteps {
  readonly receivedMs: number;
  readonly steps: readonly (Move | Placed)[];
}

export interface MatchedBatch {
  readonly track: UserTrack;
  readonly driven: readonly DrivenEdge[];
  readonly turnedAway: readonly TurnedAway[];
  readonly counts: PointCounts;
}

export interface PointCounts {
  matched: number;
  unmatched: number;
  /** Not later than a point that was taken before. */
  late: number;
  /** Later than their own acceptance. */
  future: number;
  /** Of a batch that was taken before. */
  repeated: number;
}

/** Ids of batches that a user is remembered by; a repeat comes within seconds, and its points are late in any case. */
const batchIdsMax = 8;
const driving: MatchOptions = { mode: 'driving' };

/** The user's points in the order of their own time, each matched with the memory of those before. */
export function matchBatch(
  network: RoadNetwork,
  track: UserTrack,
  batch: LocationBatch,
  settings: MatchingSettings,
): MatchedBatch {
  const counts: PointCounts = { matched: 0, unmatched: 0, late: 0, future: 0, repeated: 0 };
  if (track.batchIds.includes(batch.batchId)) {
    counts.repeated = batch.points.count;
    return { track, driven: [], turnedAway: [], counts };
  }
  const walk: Walk = { network, settings, track, driven: [], turnedAway: [], steps: [] };
  for (const trace of inOrder(batch)) {
    if (trace.timeMs > batch.receivedMs + settings.futureMaxMs) counts.future++;
    else if (trace.timeMs <= (walk.track.newestMs ?? Number.NEGATIVE_INFINITY)) counts.late++;
    else counts[step(walk, trace)]++;
  }
  return {
    track: {
      ...walk.track,
      receivedMs: Math.max(track.receivedMs, batch.receivedMs),
      batchIds: [...track.batchIds, batch.batchId].slice(-batchIdsMax),
      recent: { receivedMs: batch.receivedMs, steps: walk.steps },
    },
    driven: walk.driven,
    turnedAway: walk.turnedAway,
    counts,
  };
}

interface Walk {
  readonly network: RoadNetwork;
  readonly settings: MatchingSettings;
  track: UserTrack;
  readonly driven: DrivenEdge[];
  readonly turnedAway: TurnedAway[];
  readonly steps: (Move | Placed)[];
}

function step(walk: Walk, trace: TracePoint): 'matched' | 'unmatched' {
  const { network, settings, track } = walk;
  const { match, enteredMs, ...rest } = track;
  const before = match !== undefined && trace.timeMs - match.timeMs <= settings.gapMaxMs ? match : undefined;
  const outcome = heldBack(network, matchPoint(network, before, trace, driving), settings);
  if (outcome.kind === 'gap') {
    walk.track = {
      ...rest,
      newestMs: trace.timeMs,
      ...(outcome.state === undefined ? {} : { match: outcome.state }),
    };
    return 'unmatched';
  }
  const move = moveOf(before, outcome, trace.point);
  if (move !== undefined) {
    const progress = completedEdges(network, move, enteredMs);
    walk.driven.push(...progress.driven.map((each) => ({ ...each, edge: original(network, each.edge) })));
    walk.track = withEntered({ ...rest, newestMs: trace.timeMs, match: outcome.state }, progress.enteredMs);
    guide(walk, move);
  } else {
    const { edge, fraction, state } = outcome;
    walk.track = { ...rest, newestMs: trace.timeMs, match: state };
    guide(walk, { edge: original(network, edge), fraction, timeMs: trace.timeMs, point: trace.point });
  }
  return 'matched';
}

/**
 * At a crossing all its roads are equally near. A road that was entered by less than the phone's error is not entered
 * yet: the driver stands at the end of the one before, from where the next point may lead anywhere.
 */
function heldBack(network: RoadNetwork, outcome: MatchOutcome, { enterM }: MatchingSettings): MatchOutcome {
  if (outcome.kind === 'gap' || !outcome.continuous || outcome.traversed.length < 2) return outcome;
  if (outcome.fraction * network.edgeLengthM(outcome.edge) >= enterM) return outcome;
  const traversed = outcome.traversed.slice(0, -1);
  const edge = traversed.at(-1)!;
  return { ...outcome, edge, traversed, fraction: 1, state: { ...outcome.state, edge, fraction: 1 } };
}

/** Undefined where nothing is known of the way between the two points. */
function moveOf(
  before: MatchState | undefined,
  outcome: Extract<MatchOutcome, { readonly kind: 'matched' }>,
  point: LatLng,
): Move | undefined {
  if (before === undefined || !outcome.continuous) return undefined;
  const { traversed, fraction, state } = outcome;
  return {
    traversed,
    fromFraction: before.fraction,
    toFraction: fraction,
    fromMs: before.timeMs,
    toMs: state.timeMs,
    point,
  };
}

function guide(walk: Walk, step: Move | Placed): void {
  walk.steps.push(step);
  const guidances: Guidance[] = [];
  for (const each of walk.track.guidances) {
    const { guidance, turnedAway } = followStep(walk.network, each, step, walk.settings);
    if (guidance !== undefined) guidances.push(guidance);
    if (turnedAway !== undefined) walk.turnedAway.push(turnedAway);
  }
  walk.track = { ...walk.track, guidances };
}

/** How far the driver has followed his guidance after one more step. */
export function followStep(
  network: RoadNetwork,
  guidance: Guidance,
  step: Move | Placed,
  settings: MatchingSettings,
): GuidanceStep {
  return 'traversed' in step
    ? followRoute(network, guidance, step, settings)
    : placeOnRoute(network, guidance, step, settings);
}

function withEntered(track: UserTrack, enteredMs: number | undefined): UserTrack {
  return enteredMs === undefined ? track : { ...track, enteredMs };
}

function inOrder({ points }: LocationBatch): TracePoint[] {
  const traces: TracePoint[] = [];
  for (let i = 0; i < points.count; i++) {
    traces.push({
      point: { lat: points.latE7[i]! / E7, lng: points.lngE7[i]! / E7 },
      timeMs: points.timeMs[i]!,
      ...known('headingDeg', points.headingDeg?.[i]),
      ...known('speedMps', points.speedMps?.[i]),
      ...known('accuracyM', points.accuracyM?.[i]),
    });
  }
  return traces.sort((a, b) => a.timeMs - b.timeMs);
}

function known<Name extends string>(name: Name, value: number | undefined): { [K in Name]?: number } {
  return value === undefined || Number.isNaN(value) ? {} : ({ [name]: value } as { [K in Name]?: number });
}
