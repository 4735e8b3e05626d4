import {
  type LocationField,
  type LocationFieldName,
  type LocationFieldValues,
  locationFields,
  requiredLocationFields,
} from '#schemas/location-fields.js';

/** One position of the device; the optional fields and their units are those of `locationFields`. */
export type Fix = {
  /** Degrees, WGS 84. */
  readonly lat: number;
  readonly lng: number;
  /** Unix milliseconds, whole. */
  readonly timestamp: number;
} & LocationFieldValues;

const E7 = 1e7;
const batchIdNumber = 2;
const [lat, lng, timestamp] = requiredLocationFields;

/**
 * `meridian.location.v1.LocationUpload` (schemas/proto/location.proto): packed columns of differences, about
 * a seventh of the same batch as JSON. Without any dependency, for browsers and Node.
 */
export function encodeUpload(
  fixes: readonly Fix[],
  batchId?: string,
  fields: readonly LocationField[] = locationFields,
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const column = (number: number, of: (fix: Fix) => number, wrap: boolean) =>
    writeField(bytes, number, differences(fixes, of, wrap));
  if (batchId !== undefined) writeField(bytes, batchIdNumber, [...new TextEncoder().encode(batchId)]);
  column(lat.number, (fix) => Math.round(fix.lat * E7), true);
  column(lng.number, (fix) => Math.round(fix.lng * E7), true);
  column(timestamp.number, (fix) => fix.timestamp, false);
  for (const field of fields)
    writeField(
      bytes,
      field.number,
      plusOnes(fixes, (fix) => numberOf(field, fix[field.name as LocationFieldName]), field.scale),
    );
  return Uint8Array.from(bytes);
}

function writeField(out: number[], number: number, content: readonly number[]): void {
  if (content.length === 0) return;
  writeVarint(out, number * 8 + 2);
  writeVarint(out, content.length);
  for (const byte of content) out.push(byte);
}

/** `wrap`: the difference as a 32-bit integer, so that a step over the 180th meridian is short. */
function differences(fixes: readonly Fix[], columnOf: (fix: Fix) => number, wrap: boolean): number[] {
  const column: number[] = [];
  let before = 0;
  for (const fix of fixes) {
    const value = columnOf(fix);
    const difference = wrap ? (value - before) | 0 : value - before;
    before = value;
    writeVarint(column, difference >= 0 ? difference * 2 : -difference * 2 - 1);
  }
  return column;
}

/** A name that the field does not have becomes an index beyond its names, which the service refuses. */
function numberOf({ values }: LocationField, value: number | string | undefined): number | undefined {
  if (values === undefined || value === undefined) return value as number | undefined;
  const index = values.indexOf(value as string);
  return index < 0 ? values.length : index;
}

/** Empty if no fix has the value; 0 for a single fix without it. */
function plusOnes(
  fixes: readonly Fix[],
  columnOf: (fix: Fix) => number | undefined,
  scale: number,
): number[] {
  if (fixes.every((fix) => columnOf(fix) === undefined)) return [];
  const column: number[] = [];
  for (const fix of fixes) {
    const value = columnOf(fix);
    writeVarint(column, value === undefined ? 0 : Math.round(value * scale) + 1);
  }
  return column;
}

function writeVarint(out: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) out.push((rest % 128) | 0x80);
  out.push(rest);
}
