import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { pieceMaxM } from '../crossing-piece.js';
import { awayMetres, isAway, mayHaveTaken, metresBack, type OnEdge } from './away-from-route.js';
import { arrived, continues, followedTo, type Guidance, off, original, positionOf } from './guidance.js';
import { crossingTimes, type Move, movedM } from './passages.js';
import { isBehind, seenBeyond } from './seen-beyond.js';
import type { MatchingSettings } from './settings.js';
import { lastEntered, withStanding } from './standing.js';

/** A place without a known previous edge. */
export interface Placed extends OnEdge {
  readonly timeMs: number;
}

export interface TurnedAway {
  readonly edge: number;
  readonly reachedMs: number;
  readonly atMs: number;
  /** The driver stayed on the previous route, and may not have received this one. */
  readonly keptPrevious?: true;
}

export interface GuidanceStep {
  readonly guidance: Guidance | undefined;
  readonly turnedAway?: TurnedAway;
}

/**
 * The end of a navigation is stamped by the platform, points by the phone, and between two points a crossing
 * is placed by an even speed. The times differ by seconds, in which pieces of a crossing are driven.
 */
const clockErrorMs = 5_000;
/** Edges off the route that are stored: enough to be certain that the driver left it. */
const edgesLeftMax = 8;

/** The driver's first place, or the first after a gap: the path to it is unknown. */
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
    return report(network, off(guidance), at, { reachedMs, atMs: timeMs, hasTurned: true }, settings);
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
  const hasCrossingBefore = guidance.at >= 0 || guidance.leftAt !== undefined;
  if (isAfterEnd(guidance, toMs) && !hasCrossingBefore) return { guidance: undefined };
  let now = foundAtStart(network, guidance, move);
  if (traversed.length === 1) return stay(network, now, move, settings);
  for (const [crossing, crossedMs] of crossingTimes(network, move).entries()) {
    const i = crossing + 1;
    const edge = original(network, traversed[i]!);
    const isLast = i === traversed.length - 1;
    const isPiece = network.edgeLengthM(edge) <= pieceMaxM;
    const isLater = isAfterEnd(now, isPiece ? crossedMs - clockErrorMs : crossedMs);
    const onto = continues(now, edge);
    if (onto >= 0) {
      if (isLater) return bypassed(network, now, onto, move, settings);
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
    // A driver may turn round in the middle of a road for reasons of their own; only a turn at the crossing
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
    const reached = reach(network, { ...now, followedM }, toFraction, toMs, settings);
    return { guidance: withPhone(network, reached, move, settings) };
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
    return report(network, off(guidance), at, { reachedMs, atMs: toMs, hasTurned: true }, settings);
  const followedM = guidance.followedM + Math.max(0, movedM(network, move));
  const arriving = reach(network, { ...guidance, followedM }, toFraction, toMs, settings);
  const reached = withPhone(network, arriving, move, settings);
  const stands = reached.reachedMs !== undefined && toMs - reached.reachedMs >= settings.standingMs;
  return stands
    ? report(network, reached, at, { reachedMs: reached.reachedMs, atMs: toMs, hasTurned: true }, settings)
    : { guidance: reached };
}

/**
 * The driver left the route a while ago. It is certain only when they are far enough along, and far enough
 * from the edge of the route.
 */
function judgeLeaving(
  network: RoadNetwork,
  before: Guidance,
  move: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { fromMs, toMs, point, sigmaM } = move;
  const guidance = seenBeyond(network, before, move, settings);
  const { leftAt, leftM = 0, leftOver = [], reachedMs = fromMs } = guidance;
  const awayM = awayMetres(settings, sigmaM);
  if (
    leftAt === undefined ||
    leftM < Math.min(settings.turnM, awayM) ||
    !isAway(network, guidance.edges, leftAt, { point, awayM, sinceM: leftM })
  )
    return { guidance };
  const hasTurned = leftOver[0] === network.reverseOf(guidance.edges[leftAt]!);
  const times = { reachedMs, atMs: toMs, hasTurned };
  if (isPrevious(guidance)) {
    const { turnedAway } = report(network, off(guidance), leftAt, times, settings);
    return {
      guidance: { ...off(guidance), isUnheard: true },
      ...(turnedAway && { turnedAway: { ...turnedAway, keptPrevious: true } }),
    };
  }
  const led = guidance.edges[leftAt + 1];
  if (led !== undefined && mayHaveTaken(network, led, leftOver, awayM)) return { guidance: off(guidance) };
  return report(network, off(guidance), leftAt, times, settings);
}

/**
 * A driver who ended the navigation is on its route again. If they left it before the crossing's next edge
 * and joined it after that edge, they drove round the edge: many end a navigation because of what they see
 * there.
 */
function bypassed(
  network: RoadNetwork,
  guidance: Guidance,
  onto: number,
  { fromMs, toMs }: Move,
  settings: MatchingSettings,
): GuidanceStep {
  const { beyondM: _, pointBeyondM: __, ...beside } = guidance;
  const { leftAt, reachedMs = fromMs } = beside;
  if (leftAt === undefined || onto <= leftAt + 1 || isPrevious(guidance)) return { guidance: undefined };
  return { ...report(network, beside, leftAt, { reachedMs, atMs: toMs }, settings), guidance: undefined };
}

/** The driver left this route for the previous one, and may not have received this one. */
const isPrevious = ({ before, leftAt, leftOver = [] }: Guidance): boolean =>
  before !== undefined && leftAt === before.at && leftOver[0] === before.edge;

/**
 * An ended navigation guides a driver no further than the first crossing ahead at its end: a driver who
 * reaches its route later is not guided.
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

/** What the phone's own points show of a driver on the route near the end of an edge. */
function withPhone(
  network: RoadNetwork,
  guidance: Guidance,
  move: Move,
  settings: MatchingSettings,
): Guidance {
  if (guidance.reachedMs === undefined) return guidance;
  const seen = seenBeyond(network, guidance, move, settings);
  return withStanding(network, seen, move, awayMetres(settings, move.sigmaM));
}

interface Approached {
  readonly reachedMs: number;
  readonly atMs: number;
  /** The driver turned round, or stands: the road that they took does not show which edges they entered. */
  readonly hasTurned?: boolean;
}

/**
 * The driver did not pass a crossing. A driver who reached it before following the route for a while cannot
 * react to it, and did not refuse it. Pieces on which the phone was seen can be entered: the closed edge is
 * the one that begins where the phone stopped.
 */
function report(
  network: RoadNetwork,
  guidance: Guidance,
  at: number,
  { hasTurned = false, ...times }: Approached,
  { reactM }: MatchingSettings,
): GuidanceStep {
  const { edges, beyondM = 0 } = guidance;
  let next = at + 1;
  let beforeM = beyondM;
  while (next < edges.length && isBehind(network.edgeLengthM(edges[next]!), beforeM))
    beforeM -= network.edgeLengthM(edges[next++]!);
  if (hasTurned && next === at + 1) next = lastEntered(network, guidance, at) + 1;
  const edge = edges[next];
  if (edge === undefined || guidance.reportedAt === at) return { guidance };
  if (followedTo(guidance, next - 1) < reactM || guidance.isUnheard === true) return { guidance };
  return { guidance: { ...guidance, reportedAt: at }, turnedAway: { edge, ...times } };
}
