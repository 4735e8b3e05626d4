import type { Scratch } from '#map-data/arrays/scratch.js';
import type { FeatureRows } from './feature-rows.js';
import type { ChainsBefore } from './link-lines.js';
import type { PairedElements } from './pair-elements.js';

/** The first row of each element. */
interface Rows {
  readonly firstRow: Uint32Array;
  readonly rows: FeatureRows;
}

/** By row the previous row from which it was copied, and the reverse; −1 if there is none. */
export function takenRows(
  before: Rows,
  now: Rows,
  { twins, isSame }: PairedElements,
  scratch: Scratch,
): Pick<ChainsBefore, 'taken' | 'nowOf'> {
  const taken = scratch.int32('taken rows', now.rows.length).fill(-1);
  const nowOf = scratch.int32('rows now', before.rows.length).fill(-1);
  for (let element = 0; element < twins.length; element++) {
    if (isSame[element] === 0) continue;
    const shift = before.firstRow[twins[element]!]! - now.firstRow[element]!;
    for (let row = now.firstRow[element]!; row < now.firstRow[element + 1]!; row++) {
      taken[row] = row + shift;
      nowOf[row + shift] = row;
    }
  }
  return { taken, nowOf };
}

/**
 * For each row the previous row of the same feature, −1 if there is none; after lines are joined and hashed.
 */
export function sameRows(
  before: Rows,
  now: Rows,
  { twins, isSame }: PairedElements,
  taken: Int32Array,
  scratch: Scratch,
): Int32Array {
  const same = scratch.int32('same rows', taken.length);
  same.set(taken);
  const [known, whole] = [before.rows.whole, now.rows.whole];
  const isEqual = (row: number, other: number): boolean =>
    known[2 * other] === whole[2 * row] && known[2 * other + 1] === whole[2 * row + 1];
  for (let row = 0; row < same.length; row++) {
    const other = same[row]!;
    if (other >= 0 && !isEqual(row, other)) same[row] = -1;
  }
  // A reprocessed element may have unchanged features, because not every tag is drawn.
  for (let element = 0; element < twins.length; element++) {
    const twin = twins[element]!;
    if (twin < 0 || isSame[element] === 1) continue;
    for (let row = now.firstRow[element]!; row < now.firstRow[element + 1]!; row++)
      for (let other = before.firstRow[twin]!; other < before.firstRow[twin + 1]!; other++)
        if (isEqual(row, other)) same[row] = other;
  }
  return same;
}
