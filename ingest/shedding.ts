import type { Counter, Metrics } from '#platform/telemetry/metrics.js';
import type { LocationPoints } from '#schemas/location.js';
import { isParked } from './batch-priority.js';
import { coveredEveryS, hardPressedFromWaiting, pressedFromWaiting } from './limits.js';
import type { SendHint } from './send-hint.js';

/**
 * What is dropped when the log is slow. The rule, in this order:
 *
 *   1. while fewer than `pressedFromWaiting` batches wait for the log, nothing;
 *   2. never a batch of a user who is navigating;
 *   3. batches that say nothing but "still here" (`isParked`);
 *   4. from `hardPressedFromWaiting` on, batches of users on an edge that enough others drive now
 *      (`MatchedEdges.isCovered`);
 *   5. all others are kept, until the server itself refuses requests with 503.
 */
export class Shedding {
  readonly #isNavigating: (userId: string) => boolean;
  readonly #parked: Counter;
  readonly #covered: Counter;

  constructor(isNavigating: (userId: string) => boolean, metrics: Pick<Metrics, 'counter'>) {
    this.#isNavigating = isNavigating;
    const shed = (reason: string) =>
      metrics.counter(
        'location_points_shed_total',
        'Points dropped under pressure because they add nothing.',
        { reason },
      );
    this.#parked = shed('parked');
    this.#covered = shed('covered');
  }

  /**
   * Whether the batch is left out; then its points are counted. `waiting`: batches that the log has not taken
   * yet.
   */
  leavesOut(
    userId: string,
    points: LocationPoints,
    waiting: number,
    hint?: Pick<SendHint, 'everyS'>,
  ): boolean {
    if (waiting < pressedFromWaiting || this.#isNavigating(userId)) return false;
    if (isParked(points)) this.#parked.add(points.count);
    else if (waiting >= hardPressedFromWaiting && hint?.everyS === coveredEveryS)
      this.#covered.add(points.count);
    else return false;
    return true;
  }
}
