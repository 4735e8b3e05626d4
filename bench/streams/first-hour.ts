import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import { type Learned, lessonOf, nothingLearned, take } from '#processors/arrival-times/arrival-learning.js';
import type { ArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';
import { mapClock } from '#routing-engine/arrival-times/map-clock.js';
import { unsteeredPrior } from '#routing-engine/arrival-times/steering.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import { type ArrivalWorld, driveWorld } from './arrival-worlds.js';
import { mean } from './statistics.js';
import type { WholeTrip } from './virtual-arrivals.js';

const partMs = 10 * 60_000;
/** How often readers look for a new model. */
const pollMs = 15_000;

export interface ArrivalErrorsOfAPart {
  readonly trips: number;
  /** Mean of |predicted - actual| / actual: the prediction, free flow, the true speeds at the start. */
  readonly mape: number;
  readonly freeFlowMape: number;
  readonly oracleMape: number;
  /** Trips that took a time within their interval. */
  readonly covered: number;
  /** Times that no model made. */
  readonly withoutModel: number;
}

/** A platform that starts with the prior and learns from what its drivers do, in virtual time. */
export async function firstHour(world: ArrivalWorld): Promise<{
  readonly all: ArrivalErrorsOfAPart;
  /** By ten minutes of departure. */
  readonly parts: readonly ArrivalErrorsOfAPart[];
  readonly trained: number;
}> {
  const { tilesetId } = world.network;
  const prior = arrivalPrior(tilesetId);
  const localMs = mapClock(world.network);
  const settings = { tilesetId, localMs, prior, trainEvery: 300, steerEveryMs: 60_000 };
  const learned: Learned = { ...nothingLearned(), model: prior };
  const published: { readonly atMs: number; readonly model: ArrivalModel }[] = [];
  let trained = 0;
  const learn = async (trip: ArrivalObserved, nowMs: number): Promise<void> => {
    const lesson = await lessonOf(learned, trip, nowMs, settings);
    take(learned, lesson, nowMs);
    if (lesson.isTrained) trained++;
    if (lesson.publish !== undefined) published.push({ atMs: nowMs, model: lesson.publish });
  };
  let learning = Promise.resolve();
  const trips = await driveWorld(world, {
    model(nowMs) {
      const polledMs = Math.floor(nowMs / pollMs) * pollMs;
      return published.findLast(({ atMs }) => atMs <= polledMs)?.model ?? unsteeredPrior(prior);
    },
    onFinished(trip, endedMs) {
      learning = learning.then(() => learn(trip, endedMs));
    },
  });
  await learning;
  const parts = Array.from({ length: Math.ceil((world.minutes * 60_000) / partMs) }, (_, part) =>
    trips.filter(({ departMs }) => Math.floor((departMs - world.startMs) / partMs) === part),
  );
  return { all: errorsOf(trips), parts: parts.map(errorsOf), trained };
}

function errorsOf(trips: readonly WholeTrip[]): ArrivalErrorsOfAPart {
  const mape = (of: (trip: WholeTrip) => number): number =>
    mean(trips.map((trip) => Math.abs(of(trip) - trip.actualS) / trip.actualS));
  return {
    trips: trips.length,
    mape: mape(({ saidS, metricS }) => (saidS > 0 ? saidS : metricS)),
    freeFlowMape: mape(({ freeFlowS }) => freeFlowS),
    oracleMape: mape(({ oracleS }) => oracleS),
    covered: mean(trips.map(({ actualS, lowS, highS }) => (lowS <= actualS && actualS <= highS ? 1 : 0))),
    withoutModel: trips.filter(({ saidS }) => saidS === 0).length,
  };
}
