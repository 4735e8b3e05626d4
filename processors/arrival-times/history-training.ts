import {
  type ArrivalModel,
  estimateArrival,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { firstTraining, tripsMax } from './arrival-learning.js';
import { isPlausible } from './plausible-trip.js';

/** How wrong times are on trips that were not used for training. */
export interface HeldBackErrors {
  /** Mean absolute percentage error, as a share. */
  readonly mape: number;
  /** Share of the trips that took a time within the interval; absent for free flow. */
  readonly covered?: number;
}

export interface HistoryTraining {
  readonly trips: number;
  readonly heldBack: number;
  readonly freeFlow: HeldBackErrors;
  /** The present model, or the prior. */
  readonly before: HeldBackErrors;
  readonly after: HeldBackErrors;
  /** Of all trips, version 0. */
  readonly model: ArrivalModel;
}

/** The newest part of the trips is held back, by whole days where there are some. */
const heldBackShare = 0.3;
const daysMin = 4;
const dayMs = 86_400_000;
/** Column of a row: ln of the physical time over the free-flow time. */
const physicalOverFree = 1;

/** Gathers the newest plausible trips, in bounded memory. */
export class TripHistory {
  readonly #kept: FinishedTrip[] = [];
  #implausible = 0;

  get implausible(): number {
    return this.#implausible;
  }

  get count(): number {
    return Math.min(this.#kept.length, tripsMax);
  }

  add(trip: FinishedTrip): void {
    if (!Number.isFinite(trip.departMs) || !isPlausible(trip, this.#kept[0])) {
      this.#implausible++;
      return;
    }
    this.#kept.push(trip);
    if (this.#kept.length >= 2 * tripsMax) this.#drop();
  }

  /** Oldest first. */
  trips(): readonly FinishedTrip[] {
    this.#drop();
    return this.#kept;
  }

  #drop(): void {
    this.#kept.sort((a, b) => a.departMs - b.departMs);
    this.#kept.splice(0, this.#kept.length - tripsMax);
  }
}

/** Undefined for too few trips. `before` is what answers now. */
export async function trainFromHistory(
  trips: readonly FinishedTrip[],
  { tilesetId, before, prior }: TrainingStart,
): Promise<HistoryTraining | undefined> {
  if (trips.length < firstTraining) return undefined;
  const start = { tilesetId, version: 0, prior };
  const from = heldBackFrom(trips);
  const [taught, held] = [trips.slice(0, from), trips.slice(from)];
  const trial = await trainArrivalModel(taught, start);
  return {
    trips: trips.length,
    heldBack: held.length,
    freeFlow: { mape: mape(held, ({ physicalS, row }) => physicalS * Math.exp(-row[physicalOverFree]!)) },
    before: errorsOf(before, held),
    after: errorsOf(trial, held),
    model: await trainArrivalModel(trips, start),
  };
}

export interface TrainingStart {
  readonly tilesetId: string;
  readonly before: ArrivalModel;
  readonly prior: ArrivalModel;
}

/** Fewest trips that training takes. */
export const historyTripsMin = firstTraining;

function heldBackFrom(trips: readonly FinishedTrip[]): number {
  const share = Math.floor(trips.length * (1 - heldBackShare));
  const day = (trip: number): number => Math.floor(trips[trip]!.departMs / dayMs);
  if (new Set(trips.map((_, i) => day(i))).size < daysMin) return share;
  const next = trips.findIndex((_, i) => i > share && day(i) !== day(share));
  return next > 0 && trips.length - next >= trips.length / 10 ? next : share;
}

const errorsOf = (model: ArrivalModel, trips: readonly FinishedTrip[]): HeldBackErrors => ({
  mape: mape(trips, (trip) => estimateArrival(model, trip).durationS),
  covered: mean(
    trips.map((trip) => {
      const { lowS, highS } = estimateArrival(model, trip);
      return lowS <= trip.actualS && trip.actualS <= highS ? 1 : 0;
    }),
  ),
});

const mape = (trips: readonly FinishedTrip[], of: (trip: FinishedTrip) => number): number =>
  mean(trips.map((trip) => Math.abs(of(trip) / trip.actualS - 1)));

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;
