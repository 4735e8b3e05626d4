import { each, type StreamContext } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type EdgeObservations, observationKind, type StrayTrace } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { idleSweepMs, recentKeptMs, trackedUsersMax } from '../limits.js';
import { squareOf } from '../new-roads/square.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type MatchingResult, MatchingStep } from './matching-step.js';
import { type MatchingSettings, matchingDefaults } from './settings.js';
import type { UserTrack } from './user-track.js';

export interface MatchingDeps extends GroupDeps {
  readonly codecs: Pick<
    TopicCodecs,
    'locationBatchRecorded' | 'navSessionChanged' | 'trafficEdgeObserved' | 'mapTraceStray' | 'deadLetter'
  >;
  readonly network: RoadNetwork;
  /** Key of the drivers' pseudonyms; the same one for all processes, and after a restart. */
  readonly pseudonymKey: string;
  readonly settings?: Partial<MatchingSettings>;
}

interface MatchingState {
  readonly users: Map<string, UserTrack>;
  /** Latest acceptance seen, Unix milliseconds: the clock by which users are evicted. */
  streamMs: number;
}

const pointOutcomes = ['matched', 'unmatched', 'corrected', 'late', 'future', 'repeated', 'undriven', 'full'];
const edgeOutcomes = ['passed', 'turned_away', 'stray'];

/** Group `matching`: matches points to edges and derives facts about the edges. */
export async function startMatching(deps: MatchingDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'matching_outcomes_total',
    'Points of location batches by outcome, and observations of edges by kind.',
    [...pointOutcomes, ...edgeOutcomes],
  );
  return startGroup(matchingTopology(deps, counts), deps, counts);
}

function matchingTopology(
  { codecs, network, pseudonymKey, settings }: MatchingDeps,
  counts: Counts,
): Topology<MatchingState> {
  const step = new MatchingStep({ network, pseudonymKey, settings: { ...matchingDefaults, ...settings } });
  const isRoomFor = ({ users }: MatchingState, userId: string): boolean =>
    users.has(userId) || users.size < trackedUsersMax;
  const emit = (context: StreamContext<MatchingState>, messages: readonly EdgeObservations[]): void => {
    for (const message of messages) {
      const passed = message.observations.filter(({ kind }) => kind === observationKind.passed).length;
      counts.add('passed', passed);
      counts.add('turned_away', message.observations.length - passed);
      context.emit(codecs.trafficEdgeObserved, String(message.cell), message);
    }
  };
  const emitStrays = (context: StreamContext<MatchingState>, strays: readonly StrayTrace[]): void => {
    counts.add('stray', strays.length);
    for (const stray of strays)
      context.emit(codecs.mapTraceStray, squareOf(stray.lngE7[0]!, stray.latE7[0]!).key, stray);
  };
  return {
    group: 'matching',
    startAt: 'earliest',
    state: jsonState({
      layout: 4,
      tilesetId: network.tilesetId,
      fresh: (): MatchingState => ({ users: new Map(), streamMs: 0 }),
      toPlain: ({ users, streamMs }) => ({ users: [...users], streamMs }),
      fromPlain: ({ users, streamMs }) => ({ users: new Map(users), streamMs }),
      // Drives in progress start again on the new roads; no record is read twice.
      carryOver: ({ streamMs }) => ({ users: new Map(), streamMs }),
    }),
    inputs: [
      each(codecs.navSessionChanged, ({ message }, context) => {
        const { state } = context;
        if (!isRoomFor(state, message.userId)) return drop('full');
        const result = step.applyNavigation(state.users.get(message.userId), message);
        state.users.set(message.userId, result.track);
        emit(context, result.observations);
        return ok;
      }),
      each(codecs.locationBatchRecorded, ({ message: batch }, context) => {
        const { state } = context;
        sweep(step, state, batch.receivedMs, (settled) => {
          emit(context, settled.observations);
          emitStrays(context, settled.strays);
        });
        if (!isRoomFor(state, batch.userId)) {
          counts.add('full', batch.points.count);
          return drop('full');
        }
        const result = step.applyBatch(state.users.get(batch.userId), batch);
        state.users.set(batch.userId, result.track);
        for (const [outcome, amount] of Object.entries(result.counts)) counts.add(outcome, amount);
        emit(context, result.observations);
        emitStrays(context, result.strays);
        return ok;
      }),
    ],
  };
}

/**
 * Ends drives without new points and evicts idle users. It uses the times of acceptance, so a replay does
 * both where the first run did.
 */
function sweep(
  step: MatchingStep,
  state: MatchingState,
  receivedMs: number,
  emit: (settled: Omit<MatchingResult, 'counts'>) => void,
): void {
  const isDue = Math.floor(receivedMs / idleSweepMs) > Math.floor(state.streamMs / idleSweepMs);
  state.streamMs = Math.max(state.streamMs, receivedMs);
  if (!isDue) return;
  for (const [userId, track] of state.users) {
    const settled = step.settle(userId, track, state.streamMs);
    if (settled.track !== track) emit(settled);
    const { recent, ...rest } = settled.track;
    if (step.isIdle(track, state.streamMs)) state.users.delete(userId);
    else if (recent !== undefined && state.streamMs - recent.receivedMs > recentKeptMs)
      state.users.set(userId, rest);
    else if (settled.track !== track) state.users.set(userId, settled.track);
  }
}
