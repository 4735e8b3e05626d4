import { setImmediate } from 'node:timers/promises';
import { arrivalModelKey } from '#map-data/learned/arrival-models.js';
import { each } from '#platform/stream/input.js';
import { drop, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import {
  type ArrivalModel,
  driftAfter,
  encodeArrivalModel,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { noDrift } from '#routing-engine/arrival-times/interval-reach.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type ArrivalScore, noScore, scored, scoreGauges } from './arrival-scores.js';

const outcomes = ['learnt', 'foreign', 'implausible', 'models', 'steered'] as const;

type Outcome = (typeof outcomes)[number];

export interface ArrivalModelDeps extends GroupDeps {
  readonly codecs: Pick<TopicCodecs, 'navArrivalObserved' | 'deadLetter'>;
  readonly network: RoadNetwork;
  /** Trips that the first model needs, and trips until the next; 300 each when absent. */
  readonly trainEvery?: number;
  /**
   * Log time between two publications of what the last trips have moved the interval by; a minute when
   * absent.
   */
  readonly steerEveryMs?: number;
}

interface ArrivalModelState {
  /** The last ones, oldest first. */
  readonly trips: FinishedTrip[];
  readonly corridors: Map<string, ArrivalScore>;
  all: ArrivalScore;
  sinceTraining: number;
  /** The published one. */
  model?: ArrivalModel;
  /** [horizons] ahead of the published one by the trips since. */
  drift: ArrivalModel['drift'];
  /** Log time of the publication, Unix milliseconds. */
  publishedMs: number;
}

/** Trips from which a model is trained. */
const tripsMax = 20_000;
const corridorsMax = 10_000;
const versionsKept = 3;
const versionDigits = /(\d+)\.json$/u;

/**
 * Group `arrival-model`: learns the correction of arrival times from finished trips, and scores the
 * predictions.
 */
export async function startArrivalModel(deps: ArrivalModelDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'arrival_model_outcomes_total',
    'Finished trips, trained models and adjusted intervals.',
    outcomes,
  );
  return startGroup(topologyOf(deps, counts), deps, counts);
}

function topologyOf(
  { codecs, network, objects, metrics, trainEvery = 300, steerEveryMs = 60_000 }: ArrivalModelDeps,
  counts: Counts<Outcome>,
): Topology<ArrivalModelState> {
  const { tilesetId } = network;
  const show = scoreGauges(metrics);
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const key of objects.list(arrivalModelKey(tilesetId))) found.push(key);
    return found;
  };
  /** A replay writes the version again. Without state, the next one follows the newest that is stored. */
  const nextVersion = async ({ model }: ArrivalModelState): Promise<number> =>
    1 + (model?.version ?? Number((await keys()).at(-1)?.match(versionDigits)?.[1] ?? 0));
  const publish = async (model: ArrivalModel): Promise<void> => {
    await objects.put(arrivalModelKey(tilesetId, model.version), encodeArrivalModel(model));
    for (const key of (await keys()).slice(0, -versionsKept)) await objects.delete(key);
  };
  return {
    group: 'arrival-model',
    startAt: 'earliest',
    state: jsonState({
      layout: 2,
      tilesetId,
      fresh: (): ArrivalModelState => ({
        ...{
          trips: [],
          corridors: new Map(),
          all: noScore,
          sinceTraining: 0,
          drift: noDrift,
          publishedMs: 0,
        },
      }),
      toPlain: ({ corridors, ...rest }) => ({ ...rest, corridors: [...corridors] }),
      fromPlain: ({ corridors, ...rest }) => ({ ...rest, corridors: new Map(corridors) }),
    }),
    inputs: [
      each(codecs.navArrivalObserved, async ({ message, timestampMs }, { state }) => {
        if (message.tilesetId !== tilesetId) {
          counts.add('foreign');
          return drop('foreign');
        }
        if (!isPlausible(message, state.trips[0])) {
          counts.add('implausible');
          return drop('implausible');
        }
        // Before the trip is used: if the store is unavailable, the record is redelivered.
        const { model, drift } = state;
        const isDue = state.sinceTraining >= trainEvery;
        const isMoved = model !== undefined && drift.some((each, i) => each !== model.drift[i]);
        if (isDue || (isMoved && timestampMs - state.publishedMs >= steerEveryMs)) {
          const version = await nextVersion(state);
          // The other groups of this process run between two trees.
          const next = isDue
            ? await trainArrivalModel(state.trips, { tilesetId, version, drift }, () => setImmediate())
            : { ...model!, version, drift };
          await publish(next);
          counts.add(isDue ? 'models' : 'steered');
          state.model = next;
          state.publishedMs = timestampMs;
          if (isDue) state.sinceTraining = 0;
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
  const trip = { row, physicalS, departMs, actualS };
  // Before training: only a trip that the model has not seen tests its interval.
  if (state.model !== undefined) state.drift = driftAfter({ ...state.model, drift: state.drift }, trip);
  state.trips.push(trip);
  if (state.trips.length > tripsMax) state.trips.splice(0, state.trips.length - tripsMax);
  state.sinceTraining++;
  state.all = scored(state.all, message);
  if (state.corridors.has(corridor) || state.corridors.size < corridorsMax)
    state.corridors.set(corridor, scored(state.corridors.get(corridor) ?? noScore, message));
}

/** A trip that took twenty times as long was interrupted and must not be used for training. */
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
