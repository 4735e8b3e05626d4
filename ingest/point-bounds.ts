import { timestampMsMin } from './limits.js';

/** Fields of a point in the order of a tuple; the first three are required. */
export const pointFields = ['lat', 'lng', 'timestamp', 'accuracy', 'speed', 'heading'] as const;

/** Least and greatest value of each field. */
export const pointBounds = [
  [-90, 90],
  [-180, 180],
  [timestampMsMin, Number.MAX_SAFE_INTEGER],
  [0, 100_000],
  [0, 1_000],
  [0, 360],
] as const;

/** Why a value outside of its bounds is refused. */
export function outside(field: number): string {
  const [least, most] = pointBounds[field]!;
  const name = pointFields[field]!;
  return name === 'timestamp'
    ? 'timestamp must be Unix milliseconds.'
    : `${name} must lie between ${least} and ${most}.`;
}

export const inTheFuture = 'timestamp lies in the future.';
