import { setImmediate } from 'node:timers/promises';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import {
  encodeArrivalModel,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import { arrivalModelKey } from '#tile-builder/arrival-models.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type ArrivalScore, noScore, scored, scoreGauges } from './arrival-scores.js';

export interface ArrivalModelDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'navArrivalObserved' | 'deadLetter'>;
  readonly network: RoadNetwork;
  /** Trips that the first model needs, and trips until the next; 300 each when absent. */
  readonly trainEvery?: number;
}

interface ArrivalModelState {
  /** The last ones, oldest first. */
  readonly trips: FinishedTrip[];
  readonly corridors: Map<string, ArrivalScore>;
  all: ArrivalScore;
  sinceTraining: number;
  version: number;
}

/** Trips that a model is learnt from. */
const tripsMax = 20_000;
const corridorsMax = 10_000;
const versionsKept = 3;

/** Group `arrival-model`: learns the correction of arrival times from finished trips, and scores what was said. */
export async function startArrivalModel(deps: ArrivalModelDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'arrival_model_outcomes_total',
    'Finished trips, and models trained.',
    ['learnt', 'foreign', 'implausible', 'models'],
  );
  return startGroup(topologyOf(deps, counts), deps, counts);
}

function topologyOf(
  { codecs, network, objects, metrics, trainEvery = 300 }: ArrivalModelDeps,
  counts: Counts,
): Topology<ArrivalModelState> {
  const { tilesetId } = network;
  const show = scoreGauges(metrics);
  const publish = async ({ trips, version }: ArrivalModelState): Promise<void> => {
    // The other groups of this process go on between two trees.
    const model = await trainArrivalModel(trips, { tilesetId, version: version + 1 }, () => setImmediate());
    await objects.put(arrivalModelKey(tilesetId, version + 1), encodeArrivalModel(model));
    counts.add('models');
    const keys: string[] = [];
    for await (const key of objects.list(arrivalModelKey(tilesetId))) keys.push(key);
    for (const key of keys.slice(0, -versionsKept)) await objects.delete(key);
  };
  return {
    group: 'arrival-model',
    startAt: 'earliest',
    state: jsonState({
      layout: 1,
      tilesetId,
      fresh: (): ArrivalModelState => ({
        ...{ trips: [], corridors: new Map(), all: noScore, sinceTraining: 0, version: 0 },
      }),
      toPlain: ({ corridors, ...rest }) => ({ ...rest, corridors: [...corridors] }),
      fromPlain: ({ corridors, ...rest }) => ({ ...rest, corridors: new Map(corridors) }),
    }),
    inputs: [
      each(codecs.navArrivalObserved, async ({ message }, { state }) => {
        if (message.tilesetId !== tilesetId) {
          counts.add('foreign');
          return drop('foreign');
        }
        if (!isPlausible(message, state.trips[0])) {
          counts.add('implausible');
          return drop('implausible');
        }
        // Before the trip is taken: a store that is away brings it again.
        if (state.sinceTraining >= trainEvery) {
          await publish(state);
          state.version++;
          state.sinceTraining = 0;
        }
        learn(state, message);
        counts.add('learnt');
        show(state.all);
        return ok;
      }),
    ],
  };
}

function learn(state: ArrivalModelState, message: ArrivalObserved): void {
  const { features: row, physicalS, departedMs: departMs, actualS, corridor } = message;
  state.trips.push({ row, physicalS, departMs, actualS });
  if (state.trips.length > tripsMax) state.trips.splice(0, state.trips.length - tripsMax);
  state.sinceTraining++;
  state.all = scored(state.all, message);
  if (state.corridors.has(corridor) || state.corridors.size < corridorsMax)
    state.corridors.set(corridor, scored(state.corridors.get(corridor) ?? noScore, message));
}

/** One trip that took twenty times as long was a lunch, and must not teach. */
function isPlausible(
  { actualS, physicalS, features }: ArrivalObserved,
  like: FinishedTrip | undefined,
): boolean {
  const ratio = actualS / physicalS;
  const isNumber = ratio > 0 && features.length > 0 && features.every(Number.isFinite);
  return (
    isNumber && ratio >= 0.2 && ratio <= 5 && (like === undefined || like.row.length === features.length)
  );
}
