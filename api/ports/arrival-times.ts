/** A route that a driver starts now. */
export interface RouteToTime {
  readonly edgeIds: () => readonly string[];
  readonly distanceM: number;
  /** Under the traffic of this moment. */
  readonly durationS: number;
}

export interface ArrivalTime {
  readonly durationS: number;
  /** Four trips of five take between these; absent where nothing was learnt. */
  readonly interval?: { readonly lowS: number; readonly highS: number };
  /** The reason why the time of the metric is used instead of the learned one. */
  readonly fallback?: 'no-model' | 'failed';
}

/**
 * Learned travel times. Never throws: a failure sets `fallback`.
 *
 * ```ts
 * const { durationS, interval } = arrivalTimes.of(route, Date.now());
 * ```
 */
export interface ArrivalTimes {
  of(route: RouteToTime, departMs: number): ArrivalTime;
}
