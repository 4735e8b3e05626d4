import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { awayMetres, isAway, mayHaveTaken, metresBack, type OnEdge } from './away-from-route.js';
import { type Move, movedM } from './passages.js';
import type { MatchingSettings } from './settings.js';

/**
 * The route that a driver was given, and how far they have followed it. Plain data that is stored as JSON.
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
  /** Left the route behind `edges[leftAt]`, `leftM` metres ago, over these first edges. */
  readonly leftAt?: number;
  readonly leftM?: number;
  readonly leftOver?: readonly number[];
  /** Position whose next edge was reported as turned away from; each approach is reported once. */
  readonly reportedAt?: number;
  /**
   * Edge by which the previous route leaves this one behind `edges[at]`. Set until the driver passes that
   * crossing.
   */
  readonly before?: { readonly at: number; readonly edge: number };
  /** The driver continued on the previous route, so it is unknown whether they received this one. */
  readonly isUnheard?: boolean;
  /**
   * Set when the navigation ended: the crossing that was before the driver then still counts, for a while.
   */
  readonly endedMs?: number;
}

/** Edges beside the route that are kept: with fewer nobody is far enough from it to be sure. */
const edgesLeftMax = 8;

/** A place that nothing is known to lead to. */
export interface Placed extends OnEdge {
  readonly timeMs: number;
}

export interface TurnedAway {
  readonly edge: number;
  readonly reachedMs: number;
  readonly atMs: number;
}

/**
 * The guidance by another route of the same navigation. A phone without a connection continues on the
 * previous route. That is no refusal of the new one: there is no evidence until the driver is seen to follow
 * it.
 */
export function changedGuidance(former: Guidance, routeVersion: number, edges: readonly number[]): Guidance {
  const begun = newGuidance(former.navigationId, routeVersion, edges);
  let at = edges.findIndex((edge) => former.edges.includes(edge));
  let on = at < 0 ? -1 : former.edges.indexOf(edges[at]!);
  while (at >= 0 && at + 1 < edges.length && edges[at + 1] === former.edges[on + 1]) {
    at++;
    on++;
  }
  const edge = former.edges[on + 1];
  const isSame = at < 0 || edge === undefined || at + 1 === edges.length;
  return {
    ...begun,
    ...(isSame ? {} : { before: { at, edge } }),
    ...(former.isUnheard === true ? { isUnheard: true } : {}),
  };
}

export interface GuidanceStep {
  readonly guidance: Guidance | undefined;
  readonly turnedAway?: TurnedAway;
}

export function newGuidance(navigationId: string, routeVersion: number, edges: readonly number[]): Guidance {
  return { navigationId, routeVersion, edges, followedM: 0, at: -1, furthest: 0 };
}

