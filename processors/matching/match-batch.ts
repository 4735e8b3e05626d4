import { model } from '#routing-engine/matching/match-settings.js';
import type { MatchedStep, TracePoint } from '#routing-engine/matching/trace-point.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LocationBatch } from '#schemas/location.js';
import { E7 } from '#schemas/units.js';
import { lateMaxMs } from '../limits.js';
import { isAstray, offRoadM, offRoadRuns, type StrayPath } from '../new-roads/off-road-runs.js';
import { newRoadDefaults } from '../new-roads/settings.js';
import { projectOnEdge } from '../project-on-edge.js';
import { drivenTraces } from './driven-traces.js';
import {
  followRoute,
  type GuidanceStep,
  type Placed,
  placeOnRoute,
  type TurnedAway,
} from './follow-route.js';
import type { Guidance } from './guidance.js';
import { completedEdges, type Move } from './passages.js';
import { isProcessed, withProcessed } from './processed-spans.js';
import type { MatchingSettings } from './settings.js';
import type { UserTrack } from './user-track.js';
import { type GuidedEdge, type MatchTools, trackOf, type Walk, walkOn } from './walk.js';

/** The decided facts about a user. */
export interface Decided {
  readonly track: UserTrack;
  readonly driven: readonly GuidedEdge[];
  readonly turnedAway: readonly TurnedAway[];
  /** Parts of the drive that no known road explains. */
  readonly strays: readonly StrayPath[];
}

export interface MatchedBatch extends Decided {
  readonly counts: PointCounts;
}

export interface PointCounts {
  matched: number;
  /** No road near enough. */
  unmatched: number;
  /** Older than the newest point and matched separately: corrections of typical speeds. */
  corrected: number;
  /** Older than the newest point, and repeated or single. */
  late: number;
  /** Later than their own acceptance. */
  future: number;
  /** Points of a repeated batch. */
  repeated: number;
  /** The user walks or rides a bicycle: the time says nothing about cars, and the way nothing about roads. */
  undriven: number;
}

/**
 * Ids of batches that a user is remembered by; a repeat comes within seconds, and its points are late in any
 * case.
 */
const batchIdsMax = 8;

/** The user's points in time order, each matched with earlier ones and those that follow soon. */
export function matchBatch(tools: MatchTools, track: UserTrack, batch: LocationBatch): MatchedBatch {
  const { settings, matcher } = tools;
  const counts: PointCounts = {
    matched: 0,
    unmatched: 0,
    corrected: 0,
    late: 0,
    future: 0,
    repeated: 0,
    undriven: 0,
  };
  if (track.batchIds.includes(batch.batchId)) {
    counts.repeated = batch.points.count;
    return { track, driven: [], turnedAway: [], strays: [], counts };
  }
  const walk = walkOn(tools, track);
  resume(walk);
  const late: TracePoint[] = [];
  const times: number[] = [];
  const { taken = [] } = track;
  const traces = drivenTraces(batch);
  counts.undriven = batch.points.count - traces.length;
  for (const trace of traces) {
    const { timeMs } = trace;
    const { newestMs = Number.NEGATIVE_INFINITY } = walk;
    if (timeMs > batch.receivedMs + settings.futureMaxMs) counts.future++;
    else if (timeMs <= newestMs) {
      if (isProcessed(taken, timeMs) || timeMs <= batch.receivedMs - lateMaxMs) counts.late++;
      else late.push(trace);
    } else {
      if (timeMs - newestMs > settings.gapMaxMs) finish(walk);
      counts[matcher.add(trace) === 'off-road' ? 'unmatched' : 'matched']++;
      follow(walk, matcher.decided);
      walk.newestMs = timeMs;
      times.push(timeMs);
    }
  }
  const match = Buffer.from(matcher.save()).toString('base64');
  // A single point passes no edge, and two with the same time count as one.
  const isDrive = late.length > 1 && late[0]!.timeMs < late.at(-1)!.timeMs;
  counts[isDrive ? 'corrected' : 'late'] += late.length;
  const { driven, strays } = isDrive ? matchLate(tools, late) : { driven: [], strays: [] };
  const lateTimes = isDrive ? late.map(({ timeMs }) => timeMs) : [];
  return {
    track: {
      ...trackOf(walk),
      match,
      taken: withProcessed(withProcessed(taken, lateTimes), times),
      receivedMs: Math.max(track.receivedMs, batch.receivedMs),
      batchIds: [...track.batchIds, batch.batchId].slice(-batchIdsMax),
      recent: { receivedMs: batch.receivedMs, steps: walk.steps },
    },
    driven: [...walk.driven, ...driven],
    turnedAway: walk.turnedAway,
    strays: [...walk.strays, ...strays],
    counts,
  };
}

/**
 * A drive that arrives after a later one: hours late, or a lost batch that was sent again. Its guidance is no
 * longer known, so it yields passages and no deviations.
 */
