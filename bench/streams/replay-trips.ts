import {
  type Learned,
  type LearningSettings,
  lessonOf,
  nothingLearned,
  take,
} from '#processors/arrival-times/arrival-learning.js';
import {
  type ArrivalEstimate,
  type ArrivalModel,
  estimateArrival,
  type FinishedTrip,
} from '#routing-engine/arrival-times/arrival-model.js';
import { unsteeredPrior } from '#routing-engine/arrival-times/steering.js';

/** From the publication of a model until its readers use it. */
const readAfterMs = 15_000;

export type PredictedTrip = FinishedTrip & ArrivalEstimate;

/**
 * A platform that knows the prior and sees these trips begin and end: what it predicts at each start, with
 * what it has learned by then.
 */
export async function replayTrips(
  trips: readonly FinishedTrip[],
  settings: LearningSettings & { readonly prior: ArrivalModel },
): Promise<{ readonly predicted: readonly PredictedTrip[]; readonly models: number }> {
  const learned: Learned = { ...nothingLearned(), model: settings.prior };
  const published: { readonly atMs: number; readonly model: ArrivalModel }[] = [];
  const events = trips
    .flatMap((trip, i) => [
      { atMs: trip.departMs, i, isEnd: false },
      { atMs: trip.departMs + trip.actualS * 1_000, i, isEnd: true },
    ])
    .sort((a, b) => a.atMs - b.atMs);
  const predicted = new Map<number, PredictedTrip>();
  const first = unsteeredPrior(settings.prior);
  let models = 0;
  for (const { atMs, i, isEnd } of events) {
    const trip = trips[i]!;
    if (!isEnd) {
      const model = published.findLast((each) => each.atMs + readAfterMs <= atMs)?.model ?? first;
      predicted.set(i, { ...trip, ...estimateArrival(model, trip) });
      continue;
    }
    const { row: features, physicalS, departMs: departedMs, actualS } = trip;
    const said = { saidS: predicted.get(i)!.durationS, lowS: 0, highS: 0, modelVersion: 0, metricS: 0 };
    const observed = { features, physicalS, departedMs, actualS, ...said };
    const lesson = await lessonOf(
      learned,
      { ...observed, tilesetId: '', corridor: '', driver: 0 },
      atMs,
      settings,
    );
    take(learned, lesson, atMs);
    if (lesson.isTrained) models++;
    if (lesson.publish !== undefined) published.push({ atMs, model: lesson.publish });
  }
  return { predicted: [...predicted.values()], models };
}
