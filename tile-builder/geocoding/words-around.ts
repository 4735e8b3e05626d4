import { foldText, wordsOf } from './fold-text.js';
import type { GeocodeIndex } from './geocode-index.js';
import { NOTHING } from './index-file.js';

/** Bits of the words of a query that name a town or an area, by its row; `wordsOfEntry` are the bits of those in each entry. */
export function townsNamed(
  index: GeocodeIndex,
  touched: readonly number[],
  wordsOfEntry: Uint16Array,
): Map<number, number> {
  const { data } = index;
  const towns = new Map<number, number>();
  for (const entry of touched) {
    const place = data.entryPlace[entry];
    if (data.kind[place] === 0 || index.isArea(place))
      towns.set(place, (towns.get(place) ?? 0) | wordsOfEntry[entry]);
  }
  return towns;
}

/** Bits of the words that name the town of a row or an area around it. */
export function wordsAround({ data }: GeocodeIndex, row: number, towns: ReadonlyMap<number, number>): number {
  if (towns.size === 0) return 0;
  let bits = towns.get(data.settlement[row]) ?? 0;
  const set = data.areaSet[row];
  for (let at = data.setFirst[set]; at < data.setFirst[set + 1]; at++)
    bits |= towns.get(data.areaRow[data.setArea[at]]) ?? 0;
  return bits;
}

/** Folded words of the postcode, the country and the kind of place. */
export function surroundingWords(index: GeocodeIndex, row: number): readonly string[] {
  const { data, head } = index;
  const category = index.isHouse(row) || index.kind(row) !== 'poi' ? NOTHING : data.category[row];
  const key = data.postcode[row] * 0x20000 + (category === NOTHING ? 0x10000 : category);
  const kept = surroundings.get(index) ?? new Map<number, readonly string[]>();
  surroundings.set(index, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const words = [
    ...wordsOf(index.text(data.postcode[row])),
    ...(head.country === '' ? [] : [foldText(head.country)]),
    ...(category === NOTHING ? [] : head.categories[category].split('_')),
  ];
  kept.set(key, words);
  return words;
}

/** By postcode and category. */
const surroundings = new WeakMap<GeocodeIndex, Map<number, readonly string[]>>();
