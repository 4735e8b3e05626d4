import type { SimulationTruth } from '#schemas/http/simulation.js';

/** What the platform answers when a trip begins, seconds. */
export interface PredictedTrip {
  readonly durationS: number;
  readonly freeFlowS: number;
  readonly interval: { readonly lowS: number; readonly highS: number } | undefined;
  /** The time does not come from learned trips. */
  readonly isFallback: boolean;
}

export interface ArrivalScore {
  /** Trips that were predicted and have ended. */
  readonly trips: number;
  readonly fallbacks: number;
  /** Mean absolute percentage error of the predicted duration, as a share, and of the free-flow time. */
  readonly mape: number | undefined;
  readonly freeFlowMape: number | undefined;
  /** Trips with an interval, and the share of these that took a time within it. */
  readonly intervals: number;
  readonly covered: number | undefined;
}

interface Ended extends PredictedTrip {
  readonly tookS: number;
}

/** Trips that are predicted at each poll at most. */
const asksPerLook = 3;
const underWayMax = 10_000;

/** Compares the duration that the platform predicts for guided trips with the one that they take. */
export class ArrivalScorer {
  readonly #underWay = new Map<string, PredictedTrip>();
  readonly #ended: Ended[] = [];
  #seenUntilMs: number | undefined;

  /** Takes the trips that have ended. Returns those that have just begun and should be predicted now. */
  look({ now_ms, trips }: SimulationTruth): SimulationTruth['trips'] {
    for (const { id, departed_ms, arrived_ms } of trips) {
      const predicted = this.#underWay.get(id);
      if (predicted === undefined || arrived_ms === null) continue;
      this.#underWay.delete(id);
      this.#ended.push({ ...predicted, tookS: (arrived_ms - departed_ms) / 1_000 });
    }
    const [sinceMs, isFirst] = [this.#seenUntilMs ?? now_ms, this.#seenUntilMs === undefined];
    this.#seenUntilMs = now_ms;
    if (isFirst || this.#underWay.size >= underWayMax) return [];
    return trips
      .filter(({ departed_ms, arrived_ms }) => departed_ms >= sinceMs && arrived_ms === null)
      .slice(0, asksPerLook);
  }

  predicted(id: string, trip: PredictedTrip): void {
    this.#underWay.set(id, trip);
  }

  get result(): ArrivalScore {
    const ended = this.#ended;
    const withInterval = ended.filter(({ interval }) => interval !== undefined);
    return {
      trips: ended.length,
      fallbacks: ended.filter(({ isFallback }) => isFallback).length,
      mape: mean(ended.map(({ tookS, durationS }) => Math.abs(durationS - tookS) / tookS)),
      freeFlowMape: mean(ended.map(({ tookS, freeFlowS }) => Math.abs(freeFlowS - tookS) / tookS)),
      intervals: withInterval.length,
      covered: mean(
        withInterval.map(({ tookS, interval }) =>
          interval!.lowS <= tookS && tookS <= interval!.highS ? 1 : 0,
        ),
      ),
    };
  }
}

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length;
