import { OnlineMatcher } from '#routing-engine/matching/online-matcher.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LocationBatch } from '#schemas/location.js';
import {
  type EdgeObservation,
  type EdgeObservations,
  type NavigationChanged,
  navigationState,
  observationKind,
  type StrayTrace,
} from '#schemas/messages.js';
import type { StrayPath } from '../new-roads/off-road-runs.js';
import type { GuidanceStep, TurnedAway } from './follow-route.js';
import { changedGuidance, type Guidance, newGuidance } from './guidance.js';
import { type Decided, followStep, matchBatch, type PointCounts, settle } from './match-batch.js';
import { hasTurned } from './passages.js';
import { driverPseudonym } from './pseudonym.js';
import type { MatchingSettings } from './settings.js';
import type { UserTrack } from './user-track.js';
import type { MatchTools } from './walk.js';

export interface MatchingStepOptions {
  readonly network: RoadNetwork;
  readonly settings: MatchingSettings;
  /** Key of the pseudonyms; the same one for all processes, and after a restart. */
  readonly pseudonymKey: string;
}

export interface MatchingResult {
  readonly track: UserTrack;
  readonly observations: readonly EdgeObservations[];
  readonly strays: readonly StrayTrace[];
  readonly counts: PointCounts;
}

export interface NavigationResult {
  readonly track: UserTrack;
  readonly observations: readonly EdgeObservations[];
}

/** The steps of the group: from a user's records to their track and to facts about edges. */
export class MatchingStep {
  readonly #options: MatchingStepOptions;
  readonly #tools: MatchTools;

  constructor(options: MatchingStepOptions) {
    const { network, settings } = options;
    this.#options = options;
    this.#tools = { network, settings, matcher: new OnlineMatcher(network, { mode: 'driving' }) };
  }

  applyBatch(track: UserTrack | undefined, batch: LocationBatch): MatchingResult {
    const known = track ?? { receivedMs: batch.receivedMs, batchIds: [], guidances: [] };
    const matched = matchBatch(this.#tools, known, batch);
    const { track: next, counts, strays } = matched;
    return {
      track: next,
      counts,
      observations: this.#byCell(batch, matched),
      strays: this.#strayTraces(batch, strays),
    };
  }

  /**
   * A navigation started, changed its route or ended. A reroute ends the old guidance at once, because it
   * leads the driver away from it.
   */
  applyNavigation(track: UserTrack | undefined, change: NavigationChanged): NavigationResult {
    const { network } = this.#options;
    const known = track ?? { receivedMs: change.changedMs, batchIds: [], guidances: [] };
    const present = known.guidances.find(({ endedMs }) => endedMs === undefined);
    const isPresent = present?.navigationId === change.navigationId;
    const isEnd = change.state === navigationState.ended;
    const isOld = isEnd ? !isPresent : isPresent && present.routeVersion >= change.routeVersion;
    if (isOld) return { track: known, observations: [] };
    const isUnreachable = change.state === navigationState.unreachable;
    const isLeft = isUnreachable || change.state === navigationState.rerouted;
    const former: Guidance[] =
      present === undefined || isLeft ? [] : [{ ...present, endedMs: change.changedMs }];
    const edges = change.tilesetId === network.tilesetId ? routeEdges(network, change.edgeIds) : undefined;
    const receivedMs = Math.max(known.receivedMs, change.changedMs);
    if (isEnd || isUnreachable || edges === undefined)
      return { track: { ...known, receivedMs, guidances: former }, observations: [] };
    const begun =
      isPresent && isLeft
        ? changedGuidance(present, change.routeVersion, edges, change.changedMs)
        : newGuidance(change.navigationId, change.routeVersion, edges, change.changedMs);
    const { guidance, turnedAway } = this.#catchUp(begun, known, change.changedMs);
    const guidances = guidance === undefined ? former : [guidance, ...former];
    const batch = { userId: change.userId, receivedMs: known.receivedMs };
    return {
      track: { ...known, receivedMs, guidances },
      observations: this.#byCell(batch, { driven: [], turnedAway }),
    };
  }

  /** Points that were accepted after the navigation began may have been read before its record. */
  #catchUp(begun: Guidance, { recent }: UserTrack, changedMs: number) {
    const { network, settings } = this.#options;
    const turnedAway: TurnedAway[] = [];
    let guidance: Guidance | undefined = begun;
    for (const step of recent !== undefined && recent.receivedMs >= changedMs ? recent.steps : []) {
      if (guidance === undefined) break;
      const followed: GuidanceStep = followStep(network, guidance, step, settings);
      guidance = followed.guidance;
      if (followed.turnedAway !== undefined) turnedAway.push(followed.turnedAway);
    }
    return { guidance, turnedAway };
  }