/** The driver's place at first, or after a gap: how they came there is unknown. */
export function placeOnRoute(
  network: RoadNetwork,
  guidance: Guidance,
  placed: Placed,
  settings: MatchingSettings,
): GuidanceStep {
  const { edge, fraction, timeMs, point, sigmaM } = placed;
  if (isOver(guidance, timeMs, settings)) return { guidance: undefined };
  const { at, reachedMs } = guidance;
  const awayM = awayMetres(settings, sigmaM);
  const backM = reachedMs === undefined ? undefined : metresBack(network, guidance.edges, at, placed, awayM);
  const hasTurned = backM !== undefined && backM >= settings.turnM;
  if (reachedMs !== undefined && hasTurned && isAway(network, guidance.edges, at, { point, awayM }))
    return report(off(guidance), at, reachedMs, timeMs, settings);
  const onto = positionOf(guidance, edge);
  if (onto !== at && isAfterEnd(guidance, timeMs)) return { guidance: undefined };
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
  const isLater = isAfterEnd(guidance, toMs);
  const hasCrossingBefore = guidance.at >= 0 || guidance.leftAt !== undefined;
  if (isLater && !hasCrossingBefore) return { guidance: undefined };
  let now = foundAtStart(network, guidance, move);
  if (traversed.length === 1) return stay(network, now, move, settings);
  for (let i = 1; i < traversed.length; i++) {
    const edge = original(network, traversed[i]!);
    const isLast = i === traversed.length - 1;
    const onto = continues(now, edge);
    if (onto >= 0) {
      if (isLater) return { guidance: undefined };
      now = { ...arrived(now, onto), furthest: isLast ? toFraction : 1 };
      continue;
    }
    const from = now.at >= 0 ? now.at : now.leftAt;
    if (from === undefined) {
      const again = positionOf(now, edge);
      if (again >= 0 && isLater) return { guidance: undefined };
      if (again >= 0) now = arrived(now, again);
      continue;
    }
    // A driver who turns in the middle of a road may have forgotten their keys; only a turn at the crossing
    // is evidence.
    const isTurn = now.at >= 0 && network.reverseOf(now.edges[now.at]!) === edge;
    if (isTurn && now.reachedMs === undefined && !isNearEnd(network, now, fromFraction, settings)) {
      now = off(now);
      continue;
    }
    const onEdgeM = network.edgeLengthM(edge) * (isLast ? toFraction : 1);
    const leftM = (now.at >= 0 ? 0 : (now.leftM ?? 0)) + onEdgeM;
    const leftOver = [...(now.at >= 0 ? [] : (now.leftOver ?? [])), edge].slice(0, edgesLeftMax);
    now = { ...now, at: -1, leftAt: from, leftM, leftOver };
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
  const { toFraction, toMs, point, sigmaM } = move;
  const awayM = awayMetres(settings, sigmaM);
  if (guidance.at < 0) {
    if (guidance.leftAt === undefined) return { guidance };
    const leftM = (guidance.leftM ?? 0) + Math.abs(movedM(network, move));
    return judgeLeaving(network, { ...guidance, leftM }, move, settings);
  }
  const lengthM = network.edgeLengthM(guidance.edges[guidance.at]!);
  const { reachedMs, at } = guidance;
  const hasTurned = (guidance.furthest - toFraction) * lengthM >= settings.turnM;
  if (reachedMs !== undefined && hasTurned && isAway(network, guidance.edges, at, { point, awayM }))
    return report(off(guidance), at, reachedMs, toMs, settings);
  const followedM = guidance.followedM + Math.max(0, movedM(network, move));
  const reached = reach(network, { ...guidance, followedM }, toFraction, toMs, settings);
  const stands = reached.reachedMs !== undefined && toMs - reached.reachedMs >= settings.standingMs;
  return stands ? report(reached, at, reached.reachedMs, toMs, settings) : { guidance: reached };
}

/**
 * The driver left the route a while ago. It is certain only when they are far enough along, and far enough
 * from the edge of the route.
 */
function judgeLeaving(
  network: RoadNetwork,
  guidance: Guidance,
  { fromMs, toMs, point, sigmaM }: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { leftAt, leftM = 0, leftOver = [], reachedMs = fromMs } = guidance;
  const awayM = awayMetres(settings, sigmaM);
  if (
    leftAt === undefined ||
    leftM < Math.min(settings.turnM, awayM) ||
    !isAway(network, guidance.edges, leftAt, { point, awayM, sinceM: leftM })
  )
    return { guidance };
  const { before } = guidance;
  if (before !== undefined && leftAt === before.at && leftOver[0] === before.edge)
    return { guidance: { ...off(guidance), isUnheard: true } };
  const led = guidance.edges[leftAt + 1];
  if (led !== undefined && mayHaveTaken(network, led, leftOver, awayM)) return { guidance: off(guidance) };
  return report(off(guidance), leftAt, reachedMs, toMs, settings);
}

/**
 * An ended navigation guides nobody beyond the crossing that was before the driver when it ended: a driver
 * who comes upon its route later is not guided.
 */
const isAfterEnd = ({ endedMs }: Guidance, atMs: number): boolean => endedMs !== undefined && atMs > endedMs;

function isOver({ endedMs }: Guidance, nowMs: number, { endedGraceMs }: MatchingSettings): boolean {
  return endedMs !== undefined && nowMs > endedMs + endedGraceMs;
}

/** A new route begins at the edge that the driver is on. */
function foundAtStart(network: RoadNetwork, guidance: Guidance, { traversed, fromFraction }: Move): Guidance {
  if (guidance.at >= 0 || guidance.leftAt !== undefined) return guidance;
  const at = positionOf(guidance, original(network, traversed[0]!));
  return at < 0 ? guidance : { ...arrived(guidance, at), furthest: fromFraction };
}

/** Edges ahead on the route on which a driver who seemed to have left may join it again. */
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

function arrived(
  { reachedMs: _, leftAt: __, leftM: ___, leftOver: ____, ...rest }: Guidance,
  at: number,
): Guidance {
  const { reportedAt, before, isUnheard, ...others } = rest;
  const isHeard = before !== undefined && rest.at >= 0 && at > before.at;
  const told = isHeard ? {} : { ...(before && { before }), ...(isUnheard && { isUnheard }) };
  // Another approach to the same crossing is reported again; the same one is not.
  const isSame = reportedAt === at;
  return { ...others, ...told, ...(isSame ? { reportedAt } : {}), at, furthest: 0 };
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

function off({ reachedMs: _, leftAt: __, leftM: ___, leftOver: ____, ...rest }: Guidance): Guidance {
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
  if (guidance.followedM < reactM || guidance.isUnheard === true) return { guidance };
  return { guidance: { ...guidance, reportedAt: at }, turnedAway: { edge, reachedMs, atMs } };
}

/** A road piece that was copied for the sake of a turn restriction stands for its original. */
export function original(network: RoadNetwork, edge: number): number {
  return network.arrays.copyOf[edge]!;
}
