import type { RerouteSettings } from './settings.js';

export type RerouteDecision = 'closed' | 'faster' | 'keep';

type Threshold = Pick<RerouteSettings, 'savesMinS' | 'savesMinRatio'>;

/** Milliseconds that another route must save before the driver is notified. */
export const gainMinMs = (oldMs: number, { savesMinS, savesMinRatio }: Threshold): number =>
  Math.max(savesMinS * 1_000, oldMs * savesMinRatio);

/**
 * Whether a driver is notified: always if their route is closed and there is another, otherwise if the new
 * route saves enough time: more than the driver declined, if they chose a slower route themselves.
 */
export function decideReroute(
  oldMs: number,
  newMs: number,
  threshold: Threshold,
  declinedMs = 0,
): RerouteDecision {
  if (!Number.isFinite(newMs)) return 'keep';
  if (!Number.isFinite(oldMs)) return 'closed';
  return oldMs - newMs >= gainMinMs(oldMs, threshold) + declinedMs ? 'faster' : 'keep';
}
