import type { RerouteSettings } from './settings.js';

export type RerouteDecision = 'closed' | 'faster' | 'keep';

/** Whether a driver is told: always when his way is closed and there is another, else when it is worth his attention. */
export function decideReroute(
  oldMs: number,
  newMs: number,
  { savesMinS, savesMinRatio }: Pick<RerouteSettings, 'savesMinS' | 'savesMinRatio'>,
): RerouteDecision {
  if (!Number.isFinite(newMs)) return 'keep';
  if (!Number.isFinite(oldMs)) return 'closed';
  const savedMs = oldMs - newMs;
  return savedMs >= savesMinS * 1_000 && savedMs >= oldMs * savesMinRatio ? 'faster' : 'keep';
}
