import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { projectOnEdge } from '../project-on-edge.js';
import { type Move, movedM } from './passages.js';
import type { MatchingSettings } from './settings.js';

/**
 * What a driver was told to drive, and how far he has followed. Plain data, so that it can be stored as JSON.
 *
 *     edges   … ──R[at]──▶●──R[at+1]──▶ …
 *                  ▲  ▲    ╲
 *          driver ─┘  └ reachedMs: within reach of the crossing
 *                            ╲ leftAt: went another way, not far enough yet to be sure
 */
export interface Guidance {
  readonly navigationId: string;
  readonly routeVersion: number;
  /** Directed edges in order; copies are replaced by their originals. */
  readonly edges: readonly number[];
  /** Metres that the driver has followed it. */
  readonly followedM: number;
  /** Position of the present edge on the route; -1 while off it. */
  readonly at: number;
  /** Greatest fraction of the present edge that was reached. */
  readonly furthest: number;
  /** When the driver came within reach of the end of the present edge. */
  readonly reachedMs?: number;
  /** Left the route behind `edges[leftAt]`, `leftM` metres ago. */
  readonly leftAt?: number;
  readonly leftM?: number;
  /** Position whose next edge was reported as turned away from; each approach is reported once. */
  readonly reportedAt?: number;
  /**
   * Set when the navigation ended: the crossing that was before the driver then still counts, for a while.
   */
  readonly endedMs?: number;
}

/** A place that nothing is known to lead to. */
export interface Placed {
  readonly edge: number;
  readonly fraction: number;
  readonly timeMs: number;
  /** What the phone said. */
  readonly point: LatLng;
}

export interface TurnedAway {
  readonly edge: number;
  readonly reachedMs: number;
  readonly atMs: number;
}

export interface GuidanceStep {
  readonly guidance: Guidance | undefined;
  readonly turnedAway?: TurnedAway;
}

export function newGuidance(navigationId: string, routeVersion: number, edges: readonly number[]): Guidance {
  return { navigationId, routeVersion, edges, followedM: 0, at: -1, furthest: 0 };
}

/** The driver's place at first, or after a gap: nothing is known of how he came there. */
export function placeOnRoute(
  network: RoadNetwork,
  guidance: Guidance,
  placed: Placed,
  settings: MatchingSettings,
): GuidanceStep {
  const { edge, fraction, timeMs, point } = placed;
  if (isOver(guidance, timeMs, settings)) return { guidance: undefined };
  const { at, reachedMs } = guidance;
  const backM = reachedMs === undefined ? undefined : metresBack(network, guidance, placed, settings);
  const hasTurned = backM !== undefined && backM >= settings.turnM;
  if (reachedMs !== undefined && hasTurned && isAway(network, guidance, at, point, settings))
    return report(off(guidance), at, reachedMs, timeMs, settings);
  const onto = positionOf(guidance, edge);
  return { guidance: onto < 0 ? off(guidance) : arrive(network, guidance, onto, fraction, timeMs, settings) };
}

/** One continuous move. */
export function followRoute(
  network: RoadNetwork,
  guidance: Guidance,
  move: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { traversed, fromFraction, toFraction, toMs } = move;
  if (isOver(guidance, toMs, settings)) return { guidance: undefined };
  let now = foundAtStart(network, guidance, move);
  if (traversed.length === 1) return stay(network, now, move, settings);
  for (let i = 1; i < traversed.length; i++) {
    const edge = original(network, traversed[i]!);
    const isLast = i === traversed.length - 1;
    const onto = continues(now, edge);
    if (onto >= 0) {
      // An ended navigation guides nobody beyond the crossing that was before the driver when it ended.
      if (now.endedMs !== undefined && toMs > now.endedMs) return { guidance: undefined };
      now = { ...arrived(now, onto), furthest: isLast ? toFraction : 1 };
      continue;
    }
    const from = now.at >= 0 ? now.at : now.leftAt;
    if (from === undefined) {
      const again = positionOf(now, edge);
      if (again >= 0) now = arrived(now, again);
      continue;
    }
    // He who turns in the middle of a road may have forgotten his keys; only a turn at the crossing is
    // evidence.
    const isTurn = now.at >= 0 && network.reverseOf(now.edges[now.at]!) === edge;
    if (isTurn && now.reachedMs === undefined && !isNearEnd(network, now, fromFraction, settings)) {
      now = off(now);
      continue;
    }
    const onEdgeM = network.edgeLengthM(edge) * (isLast ? toFraction : 1);
    const leftM = (now.at >= 0 ? 0 : (now.leftM ?? 0)) + onEdgeM;
    now = { ...now, at: -1, leftAt: from, leftM };
  }
  if (now.at >= 0) {
    const followedM = now.followedM + movedM(network, move);
    return { guidance: reach(network, { ...now, followedM }, toFraction, toMs, settings) };
  }
  return judgeLeaving(network, now, move, settings);
}

