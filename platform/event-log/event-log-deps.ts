import type { WatchQueue } from '../telemetry/bounded-queue.js';
import type { Logger } from '../telemetry/logger.js';

/** What both event logs take from outside. */
export interface EventLogDeps {
  /** Unix milliseconds; `Date.now` when absent. */
  readonly clock?: () => number;
  /** Silent when absent. */
  readonly logger?: Logger;
  /** Shows how full the queue of appends is. */
  readonly watchQueue?: WatchQueue;
}
