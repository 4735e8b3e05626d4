import { type LocationField, requiredLocationFields } from '#schemas/location-fields.js';
import { timestampMsMin } from './limits.js';

const [lat, lng] = requiredLocationFields;

/** Least and greatest value of the required fields, in the order of a tuple. */
export const requiredBounds = [
  [lat.least, lat.most],
  [lng.least, lng.most],
  [timestampMsMin, Number.MAX_SAFE_INTEGER],
] as const;

/** Why a value outside of its bounds is refused; `position` is that of the field in a tuple. */
export function outside(fields: readonly LocationField[], position: number): string {
  if (position === 2) return 'timestamp must be Unix milliseconds.';
  const required = requiredBounds[position];
  if (required !== undefined) {
    const { name } = requiredLocationFields[position]!;
    return `${name} must be between ${required[0]} and ${required[1]}.`;
  }
  const { name, most, values } = fields[position - requiredBounds.length]!;
  if (values !== undefined) return `${name} must be one of ${values.join(', ')}.`;
  return `${name} must be between 0 and ${most}.`;
}

export const inTheFuture = 'timestamp is in the future.';