function stay(
  network: RoadNetwork,
  guidance: Guidance,
  move: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { toFraction, toMs, point } = move;
  if (guidance.at < 0) {
    if (guidance.leftAt === undefined) return { guidance };
    const leftM = (guidance.leftM ?? 0) + Math.abs(movedM(network, move));
    return judgeLeaving(network, { ...guidance, leftM }, move, settings);
  }
  const lengthM = network.edgeLengthM(guidance.edges[guidance.at]!);
  const { reachedMs, at } = guidance;
  const hasTurned = (guidance.furthest - toFraction) * lengthM >= settings.turnM;
  if (reachedMs !== undefined && hasTurned && isAway(network, guidance, at, point, settings))
    return report(off(guidance), at, reachedMs, toMs, settings);
  const followedM = guidance.followedM + Math.max(0, movedM(network, move));
  const reached = reach(network, { ...guidance, followedM }, toFraction, toMs, settings);
  const stands = reached.reachedMs !== undefined && toMs - reached.reachedMs >= settings.standingMs;
  return stands ? report(reached, at, reached.reachedMs, toMs, settings) : { guidance: reached };
}

/**
 * He left the route a while ago: certain only when he is far enough along, and far enough from where he was
 * led.
 */
function judgeLeaving(
  network: RoadNetwork,
  guidance: Guidance,
  { fromMs, toMs, point }: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { leftAt, leftM = 0, reachedMs = fromMs } = guidance;
  if (leftAt === undefined || leftM < settings.turnM || !isAway(network, guidance, leftAt, point, settings))
    return { guidance };
  return report(off(guidance), leftAt, reachedMs, toMs, settings);
}

/**
 * Metres of the route ahead that a driver may really be on while the matcher believes in a road beside it.
 */
const besideM = 300;

/**
 * False where the phone's own point is near the way that the driver was led: then the other road is a
 * mistake.
 */
function isAway(
  network: RoadNetwork,
  { edges }: Guidance,
  at: number,
  point: LatLng,
  { awayM }: MatchingSettings,
): boolean {
  let metres = 0;
  for (let i = at + 1; i < edges.length && metres < besideM; i++) {
    if (projectOnEdge(network, edges[i]!, point).distanceM < awayM) return false;
    metres += network.edgeLengthM(edges[i]!);
  }
  return true;
}

function isOver({ endedMs }: Guidance, nowMs: number, { endedGraceMs }: MatchingSettings): boolean {
  return endedMs !== undefined && nowMs > endedMs + endedGraceMs;
}

/** A route that is new to the driver is looked for under his wheels. */
function foundAtStart(network: RoadNetwork, guidance: Guidance, { traversed, fromFraction }: Move): Guidance {
  if (guidance.at >= 0 || guidance.leftAt !== undefined) return guidance;
  const at = positionOf(guidance, original(network, traversed[0]!));
  return at < 0 ? guidance : { ...arrived(guidance, at), furthest: fromFraction };
}

/** Edges after the one that he was led to on which a driver who seemed to have left joins the route again. */
const edgesRejoinedMax = 12;

/**
 * Where the route goes on with `edge`: the next position; or after a doubtful step aside the present one
 * again, or one behind the stretch that the matcher lost.
 */
