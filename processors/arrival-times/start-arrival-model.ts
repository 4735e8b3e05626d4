import { setImmediate } from 'node:timers/promises';
import { ArrivalModelStore } from '#map-data/learned/arrival-model-store.js';
import { usablePrior } from '#map-data/learned/arrival-prior.js';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { mapClock } from '#routing-engine/arrival-times/map-clock.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { Counts } from '../counts.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { adopt, lessonOf, take } from './arrival-learning.js';
import { type ArrivalModelState, arrivalModelState } from './arrival-model-state.js';
import { noScore, scored, scoreGauges } from './arrival-scores.js';
import { isPlausible } from './plausible-trip.js';

const outcomes = ['learnt', 'foreign', 'implausible', 'models', 'steered'] as const;

type Outcome = (typeof outcomes)[number];

export interface ArrivalModelDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'navArrivalObserved' | 'deadLetter'>;
  readonly network: RoadNetwork;
  /** Trips until the next training; 300 when absent. The first ones come earlier. */
  readonly trainEvery?: number;
  /** Log time between two publications of what the last trips have changed; a minute when absent. */
  readonly steerEveryMs?: number;
}

const corridorsMax = 10_000;

/**
 * Group `arrival-model`: learns the correction of arrival times from finished trips, and scores the
 * predictions.
 */
export async function startArrivalModel(deps: ArrivalModelDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'arrival_model_outcomes_total',
    'Finished trips, trained models and adjusted models.',
    outcomes,
  );
  return startGroup(topologyOf(deps, counts), deps, counts);
}

function topologyOf(
  { codecs, network, objects, metrics, logger, trainEvery = 300, steerEveryMs = 60_000 }: ArrivalModelDeps,
  counts: Counts<Outcome>,
): Topology<ArrivalModelState> {
  const { tilesetId } = network;
  const show = scoreGauges(metrics);
  const store = new ArrivalModelStore(objects, tilesetId);
  const prior = usablePrior(tilesetId, logger);
  // The other groups of this process go on between two trees.
  const localMs = mapClock(network);
  const settings = { tilesetId, localMs, prior, trainEvery, steerEveryMs, pause: () => setImmediate() };
  /** Goes on from the newest model: one that a command trained, or that an earlier life published. */
  const followStore = async (state: ArrivalModelState): Promise<void> => {
    const version = await store.newestVersion();
    if (state.model !== undefined && version <= state.model.version) return;
    const model = (await store.newest()) ?? (prior && { ...prior, version });
    if (model !== undefined) adopt(state, model);
  };
  return {
    group: 'arrival-model',
    startAt: 'earliest',
    state: arrivalModelState(tilesetId, localMs),
    inputs: [
      each(codecs.navArrivalObserved, async ({ message, timestampMs }, { state }) => {
        if (message.tilesetId !== tilesetId) {
          counts.add('foreign');
          return drop('foreign');
        }
        if (!isPlausible({ ...message, row: message.features }, state.trips[0])) {
          counts.add('implausible');
          return drop('implausible');
        }
        if (state.model === undefined) await followStore(state);
        // Before the trip is used: if the store is unavailable, the record is redelivered.
        let lesson = await lessonOf(state, message, timestampMs, settings);
        if (lesson.publish !== undefined) {
          const before = state.model;
          await followStore(state);
          if (state.model !== before) lesson = await lessonOf(state, message, timestampMs, settings);
          if (lesson.publish !== undefined) await store.publish(lesson.publish);
          counts.add(lesson.isTrained ? 'models' : 'steered');
        }
        take(state, lesson, timestampMs);
        state.all = scored(state.all, message);
        const { corridor } = message;
        if (state.corridors.has(corridor) || state.corridors.size < corridorsMax)
          state.corridors.set(corridor, scored(state.corridors.get(corridor) ?? noScore, message));
        counts.add('learnt');
        show(state.all);
        return ok;
      }),
    ],
  };
}
