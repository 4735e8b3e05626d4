/** A route that a driver starts now. */
export interface RouteToTime {
  readonly edgeIds: () => readonly string[];
  /** Under the traffic of this moment. */
  readonly durationS: number;
}

export interface ArrivalTime {
  readonly durationS: number;
  /** Four trips of five take between these; absent where nothing was learnt. */
  readonly interval?: { readonly lowS: number; readonly highS: number };
  /** Set when the learnt time is not to be had and the time of the metric stands in; says why. */
  readonly fallback?: 'no-model' | 'failed';
}

/**
 * How long trips really take. Never throws: what goes wrong shows as `fallback`.
 *
 * ```ts
 * const { durationS, interval } = arrivalTimes.of(route, Date.now());
 * ```
 */
export interface ArrivalTimes {
  of(route: RouteToTime, departMs: number): ArrivalTime;
}