  /** Decides the rest of a drive that has ended; the same track if nothing is left. */
  settle(userId: string, track: UserTrack, nowMs: number): Omit<MatchingResult, 'counts'> {
    const { gapMaxMs } = this.#options.settings;
    if (track.match === undefined || nowMs - track.receivedMs <= gapMaxMs)
      return { track, observations: [], strays: [] };
    const decided = settle(this.#tools, track);
    const { receivedMs } = track;
    const record = { userId, receivedMs };
    return {
      track: decided.track,
      observations: this.#byCell(record, decided),
      strays: this.#strayTraces(record, decided.strays),
    };
  }

  /** True if a user has been silent for so long that their track is useless. */
  isIdle({ receivedMs, guidances }: UserTrack, nowMs: number): boolean {
    const { idleMs, navigatingIdleMs } = this.#options.settings;
    const isNavigating = guidances.some(({ endedMs }) => endedMs === undefined);
    return nowMs - receivedMs > (isNavigating ? navigatingIdleMs : idleMs);
  }

  #strayTraces(
    { userId, receivedMs }: { readonly userId: string; readonly receivedMs: number },
    strays: readonly StrayPath[],
  ): StrayTrace[] {
    const { network, pseudonymKey } = this.#options;
    return strays.map((path) => ({
      tilesetId: network.tilesetId,
      driver: driverPseudonym(pseudonymKey, userId, receivedMs),
      receivedMs,
      latE7: path.map(({ latE7 }) => latE7),
      lngE7: path.map(({ lngE7 }) => lngE7),
    }));
  }

  #byCell(
    batch: { readonly userId: string; readonly receivedMs: number },
    { driven, turnedAway }: Pick<Decided, 'driven' | 'turnedAway'>,
  ): EdgeObservations[] {
    if (driven.length === 0 && turnedAway.length === 0) return [];
    const { network, pseudonymKey } = this.#options;
    const driver = driverPseudonym(pseudonymKey, batch.userId, batch.receivedMs);
    const byCell = new Map<number, EdgeObservation[]>();
    const { receivedMs } = batch;
    const put = (edge: number, observation: EdgeObservation): void => {
      const cell = network.edgeCell(edge);
      const observations = byCell.get(cell) ?? [];
      observations.push(observation);
      byCell.set(cell, observations);
    };
    for (const { edge, enteredMs, leftMs, cameFrom, guided } of driven)
      put(edge, {
        edgeId: network.edgeId(edge),
        kind: hasTurned(network, { edge, cameFrom }) ? observationKind.turnedRound : observationKind.passed,
        enteredMs,
        leftMs,
        guided,
        cameFrom: cameFrom === undefined ? undefined : network.edgeId(cameFrom),
        driver,
        receivedMs,
      });
    for (const { edge, reachedMs, atMs, keptPrevious } of turnedAway)
      put(edge, {
        edgeId: network.edgeId(edge),
        kind: observationKind.turnedAway,
        enteredMs: reachedMs,
        leftMs: atMs,
        keptPrevious,
        driver,
        receivedMs,
      });
    const { tilesetId } = network;
    return [...byCell].map(([cell, observations]) => ({ tilesetId, cell, observations }));
  }
}

/** Undefined when the route names an edge that the tileset does not have. */
function routeEdges(network: RoadNetwork, edgeIds: readonly string[]): readonly number[] | undefined {
  const edges = edgeIds.map((id) => network.edgeByStableId(id));
  return edges.includes(undefined) ? undefined : (edges as number[]);
}