function matchLate(tools: MatchTools, late: readonly TracePoint[]): Pick<Decided, 'driven' | 'strays'> {
  const { matcher, settings } = tools;
  const walk = walkOn(tools, { receivedMs: 0, batchIds: [], guidances: [] });
  matcher.begin();
  let beforeMs = late[0]!.timeMs;
  for (const trace of late) {
    if (trace.timeMs - beforeMs > settings.gapMaxMs) finish(walk);
    matcher.add(trace);
    follow(walk, matcher.decided);
    beforeMs = trace.timeMs;
  }
  finish(walk);
  return walk;
}

/** No more points are expected now: decides the undecided points with what is known. */
export function settle(tools: MatchTools, track: UserTrack): Decided {
  const walk = walkOn(tools, track);
  resume(walk);
  finish(walk);
  const { match: _, ...rest } = trackOf(walk);
  return { track: rest, driven: walk.driven, turnedAway: walk.turnedAway, strays: walk.strays };
}

function resume({ matcher, begun: { match } }: Walk): void {
  if (match === undefined) matcher.begin();
  else matcher.load(Buffer.from(match, 'base64'));
}

/** The drive ends here; later points belong to another one. */
function finish(walk: Walk): void {
  walk.matcher.finish();
  follow(walk, walk.matcher.decided);
  gather(walk);
  leaveRoads(walk);
  walk.stray = undefined;
}

function leaveRoads(walk: Walk): void {
  walk.at = undefined;
  walk.enteredMs = undefined;
  walk.cameFrom = undefined;
}

function follow(walk: Walk, decided: readonly MatchedStep[]): void {
  for (const step of decided) {
    judge(walk, step);
    const { at, enteredMs, cameFrom } = walk;
    leaveRoads(walk);
    if (step.edge < 0) continue;
    const { edge, fraction, timeMs, sigmaM } = step;
    const point = { lat: step.latE7 / E7, lng: step.lngE7 / E7 };
    walk.at = { fraction, timeMs };
    if (at === undefined || step.path === undefined) {
      guide(walk, { edge, fraction, timeMs, point, sigmaM });
      continue;
    }
    const move: Move = {
      traversed: step.path,
      fromFraction: at.fraction,
      toFraction: fraction,
      fromMs: at.timeMs,
      toMs: timeMs,
      point,
      sigmaM,
    };
    const progress = completedEdges(walk.network, move, enteredMs, cameFrom, walk.settings.approachM);
    const isLed = walk.guidances.length > 0;
    const guided = isLed || timeMs <= (walk.guidedUntilMs ?? Number.NEGATIVE_INFINITY);
    if (isLed) walk.guidedUntilMs = timeMs + walk.settings.influenceMs;
    for (const driven of progress.driven) {
      const { edge: drivenEdge, enteredMs: fromMs, leftMs, cameFrom: previous } = driven;
      walk.driven.push({ edge: drivenEdge, enteredMs: fromMs, leftMs, cameFrom: previous, guided });
    }
    if (progress.enteredMs !== undefined) {
      walk.enteredMs = progress.enteredMs;
      walk.cameFrom = progress.cameFrom;
    }
    guide(walk, move);
  }
}

/** Points of a drive off the roads that are kept; a longer one is reported in parts. */
const strayPointsMax = 200;

/** Collects off-road points until two points are clearly on a road again. */
function judge(walk: Walk, { edge, lngE7, latE7, sigmaM }: MatchedStep): void {
  const { network } = walk;
  const point = { lat: latE7 / E7, lng: lngE7 / E7 };
  const offM = edge < 0 ? offRoadM : projectOnEdge(network, edge, point).distanceM;
  walk.stray ??= [];
  const { stray } = walk;
  const before = stray.at(-1);
  const judged = { lngE7, latE7, accuracyM: sigmaM / model.sigmaPerAccuracy, offM };
  stray.push(judged);
  const isBack =
    !isAstray(judged, newRoadDefaults) && (before === undefined || !isAstray(before, newRoadDefaults));
  if (isBack || stray.length >= strayPointsMax) gather(walk);
}

function gather(walk: Walk): void {
  const { stray = [] } = walk;
  walk.strays.push(...offRoadRuns(stray, newRoadDefaults));
  walk.stray = stray.slice(-1);
}

function guide(walk: Walk, step: Move | Placed): void {
  walk.steps.push(step);
  if (walk.guidances.length === 0) return;
  const guidances: Guidance[] = [];
  for (const each of walk.guidances) {
    const { guidance, turnedAway } = followStep(walk.network, each, step, walk.settings);
    if (guidance !== undefined) guidances.push(guidance);
    if (turnedAway !== undefined) walk.turnedAway.push(turnedAway);
  }
  walk.guidances = guidances;
}

/** How far the driver has followed the guidance after one more step; one from long before it is none. */
export function followStep(
  network: RoadNetwork,
  guidance: Guidance,
  step: Move | Placed,
  settings: MatchingSettings,
): GuidanceStep {
  const timeMs = 'traversed' in step ? step.toMs : step.timeMs;
  const { beganMs } = guidance;
  if (beganMs !== undefined && timeMs <= beganMs - settings.beforeRouteMs) return { guidance };
  return 'traversed' in step
    ? followRoute(network, guidance, step, settings)
    : placeOnRoute(network, guidance, step, settings);
}
