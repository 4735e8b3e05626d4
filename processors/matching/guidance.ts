import type { RoadNetwork } from '#routing-engine/network/road-network.js';

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
  /** When the driver was given it; absent in records of an earlier version. */
  readonly beganMs?: number;
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
  /**
   * Metres after `edges[at]` or `edges[leftAt]` up to which the phone was seen on the route, whatever the
   * matched road; set if they exceed the phone's error at two points in succession.
   */
  readonly beyondM?: number;
  /** The same of the last point alone. */
  readonly pointBeyondM?: number;
  /**
   * Where the phone stands, on average: metres after the start of `edges[at]`, below zero before it. Absent
   * while it moves on; kept when it leaves the route.
   */
  readonly stood?: { readonly at: number; readonly metres: number; readonly points: number };
  /** Position whose next edge was reported as turned away from; each approach is reported once. */
  readonly reportedAt?: number;
  /**
   * The previous route of the navigation. It led over the same edges up to `edges[at]`, and leaves this one
   * there by `edge`, if at all. The driver had followed it for `followedM` metres, which is absent in records
   * of an earlier version. Set until the driver passes that crossing.
   */
  readonly before?: { readonly at: number; readonly edge: number | undefined; readonly followedM?: number };
  /** The driver continued on the previous route, so it is unknown whether they received this one. */
  readonly isUnheard?: boolean;
  /** Set when the navigation ended: the next crossing ahead at that time still counts for a while. */
  readonly endedMs?: number;
}

/**
 * The guidance by another route of the same navigation. A phone without a connection continues on the
 * previous route. That does not mean that they reject the new one: there is no evidence until the driver
 * follows it.
 */
export function changedGuidance(
  former: Guidance,
  routeVersion: number,
  edges: readonly number[],
  beganMs?: number,
): Guidance {
  const begun = newGuidance(former.navigationId, routeVersion, edges, beganMs);
  let at = edges.findIndex((edge) => former.edges.includes(edge));
  let on = at < 0 ? -1 : former.edges.indexOf(edges[at]!);
  while (at >= 0 && at + 1 < edges.length && edges[at + 1] === former.edges[on + 1]) {
    at++;
    on++;
  }
  const edge = former.edges[on + 1];
  return {
    ...begun,
    ...(at >= 0 && { before: { at, edge, followedM: followedTo(former, former.at) } }),
    ...(former.isUnheard === true && { isUnheard: true }),
  };
}

export function newGuidance(
  navigationId: string,
  routeVersion: number,
  edges: readonly number[],
  beganMs?: number,
): Guidance {
  const began = beganMs === undefined ? {} : { beganMs };
  return { navigationId, routeVersion, ...began, edges, followedM: 0, at: -1, furthest: 0 };
}

/** Metres that the driver has followed this route or one before that led the same way over the next edge. */
export const followedTo = ({ followedM, before }: Guidance, at: number): number =>
  followedM + (before !== undefined && at < before.at ? (before.followedM ?? 0) : 0);

/** Edges ahead on the route on which a driver who seemed to have left may join it again. */
const edgesRejoinedMax = 12;

/**
 * Where the route continues with `edge`: the next position; or, after a doubtful deviation, the present one
 * again, or one behind the section that the matcher lost.
 */
export function continues({ edges, at, leftAt }: Guidance, edge: number): number {
  const from = at >= 0 ? at : leftAt;
  if (from === undefined) return -1;
  if (edges[from] === edge && edges[from + 1] !== edge) return from;
  const onto = edges.indexOf(edge, from + 1);
  return onto <= from + edgesRejoinedMax ? onto : -1;
}

export function positionOf({ edges, at, leftAt }: Guidance, edge: number): number {
  const ahead = edges.indexOf(edge, Math.max(0, at, leftAt ?? 0));
  return ahead >= 0 ? ahead : edges.indexOf(edge);
}

export function arrived(
  {
    reachedMs: _,
    leftAt: __,
    leftM: ___,
    leftOver: ____,
    beyondM: _____,
    pointBeyondM: ______,
    ...rest
  }: Guidance,
  at: number,
): Guidance {
  const { reportedAt, before, isUnheard, ...others } = rest;
  const isHeard = before !== undefined && rest.at >= 0 && at > before.at;
  const unsure = isHeard ? {} : { ...(before && { before }), ...(isUnheard && { isUnheard }) };
  // Another approach to the same crossing is reported again; the same one is not.
  const isSame = reportedAt === at;
  return { ...others, ...unsure, ...(isSame ? { reportedAt } : {}), at, furthest: 0 };
}

/** `beyondM` stays for the report of the crossing that was left. */
export function off({ reachedMs: _, leftAt: __, leftM: ___, leftOver: ____, ...rest }: Guidance): Guidance {
  return { ...rest, at: -1, furthest: 0 };
}

/** A copy of a road piece, made for a turn restriction, counts as its original. */
export function original(network: RoadNetwork, edge: number): number {
  return network.arrays.copyOf[edge]!;
}
