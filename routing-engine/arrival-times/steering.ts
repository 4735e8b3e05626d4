import { type ArrivalModel, estimateArrival, type FinishedTrip, leastError } from './arrival-model.js';
import { predictTrees } from './boosted-trees.js';
import { horizonOf, noDrift, steered } from './interval-reach.js';

/** What finished trips have changed of a model since it was trained. */
export interface Steering {
  /** Trips that the model and this rest on. */
  readonly trips: number;
  /** ln of what all times of this place take beyond the model. */
  readonly level: number;
  /** ln of how much larger the errors are than the model's. */
  readonly spread: number;
  /** [horizons] ln of what the interval was widened or narrowed by. */
  readonly drift: readonly number[];
}

export const noSteering: Steering = { trips: 0, level: 0, spread: 0, drift: noDrift };

/** Variance between places over the variance of the trips of one place; `bench streams prior` prints it. */
const placesOverTrips = 3.4;
/** Share of the n-th trip: 1 / (n + weight), and at least the floor, because traffic changes. */
const levelWeight = 1 / placesOverTrips;
const levelFloor = 0.04;
const spreadWeight = 8;
const spreadFloor = 0.02;
/** A trip of another kind, such as one with a break, moves the level by no more than an error of this. */
const surpriseMax = 0.5;
const levelMax = 1;
const spreadMax = 1.5;

/** The model as its readers are to use it. */
export function steeredModel(model: ArrivalModel, steering: Steering): ArrivalModel {
  const { correction, spread } = model;
  return {
    ...model,
    trips: Math.max(model.trips, steering.trips),
    correction: { ...correction, base: correction.base + steering.level },
    spread: { ...spread, base: spread.base + steering.spread + unsureOfPlace(steering.trips) },
    drift: steering.drift,
  };
}

/** The prior as readers use it before the first trip. */
export const unsteeredPrior = (prior: ArrivalModel): ArrivalModel => steeredModel(prior, noSteering);

/**
 * After a trip that the model has not seen. The level is a mean that is pulled towards the model; a trip
 * counts by the present level, so that nothing oscillates. The spread and the interval follow the errors that
 * readers had: `saidS` is the time predicted at the start, 0 for none.
 */
export function steeringAfter(
  model: ArrivalModel,
  steering: Steering,
  trip: FinishedTrip,
  saidS = 0,
): Steering {
  const { trips } = steering;
  const present = steeredModel(model, steering);
  const { durationS, lowS, highS } = estimateArrival(present, trip);
  const surprise = Math.log(trip.actualS / durationS);
  // What was said before the first trip shows how unusual the place is, which is known by now.
  const isBlind = model.trips === 0 && isNear(saidS, estimateArrival(model, trip).durationS);
  const error = Math.abs(saidS > 0 && !isBlind ? Math.log(trip.actualS / saidS) : surprise);
  const isInside = error <= Math.log(highS / lowS) / 2;
  const wider = Math.log(leastError + error) - predictTrees(model.spread, trip.row) - unsureOfPlace(trips);
  const horizon = horizonOf(trip.physicalS);
  return {
    trips: trips + 1,
    level: bounded(
      steering.level + gain(trips, levelWeight, levelFloor) * bounded(surprise, surpriseMax),
      levelMax,
    ),
    spread: bounded(
      steering.spread + gain(trips, spreadWeight, spreadFloor) * (wider - steering.spread),
      spreadMax,
    ),
    drift: steered(steering.drift, horizon, isInside),
  };
}

/** The same time, but for its digits in the record. */
const isNear = (saidS: number, durationS: number): boolean => Math.abs(saidS - durationS) < 0.1;

const gain = (trips: number, weight: number, floor: number): number =>
  Math.max(floor, 1 / (trips + 1 + weight));

/** ln of how much wider errors are while few trips say what this place is like. */
const unsureOfPlace = (trips: number): number => 0.5 * Math.log1p(1 / (trips + levelWeight));

const bounded = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
