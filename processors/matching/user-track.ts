import type { JudgedPoint } from '../new-roads/off-road-runs.js';
import type { Placed } from './follow-route.js';
import type { Guidance } from './guidance.js';
import type { Move } from './passages.js';
import type { Span } from './processed-spans.js';

/**
 * The state of one user between batches. Plain data, so that it can be stored as JSON. Tracks are made with
 * all fields, because V8 copies objects of many shapes slowly; a stored one lacks those without a value.
 */
export interface UserTrack {
  /** The points that are not decided yet: the matcher's bytes in base64. */
  readonly match?: string | undefined;
  /** The last decided place, if it is on a road. */
  readonly at?: { readonly fraction: number; readonly timeMs: number } | undefined;
  /** When the current edge was entered, if known. */
  readonly enteredMs?: number | undefined;
  /** The previous edge, if known. */
  readonly cameFrom?: number | undefined;
  /** Event time of the newest processed point; older ones are late. */
  readonly newestMs?: number | undefined;
  /**
   * Time spans of processed points: late points in a gap are matched separately, the others are repetitions.
   */
  readonly taken?: readonly Span[] | undefined;
  /** Newest time of acceptance; decides when a user is idle. */
  readonly receivedMs: number;
  /** Ids of the last batches, newest last. */
  readonly batchIds: readonly string[];
  /** The route the driver is guided on, and the previous one while its last crossing still counts. */
  readonly guidances: readonly Guidance[];
  /** Until then, the driver may follow an ended navigation, or drive round what ended it. */
  readonly guidedUntilMs?: number | undefined;
  /** Points since the last one clearly on a road, with their distances from the matched places. */
  readonly stray?: readonly JudgedPoint[] | undefined;
  /** Steps of the last batch, for a navigation whose record is read after the points that it guided. */
  readonly recent?: RecentSteps | undefined;
}

export interface RecentSteps {
  readonly receivedMs: number;
  readonly steps: readonly (Move | Placed)[];
}
