import {
  type ArrivalModel,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import type { LocalMs } from '#routing-engine/arrival-times/map-clock.js';
import { withClock } from '#routing-engine/arrival-times/route-features.js';
import {
  noSteering,
  type Steering,
  steeredModel,
  steeringAfter,
} from '#routing-engine/arrival-times/steering.js';
import type { ArrivalObserved } from '#schemas/messages.js';

/** What is known of the trips of a place. Plain data. */
export interface Learned {
  /** The last ones, oldest first. */
  readonly trips: FinishedTrip[];
  sinceTraining: number;
  /** Without what later trips changed; its version is the newest that was published. */
  model?: ArrivalModel;
  steering: Steering;
  /** Log time of the publication, Unix milliseconds, and the trips that it rests on. */
  publishedMs: number;
  publishedTrips: number;
}

export interface LearningSettings {
  readonly tilesetId: string;
  /** The clock of the map. */
  readonly localMs: LocalMs;
  /** What is known of places in general; undefined when its file is damaged. */
  readonly prior: ArrivalModel | undefined;
  /** Trips until the next training. The first ones come earlier: whenever the trips have doubled. */
  readonly trainEvery: number;
  /** Log time between two publications of what trips have changed. The first ones come earlier. */
  readonly steerEveryMs: number;
  /** Gives way to others between two trees. */
  readonly pause?: () => Promise<void>;
}

/** What a trip changes. */
export interface Lesson {
  readonly trip: FinishedTrip;
  readonly model: ArrivalModel | undefined;
  readonly steering: Steering;
  readonly isTrained: boolean;
  /** What readers should get now. */
  readonly publish?: ArrivalModel;
}

/** Trips that a model is learnt from. */
export const tripsMax = 20_000;
/** The first training; fewer trips say no more than a level. */
export const firstTraining = 50;
/** With this many own trips a model is replaced, however many it was learned from elsewhere. */
const ownTripsEnough = 2_000;

export const nothingLearned = (): Learned => ({
  ...{ trips: [], sinceTraining: 0, steering: noSteering, publishedMs: 0, publishedTrips: 0 },
});

/** A model that was published elsewhere or by an earlier life takes the place of one's own. */
export function adopt(learned: Learned, model: ArrivalModel): void {
  learned.model = model;
  learned.steering = { ...noSteering, trips: model.trips, drift: model.drift };
  learned.publishedTrips = model.trips;
}

/** What a trip teaches. Changes nothing: the publication may fail. */
export async function lessonOf(
  { trips, sinceTraining, model, steering, publishedMs, publishedTrips }: Learned,
  { features, physicalS, departedMs: departMs, actualS, saidS }: ArrivalObserved,
  nowMs: number,
  { tilesetId, localMs, prior, trainEvery, steerEveryMs, pause }: LearningSettings,
): Promise<Lesson> {
  // A record of an earlier program has the hour of UTC.
  const row = withClock(features, localMs(departMs));
  const trip = { row, physicalS, departMs, actualS };
  // Before it is taught: only a trip that the model has not seen says how good its times are.
  const steered = model === undefined ? steering : steeringAfter(model, steering, trip, saidS);
  const count = trips.length + 1;
  const isDue = sinceTraining + 1 >= Math.min(trainEvery, Math.max(firstTraining, Math.ceil(count / 2)));
  if (isDue && count >= Math.min(model?.trips ?? 0, ownTripsEnough)) {
    const version = (model?.version ?? 0) + 1;
    const start = { ...(prior === undefined ? {} : { prior }), drift: steered.drift };
    const taught = [...trips, trip].slice(-tripsMax);
    const trained = await trainArrivalModel(taught, { tilesetId, version, ...start }, pause);
    const next = { ...noSteering, trips: Math.max(taught.length, steered.trips), drift: steered.drift };
    return { trip, model: trained, steering: next, isTrained: true, publish: steeredModel(trained, next) };
  }
  const lesson = { trip, steering: steered, isTrained: false };
  const isEarly = steered.trips >= 2 * publishedTrips;
  if (model === undefined || !(isEarly || nowMs - publishedMs >= steerEveryMs)) return { ...lesson, model };
  const next = { ...model, version: model.version + 1 };
  return { ...lesson, model: next, publish: steeredModel(next, steered) };
}

/** Takes it in, when what was to be published is. */
export function take(
  learned: Learned,
  { trip, model, steering, isTrained, publish }: Lesson,
  nowMs: number,
): void {
  learned.trips.push(trip);
  if (learned.trips.length > tripsMax) learned.trips.splice(0, learned.trips.length - tripsMax);
  learned.sinceTraining = isTrained ? 0 : learned.sinceTraining + 1;
  if (model !== undefined) learned.model = model;
  learned.steering = steering;
  if (publish === undefined) return;
  learned.publishedMs = nowMs;
  learned.publishedTrips = steering.trips;
}
