import type { Counter, Metrics } from '#platform/telemetry/metrics.js';
import type { LocationPoints } from '#schemas/location.js';
import { pressedFromWaiting } from './limits.js';
import { isParked } from './worth.js';

/**
 * What is left out when the log is slow to take what comes in. The rule, in this order:
 *
 *   1. while fewer than `pressedFromWaiting` batches wait for the log, nothing;
 *   2. never a batch of a user who is navigating;
 *   3. batches that say nothing but "still here" (`isParked`);
 *   4. all others are kept, until the server itself refuses requests with 503.
 */
export class Shedding {
  readonly #isNavigating: (userId: string) => boolean;
  readonly #shed: Counter;

  constructor(isNavigating: (userId: string) => boolean, metrics: Pick<Metrics, 'counter'>) {
    this.#isNavigating = isNavigating;
    this.#shed = metrics.counter(
      'location_points_shed_total',
      'Points left out under pressure because they add nothing.',
      { reason: 'parked' },
    );
  }

  /** Whether the batch is left out; then its points are counted. `waiting`: batches that the log has not taken yet. */
  leavesOut(userId: string, points: LocationPoints, waiting: number): boolean {
    if (waiting < pressedFromWaiting || !isParked(points) || this.#isNavigating(userId)) return false;
    this.#shed.add(points.count);
    return true;
  }
}
