import type { GeocodeIndex } from '../index/geocode-index.js';
import { parseHouseNumber } from '../index/house-number.js';
import { isNumber } from './query.js';

export interface FoundHouse {
  readonly row: number;
  /** Bits of the query's words for it. */
  readonly words: number;
}

/**
 * The house of a street given by one word, `12`, `12a`, or two, `12 a`; of several, `12-16`, the first. Words
 * that are in the street's own name (`matched`) are not its numbers.
 */
export function findHouse(
  index: GeocodeIndex,
  street: number,
  words: readonly string[],
  matched: number,
): FoundHouse | undefined {
  const isFree = (i: number): boolean => (matched & (1 << i)) === 0;
  for (let i = 0; i < words.length; i++) {
    if (!isFree(i) || !isNumber(words[i])) continue;
    const next = words[i + 1];
    if (next !== undefined && /^([a-z]|\d{1,3})$/.test(next) && isFree(i + 1)) {
      const both = rowOfNumber(index, street, isNumber(next) ? `${words[i]}/${next}` : words[i] + next);
      if (both !== undefined) return { row: both, words: (1 << i) | (1 << (i + 1)) };
    }
    const row = rowOfNumber(index, street, words[i]);
    if (row === undefined) continue;
    const isRange =
      next !== undefined &&
      Number.parseInt(next, 10) > Number.parseInt(words[i], 10) &&
      rowOfNumber(index, street, next) !== undefined;
    return { row, words: isRange ? (1 << i) | (1 << (i + 1)) : 1 << i };
  }
  return undefined;
}

function rowOfNumber(index: GeocodeIndex, street: number, text: string): number | undefined {
  const wanted = parseHouseNumber(text);
  if (wanted === undefined) return undefined;
  const { firstHouse, houseNumber, houseSuffix } = index.data;
  let low = firstHouse[street];
  const end = firstHouse[street + 1];
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (houseNumber[middle] < wanted.number) low = middle + 1;
    else high = middle;
  }
  for (; low < end && houseNumber[low] === wanted.number; low++)
    if (index.text(houseSuffix[low]) === wanted.suffix) return index.placeCount + low;
  return undefined;
}
