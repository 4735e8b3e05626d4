import type { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import { patternLimits, type UserPatterns } from '#map-data/learned/user-patterns.js';
import { OnlineMatcher } from '#routing-engine/matching/online-matcher.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LocationBatch } from '#schemas/location.js';
import { matchBatch } from '../matching/match-batch.js';
import { matchingDefaults } from '../matching/settings.js';
import type { UserTrack } from '../matching/user-track.js';
import type { MatchTools } from '../matching/walk.js';
import { learnStay } from './learn-stay.js';
import type { Driven } from './learn-trip.js';
import { drivenEdgesMax, sweepEveryMs } from './settings.js';
import { addToTrace, newTrace, type OpenTrace } from './stays.js';

/** What is known of one user who allowed it, besides the patterns in the object store. Plain data. */
export interface PersonalUser {
  /** Time of the permission; a batch that was accepted before it is not used. */
  readonly sinceMs: number;
  /** Newest acceptance of a batch; at first that of the permission. */
  readonly heardMs: number;
  /** Absent until a batch came, and where the patterns were deleted. */
  readonly open?: {
    readonly trace: OpenTrace;
    readonly track?: UserTrack;
    readonly driven: readonly Driven[];
  };
}

export interface PersonalState {
  readonly users: Map<string, PersonalUser>;
  streamMs: number;
}

const noPatterns = (sinceMs: number): UserPatterns => ({
  ...{ sinceMs, foldedMs: Number.MIN_SAFE_INTEGER, nextPlaceId: 1 },
  ...{ places: [], routes: [] },
});

/**
 * The steps of the group. Each writes to the store before it changes the state, because a step that fails is
 * repeated; a repeated write changes nothing.
 */
export class PersonalStep {
  readonly #tools: MatchTools;
  readonly #patterns: Pick<UserPatternStore, 'read' | 'write' | 'delete'>;

  constructor(network: RoadNetwork, patterns: Pick<UserPatternStore, 'read' | 'write' | 'delete'>) {
    const matcher = new OnlineMatcher(network, { mode: 'driving' });
    this.#tools = { network, matcher, settings: matchingDefaults };
    this.#patterns = patterns;
  }

  allow(state: PersonalState, userId: string, changedMs: number): void {
    if (state.users.has(userId)) return;
    state.users.set(userId, { sinceMs: changedMs, heardMs: changedMs });
  }

  /** Permission was revoked: nothing of the user remains. */
  async revoke(state: PersonalState, userId: string, changedMs: number): Promise<void> {
    const stored = await this.#patterns.read(userId);
    // Where the log is read again, a later permission may have patterns whose locations are gone.
    if (stored !== undefined && stored.sinceMs < changedMs) await this.#patterns.delete(userId);
    state.users.delete(userId);
  }

  /**
   * The user erased their locations: what was learned from them goes too, the permission stays. Where the log
   * is read again, all that was sent after the erasure is in it, too.
   */
  async erase(state: PersonalState, userId: string): Promise<void> {
    const user = state.users.get(userId);
    if (user === undefined) return;
    await this.#patterns.delete(userId);
    state.users.set(userId, { sinceMs: user.sinceMs, heardMs: user.heardMs });
  }

  /** Number of stays that were learned, and of points that came too late. */
  async addBatch(
    state: PersonalState,
    user: PersonalUser,
    batch: LocationBatch,
  ): Promise<{ readonly stays: number; readonly late: number }> {
    const { trace: before, track, driven: waiting } = user.open ?? { trace: newTrace, driven: [] };
    const known = track ?? { receivedMs: batch.receivedMs, batchIds: [], guidances: [] };
    const matched = matchBatch(this.#tools, known, batch);
    const { network } = this.#tools;
    const driven = [
      ...waiting,
      ...matched.driven.map(
        ({ edge, leftMs }): Driven => [network.edgeId(edge), network.edgeLengthM(edge), leftMs],
      ),
    ].slice(-drivenEdgesMax);
    const { trace, stays, late } = addToTrace(before, batch);
    if (stays.length > 0) {
      const stored = await this.#patterns.read(batch.userId);
      // Those of a later permission are there where the log is read again.
      if (stored === undefined || stored.sinceMs <= user.sinceMs) {
        let patterns = stored?.sinceMs === user.sinceMs ? stored : noPatterns(user.sinceMs);
        for (const stay of stays) patterns = learnStay(patterns, stay, driven);
        if (patterns !== stored) await this.#patterns.write(batch.userId, patterns);
      }
    }
    const decidedMs = stays.at(-1)?.leftMs ?? Number.NEGATIVE_INFINITY;
    const { recent: _, ...kept } = matched.track;
    state.users.set(batch.userId, {
      sinceMs: user.sinceMs,
      heardMs: Math.max(user.heardMs, batch.receivedMs),
      open: { trace, track: kept, driven: driven.filter(([, , leftMs]) => leftMs >= decidedMs) },
    });
    return { stays: stays.length, late };
  }

  /** Deletes the patterns of users who have sent nothing for `keptMs`. Returns their number. */
  async sweep(state: PersonalState, receivedMs: number): Promise<number> {
    const isDue = Math.floor(receivedMs / sweepEveryMs) > Math.floor(state.streamMs / sweepEveryMs);
    let deleted = 0;
    for (const [userId, { sinceMs, heardMs, open }] of isDue ? state.users : []) {
      if (open === undefined || receivedMs - heardMs < patternLimits.keptMs) continue;
      await this.#patterns.delete(userId);
      state.users.set(userId, { sinceMs, heardMs });
      deleted++;
    }
    state.streamMs = Math.max(state.streamMs, receivedMs);
    return deleted;
  }
}