function continues({ edges, at, leftAt }: Guidance, edge: number): number {
  const from = at >= 0 ? at : leftAt;
  if (from === undefined) return -1;
  if (edges[from] === edge && edges[from + 1] !== edge) return from;
  const onto = edges.indexOf(edge, from + 1);
  return onto <= from + edgesRejoinedMax ? onto : -1;
}

/** Edges that a turned driver is looked for on, back from the crossing he came to. */
const edgesBackMax = 8;

/**
 * Metres from the end of the present edge back to a place on the way he came, on either lane or on a
 * carriageway beside it; undefined elsewhere.
 */
function metresBack(
  network: RoadNetwork,
  { edges, at }: Guidance,
  { edge, fraction, point }: Placed,
  { awayM }: MatchingSettings,
): number | undefined {
  let metres = 0;
  let nearestM = awayM;
  let beside: number | undefined;
  for (let i = at; i >= 0 && i > at - edgesBackMax; i--) {
    const came = edges[i]!;
    const lengthM = network.edgeLengthM(came);
    if (came === edge) return metres + (1 - fraction) * lengthM;
    if (network.reverseOf(came) === edge) return metres + fraction * lengthM;
    const projected = projectOnEdge(network, came, point);
    if (projected.distanceM < nearestM) {
      nearestM = projected.distanceM;
      beside = metres + (1 - projected.fraction) * lengthM;
    }
    metres += lengthM;
  }
  return beside;
}

function positionOf({ edges, at, leftAt }: Guidance, edge: number): number {
  const ahead = edges.indexOf(edge, Math.max(0, at, leftAt ?? 0));
  return ahead >= 0 ? ahead : edges.indexOf(edge);
}

function arrive(
  network: RoadNetwork,
  guidance: Guidance,
  at: number,
  fraction: number,
  timeMs: number,
  settings: MatchingSettings,
): Guidance {
  const onto = guidance.at === at ? guidance : arrived(guidance, at);
  return reach(network, onto, fraction, timeMs, settings);
}

function arrived({ reachedMs: _, leftAt: __, leftM: ___, ...rest }: Guidance, at: number): Guidance {
  const { reportedAt, ...others } = rest;
  // Another approach to the same crossing is told again; the same one is not.
  const isSame = reportedAt === at;
  return { ...others, ...(isSame ? { reportedAt } : {}), at, furthest: 0 };
}

function reach(
  network: RoadNetwork,
  guidance: Guidance,
  fraction: number,
  timeMs: number,
  settings: MatchingSettings,
): Guidance {
  const furthest = Math.max(guidance.furthest, fraction);
  if (guidance.reachedMs !== undefined || !isNearEnd(network, guidance, fraction, settings))
    return { ...guidance, furthest };
  return { ...guidance, furthest, reachedMs: timeMs };
}

function isNearEnd(
  network: RoadNetwork,
  { edges, at }: Guidance,
  fraction: number,
  { approachM }: MatchingSettings,
): boolean {
  return (1 - fraction) * network.edgeLengthM(edges[at]!) <= approachM;
}

function off({ reachedMs: _, leftAt: __, leftM: ___, ...rest }: Guidance): Guidance {
  return { ...rest, at: -1, furthest: 0 };
}

/**
 * A driver who came to the crossing before following the route for a while cannot react to it, and did not
 * refuse it.
 */
function report(
  guidance: Guidance,
  at: number,
  reachedMs: number,
  atMs: number,
  { reactM }: MatchingSettings,
): GuidanceStep {
  const edge = guidance.edges[at + 1];
  if (edge === undefined || guidance.reportedAt === at) return { guidance };
  if (guidance.followedM < reactM) return { guidance };
  return { guidance: { ...guidance, reportedAt: at }, turnedAway: { edge, reachedMs, atMs } };
}

/** A road piece that was copied for the sake of a turn restriction stands for its original. */
export function original(network: RoadNetwork, edge: number): number {
  return network.arrays.copyOf[edge]!;
}
