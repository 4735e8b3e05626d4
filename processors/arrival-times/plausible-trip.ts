import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';

/** One trip that took twenty times as long was a lunch, and must not teach. */
export function isPlausible(
  { actualS, physicalS, row }: Pick<FinishedTrip, 'actualS' | 'physicalS' | 'row'>,
  like: FinishedTrip | undefined,
): boolean {
  const ratio = actualS / physicalS;
  const isNumber = ratio > 0 && row.length > 0 && row.every(Number.isFinite);
  return isNumber && ratio >= 0.2 && ratio <= 5 && (like === undefined || like.row.length === row.length);
}
