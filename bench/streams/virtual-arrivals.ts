import { FinishedTrips, type OpenTrip } from '#processors/arrival-times/finished-trips.js';
import type { ArrivalModel, FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { freeFlowOf, shareOf } from '#routing-engine/route/path-times.js';
import {
  type ArrivalObserved,
  type NavigationChanged,
  type NavigationProgress,
  navigationState,
} from '#schemas/messages.js';

export interface VirtualArrivalsOptions {
  readonly network: RoadNetwork;
  /** What the readers of models know now. */
  readonly model: () => ArrivalModel | undefined;
  /** As the group says it. */
  readonly onFinished: (trip: ArrivalObserved, endedMs: number) => void;
  /** The same trip, with what only the simulation knows. */
  readonly onArrived: (trip: WholeTrip) => void;
  /** True speed of an edge now. */
  readonly trueMps: (edge: number) => number;
}

/** A trip from its start to its destination, with what was predicted at its start. */
export interface WholeTrip extends FinishedTrip {
  readonly freeFlowS: number;
  readonly metricS: number;
  /** What an ordinary driver would take at the true speeds of the start. */
  readonly oracleS: number;
  readonly saidS: number;
  readonly lowS: number;
  readonly highS: number;
}

/** The group `finished-trips` in virtual time, and the trips as their drivers see them. */
export class VirtualArrivals {
  readonly #options: VirtualArrivalsOptions;
  readonly #steps: FinishedTrips;
  readonly #open = new Map<string, OpenTrip>();
  readonly #whole = new Map<string, WholeTrip & { readonly navigationId: string }>();

  constructor(options: VirtualArrivalsOptions) {
    const { network, model } = options;
    this.#options = options;
    this.#steps = new FinishedTrips({ network, model, typicalRatio: () => undefined, pseudonym: () => 0 });
  }

  change(record: NavigationChanged, path?: RoutePath): void {
    const { userId, navigationId, state, changedMs: departMs, durationS: metricS } = record;
    const { open, finished } = this.#steps.change(this.#open.get(userId), record);
    if (open === undefined) this.#open.delete(userId);
    else this.#open.set(userId, open);
    if (state === navigationState.started && open !== undefined && path !== undefined) {
      const { saidS, lowS, highS, physicalS, features: row } = open.begun;
      const { network, trueMps } = this.#options;
      let oracleS = 0;
      for (const [at, edge] of path.edges.entries())
        oracleS += (network.edgeLengthM(edge) * shareOf(path, at)) / trueMps(edge);
      const freeFlowS = freeFlowOf(network, { mode: 'driving' }, path) / 1_000;
      const predicted = { saidS, lowS, highS, freeFlowS, metricS, oracleS };
      this.#whole.set(userId, { navigationId, departMs, physicalS, row, ...predicted, actualS: 0 });
    }
    if (finished === undefined) return;
    this.#options.onFinished(finished, departMs);
    const whole = this.#whole.get(userId);
    if (whole?.navigationId === navigationId)
      this.#options.onArrived({ ...whole, actualS: (departMs - whole.departMs) / 1_000 });
  }

  move(progress: NavigationProgress): void {
    const moved = this.#steps.move(this.#open.get(progress.userId), progress);
    if (moved !== undefined) this.#open.set(progress.userId, moved);
  }
}
