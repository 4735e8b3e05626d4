import { wordsOf } from '../index/fold-text.js';
import type { GeocodeIndex } from '../index/geocode-index.js';
import { NOTHING } from '../index/index-file.js';
import { placeKinds } from '../index/place-identity.js';

/**
 * Bits of the query's words that match a town or an area, by its row; `wordsOfEntry` are the bits of the
 * words in each entry.
 */
export function townsNamed(
  index: GeocodeIndex,
  touched: readonly number[],
  wordsOfEntry: Uint16Array,
): Map<number, number> {
  const { data } = index;
  const towns = new Map<number, number>();
  for (const entry of touched) {
    const place = data.entryPlace[entry];
    const kind = data.kind[place];
    // Most are streets and points of interest.
    if (kind === streetKind || kind === poiKind) continue;
    if (kind === settlementKind || index.isArea(place))
      towns.set(place, (towns.get(place) ?? 0) | wordsOfEntry[entry]);
  }
  return towns;
}

const settlementKind = placeKinds.indexOf('settlement');
const streetKind = placeKinds.indexOf('street');
const poiKind = placeKinds.indexOf('poi');

/** Bits of the words that match the town of a row or an area around it. */
export function wordsAround(
  { data }: GeocodeIndex,
  towns: ReadonlyMap<number, number>,
): (row: number) => number {
  if (towns.size === 0) return () => 0;
  // Rows share few sets.
  const bySet = new Map<number, number>();
  const bitsOf = (set: number): number => {
    let bits = 0;
    for (let at = data.setFirst[set]; at < data.setFirst[set + 1]; at++)
      bits |= towns.get(data.areaRow[data.setArea[at]]) ?? 0;
    bySet.set(set, bits);
    return bits;
  };
  return (row) => {
    const set = data.areaSet[row];
    return (towns.get(data.settlement[row]) ?? 0) | (bySet.get(set) ?? bitsOf(set));
  };
}

/** Folded words of the postcode and the kind of place. */
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
    ...(category === NOTHING ? [] : head.categories[category].split('_')),
  ];
  kept.set(key, words);
  return words;
}

/** By postcode and category. */
const surroundings = new WeakMap<GeocodeIndex, Map<number, readonly string[]>>();
