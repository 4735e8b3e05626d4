import type { ClosureSettings } from './closure-settings.js';
import { type PassageRate, passagesPerMs } from './passage-rate.js';

type Hold = Pick<
  ClosureSettings,
  'holdMs' | 'holdMinMs' | 'holdMaxMs' | 'holdShare' | 'foundTimes' | 'passersMin'
>;

/**
 * How long a closure lasts without new evidence, at least. Drivers without guidance show that a road is open
 * again. Where hardly any come, guided ones must be sent to see: soon if the closure was found soon, because
 * it would be found again as fast.
 */
export function leastHoldMs(settings: Hold, rate: PassageRate | undefined, foundInMs: number): number {
  const { holdMs, holdMinMs, foundTimes, passersMin } = settings;
  const due = rate === undefined ? 0 : passagesPerMs(rate) * holdMs;
  return due >= passersMin ? holdMs : Math.min(holdMs, Math.max(holdMinMs, foundTimes * foundInMs));
}

/** A share of its age, if that is more: few drivers are sent to see whether a long closure has ended. */
export function heldMs({ holdMaxMs, holdShare }: Hold, leastMs: number, ageMs: number): number {
  return Math.min(holdMaxMs, Math.max(leastMs, holdShare * ageMs));
}
