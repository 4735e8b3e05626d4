import type { OnlineMatcher } from '#routing-engine/matching/online-matcher.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { JudgedPoint, StrayPath } from '../new-roads/off-road-runs.js';
import type { Placed, TurnedAway } from './follow-route.js';
import type { Guidance } from './guidance.js';
import type { DrivenEdge, Move } from './passages.js';
import type { MatchingSettings } from './settings.js';
import type { UserTrack } from './user-track.js';

/** `guided`: by an active navigation, or one that ended during the same trip. */
export interface GuidedEdge extends DrivenEdge {
  readonly guided: boolean;
}

/** The tools for a user's points; all users share the matcher. */
export interface MatchTools {
  readonly network: RoadNetwork;
  readonly matcher: OnlineMatcher;
  readonly settings: MatchingSettings;
}

/** What one point after the other changes; a new track for each would cost as much again. */
export interface Walk extends MatchTools {
  readonly begun: UserTrack;
  at: UserTrack['at'];
  enteredMs: number | undefined;
  cameFrom: number | undefined;
  newestMs: number | undefined;
  guidances: readonly Guidance[];
  guidedUntilMs: number | undefined;
  /** Undefined after the end of a drive. */
  stray: JudgedPoint[] | undefined;
  readonly driven: GuidedEdge[];
  readonly turnedAway: TurnedAway[];
  readonly strays: StrayPath[];
  readonly steps: (Move | Placed)[];
}

export function walkOn({ network, matcher, settings }: MatchTools, begun: UserTrack): Walk {
  const { at, enteredMs, cameFrom, newestMs, guidances, guidedUntilMs, stray } = begun;
  return {
    network,
    matcher,
    settings,
    begun,
    at,
    enteredMs,
    cameFrom,
    newestMs,
    guidances,
    guidedUntilMs,
    stray: stray?.slice(),
    driven: [],
    turnedAway: [],
    strays: [],
    steps: [],
  };
}

export function trackOf(walk: Walk): UserTrack {
  const { at, enteredMs, cameFrom, newestMs, guidances, guidedUntilMs, stray } = walk;
  const { match, taken, receivedMs, batchIds, recent } = walk.begun;
  return {
    match,
    at,
    enteredMs,
    cameFrom,
    newestMs,
    taken,
    receivedMs,
    batchIds,
    guidances,
    guidedUntilMs,
    stray,
    recent,
  };
}
