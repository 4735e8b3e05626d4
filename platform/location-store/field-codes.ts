import type { LocationPoints } from '#schemas/location.js';
import { type LocationField, type LocationFieldValues, locationFields } from '#schemas/location-fields.js';

/**
 * The optional fields of a stored point in the order of `locationFields`, as whole numbers: 0 is "not known",
 * else one more than the number of parts of the unit. Both stores keep these, so that a value is read from
 * them as the log has it.
 */
export type FieldCodes = readonly number[];

const fields: readonly LocationField[] = locationFields;

/** Reads the codes of a point; undefined if it has no optional field. */
type CodesAt = (index: number) => FieldCodes | undefined;

const noCodes: CodesAt = () => undefined;

export function codesOf(points: LocationPoints): CodesAt {
  const columns = fields.map(({ of }) => of(points as unknown as Parameters<LocationField['of']>[0]));
  if (columns.every((column) => column === undefined)) return noCodes;
  return (index) => {
    let known = false;
    const codes = fields.map((field, i) => {
      const code = codeOf(field, columns[i]?.[index]);
      if (code !== 0) known = true;
      return code;
    });
    return known ? codes : undefined;
  };
}

/** The fields with a known value. */
export function valuesOf(codes: FieldCodes | undefined): LocationFieldValues {
  if (codes === undefined) return {};
  const values: Record<string, number | string> = {};
  for (const [i, { name, scale, values: names }] of fields.entries()) {
    const code = codes[i] ?? 0;
    if (code !== 0) values[name] = names?.[code - 1] ?? (code - 1) / scale;
  }
  return values as LocationFieldValues;
}

/** A value outside of its bounds, which the ingest server refuses, is not known either. */
function codeOf({ scale, most, circular }: LocationField, value: number | undefined): number {
  if (value === undefined || !(value >= 0 && value <= most)) return 0;
  const parts = Math.round(value * scale);
  return (circular === true ? parts % (most * scale) : parts) + 1;
}
