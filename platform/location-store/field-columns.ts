import { locationFields } from '#schemas/location-fields.js';
import type { FieldCodes } from './field-codes.js';

/**
 * The optional fields of a block, one column after another. Neighbours differ little, and most modes and
 * missing values repeat, so a column is a list of steps from one code to the next: a zigzag varint of the
 * difference, or 0 and the number of times that the code is repeated, less one.
 */

/** Of one point: a difference of 32-bit codes takes 5 bytes, and a repetition less than that a point. */
export const fieldColumnBytesMax = 1 + 5 * locationFields.length;

type Coded = { readonly codes: FieldCodes | undefined };

/** A bit for each field that a point has, in the order of `locationFields`; then their columns. */
export function writeFieldColumns(points: readonly Coded[], write: (value: number) => void): void {
  const present = locationFields.map((_, field) => points.some(({ codes }) => (codes?.[field] ?? 0) !== 0));
  write(present.reduce((bits, has, field) => (has ? bits | (1 << field) : bits), 0));
  for (const [field, has] of present.entries()) if (has) writeColumn(points, field, write);
}

function writeColumn(points: readonly Coded[], field: number, write: (value: number) => void): void {
  let before = 0;
  let repeated = 0;
  for (const { codes } of points) {
    const code = codes === undefined ? 0 : codes[field]!;
    const step = code - before;
    before = code;
    if (step === 0) {
      repeated += 1;
      continue;
    }
    if (repeated > 0) {
      write(0);
      write(repeated - 1);
      repeated = 0;
    }
    write(step < 0 ? -2 * step - 1 : 2 * step);
  }
  if (repeated === 0) return;
  write(0);
  write(repeated - 1);
}

export function readFieldColumns(count: number, read: () => number): (FieldCodes | undefined)[] {
  const all: (number[] | undefined)[] = new Array(count).fill(undefined);
  const present = read();
  if (present >= 1 << locationFields.length) {
    throw new Error('A block of locations has a field that a newer version of this program wrote: use that.');
  }
  for (const field of locationFields.keys()) if (present & (1 << field)) readColumn(all, field, read);
  return all;
}

function readColumn(all: (number[] | undefined)[], field: number, read: () => number): void {
  let code = 0;
  for (let index = 0; index < all.length; ) {
    const step = read();
    let entries = 1;
    if (step === 0) entries = read() + 1;
    else code += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    const end = Math.min(all.length, index + entries);
    for (; index < end; index += 1) {
      if (code === 0) continue;
      all[index] ??= locationFields.map(() => 0);
      all[index]![field] = code;
    }
  }
}
