import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import type { LatLng } from '#schemas/units.js';
import type { GeocodeIndex } from '../index/geocode-index.js';
import { NOTHING } from '../index/index-file.js';
import { limits } from '../index/limits.js';
import { spellingsOf } from './abbreviations.js';
import { countryWords } from './country-words.js';
import { findHouse } from './find-house.js';
import { exactWords, type FoundWord, similarWords } from './find-words.js';
import { isNumber, parseQuery, type Query } from './query.js';
import { type Reading, relaxations } from './relaxation.js';
import { selectCandidates } from './select-candidates.js';
import { surroundingWords, townsNamed, wordsAround } from './words-around.js';

export interface SearchOptions {
  /** The last word may be unfinished. */
  readonly prefix?: boolean;
  /** Of equally good matches, the one nearer to this is meant. */
  readonly near?: LatLng;
  /** Default: `usualNearness`. */
  readonly nearness?: Nearness;
  /** Only these rows; a house that is not among them counts as its street. Default: all. */
  readonly accepts?: (row: number) => boolean;
  readonly limit?: number;
}

/** What decides between places that match equally well. */
export interface Nearness {
  /** At this distance from `near` its bonus is halved. */
  readonly radiusM: number;
  /** Bonus of the most important place relative to that of the nearest. */
  readonly importance: number;
}

const usualNearness: Nearness = { radiusM: 3_000, importance: 0.5 };
const nearBonus = 0.12;

export interface FoundPlace {
  /** A place, or a house if the query has its number. */
  readonly row: number;
  /** 1 or more if every word matches. */
  readonly score: number;
  /** The result differs from the query: a word was corrected or omitted, or the house is unknown. */
  readonly partial: boolean;
}

/** Results below this score are not returned. */
const scoreLeast = 0.45;
/** Below this score, joined and split words are tried. */
const scoreGood = 0.8;
/** Weight of a word of the place that is not in the query. */
const restShare = 0.3;
const restSharePrefix = 0.12;

/** Places and houses that match a text, best first. Empty without a good match. */
export function searchPlaces(index: GeocodeIndex, query: string, options: SearchOptions = {}): FoundPlace[] {
  const asked = parseQuery(query);
  if (asked.words.length === 0) return [];
  let best = searchWords(index, asked, { ...options, reading: 'asTyped' });
  if ((best[0]?.score ?? 0) < scoreGood)
    for (const { other, reading } of relaxations(index, asked)) {
      const found = searchWords(index, other, { ...options, reading }).map((each) => ({
        ...each,
        score: each.score * 0.95,
        partial: true,
      }));
      if ((found[0]?.score ?? 0) > (best[0]?.score ?? 0)) best = found;
      if ((best[0]?.score ?? 0) >= scoreGood) break;
    }
  return best.slice(0, Math.min(options.limit ?? 10, limits.resultsMax));
}

/** Bonus for the right town or postcode, and for an existing house. */
const surroundingBonus = 0.02;
const surroundingsMax = 3;
const houseBonus = 0.05;
const bonusMax = surroundingBonus * surroundingsMax + houseBonus;
const spellingCost = 0.05;
/**
 * Cost of an unmatched word relative to one of the name: less for a number, because few maps have every
 * house, and for a location word, because the extract may not include it.
 */
const numberShare = 0.4;
const contextShare = 0.4;

/** Data collected for each entry while the words of a query are processed. */
interface Tally {
  readonly matched: Float32Array;
  readonly covered: Float32Array;
  /** Bit i: word i of the query is in the entry. */
  readonly words: Uint16Array;
  /** Bit i: word i matches exactly. */
  readonly exact: Uint16Array;
}

const tallies = new WeakMap<GeocodeIndex, Tally>();

function tallyOf(index: GeocodeIndex): Tally {
  let tally = tallies.get(index);
  if (tally === undefined) {
    const entries = index.entryWeight.length;
    tally = {
      matched: new Float32Array(entries),
      covered: new Float32Array(entries),
      words: new Uint16Array(entries),
      exact: new Uint16Array(entries),
    };
    tallies.set(index, tally);
  }
  return tally;
}

function searchWords(
  index: GeocodeIndex,
  { words, contextFrom }: Query,
  options: SearchOptions & { readonly reading: Reading },
): FoundPlace[] {
  const { data, wordWeight, entryWeight } = index;
  const { postings, firstPosting, entryPlace } = data;
  const tally = tallyOf(index);
  const touched: number[] = [];
  const unknownWeight = Math.log(1 + entryPlace.length) * 0.7;
  const weights = words.map(() => unknownWeight);
  words.forEach((word, i) => {
    const candidates = candidatesFor(
      index,
      word,
      options.prefix === true && i === words.length - 1,
      options.reading,
    );
    const bit = 1 << i;
    for (const [rank, { word: known, quality }] of candidates.entries()) {
      const weight = wordWeight[known];
      if (rank === 0) weights[i] = weight;
      const gain = quality * weights[i];
      for (let at = firstPosting[known]; at < firstPosting[known + 1]; at++) {
        const entry = postings[at];
        if ((tally.words[entry] & bit) !== 0) continue;
        if (tally.words[entry] === 0) touched.push(entry);
        tally.words[entry] |= bit;
        if (quality > 0.999) tally.exact[entry] |= bit;
        tally.matched[entry] += gain;
        // Of two names, the one that includes the town's name has one more word than the query.
        tally.covered[entry] += i < contextFrom ? weight : weight * contextShare;
      }
    }
  });
  const { accepts } = options;
  const hasHouses = (place: number): boolean => data.firstHouse[place]! < data.firstHouse[place + 1]!;
  const possible =
    accepts === undefined
      ? touched
      : touched.filter((entry) => accepts(entryPlace[entry]!) || hasHouses(entryPlace[entry]!));
  const around = wordsAround(index, townsNamed(index, touched, tally.words));
  const restOf = (entry: number): number =>
    (options.prefix === true ? restSharePrefix : restShare) *
    Math.max(0, entryWeight[entry] - tally.covered[entry]);
  const all = (1 << words.length) - 1;
  const sums = sumsOf(weights);
  const shareOf = (i: number) => (isNumber(words[i]) ? numberShare : i < contextFrom ? 1 : contextShare);
  const costs = sumsOf(weights.map((weight, i) => weight * shareOf(i)));
  const context = all & ~((1 << contextFrom) - 1);
  const country = bitsOf(words, (word) => countryWords(index.head.country).has(word));
  // Numbers may turn out to be a house or a postcode.
  const numbers = bitsOf(words, isNumber);
  const promise = (entry: number): number => {
    const bits = tally.words[entry];
    const place = entryPlace[entry];
    const inTown = around(place);
    const asked = sums[bits] + costs[all & ~(bits | inTown | numbers | country)];
    return tally.matched[entry] / (asked + restOf(entry)) + preference(index, place, options);
  };
  const found = new Map<number, FoundPlace>();
  for (const entry of selectCandidates(possible, promise, scoreLeast - bonusMax)) {
    const place = entryPlace[entry];
    const judged = judge(index, {
      place,
      words,
      sums,
      costs,
      context,
      country,
      rest: restOf(entry),
      around,
      tally,
      entry,
    });
    const row = acceptedRow(judged.row, place, accepts);
    if (judged.score < scoreLeast || row === undefined) continue;
    const spelling = isSpelling(index, entry) ? spellingCost : 0;
    const score = judged.score + preference(index, place, options) - spelling;
    const before = found.get(row);
    if (before === undefined || before.score < score)
      found.set(row, { row, score, partial: judged.partial || row !== judged.row });
  }
  for (const entry of touched) {
    tally.words[entry] = 0;
    tally.exact[entry] = 0;
    tally.matched[entry] = 0;
    tally.covered[entry] = 0;
  }
  return [...found.values()].sort((a, b) => b.score - a.score || a.row - b.row);
}

function acceptedRow(row: number, street: number, accepts: SearchOptions['accepts']): number | undefined {
  if (accepts === undefined || accepts(row)) return row;
  return row !== street && accepts(street) ? street : undefined;
}

/** For a word in the dictionary, other matches are not tried at first. */
function candidatesFor(index: GeocodeIndex, word: string, prefix: boolean, reading: Reading): FoundWord[] {
  const exact = exactWords(index, word, prefix);
  const others = spellingsOf(word).flatMap((spelling) =>
    exactWords(index, spelling, false).map((each) => ({ ...each, quality: 0.97 })),
  );
  if (reading === 'asTyped' && exact.length + others.length > 0)
    return others.length === 0 ? exact : [...exact, ...others].sort((a, b) => b.quality - a.quality);
  return [...similarWords(index, word, prefix, reading === 'lenient'), ...others].sort(
    (a, b) => b.quality - a.quality,
  );
}

function bitsOf(words: readonly string[], test: (word: string) => boolean): number {
  return words.reduce((bits, word, i) => (test(word) ? bits | (1 << i) : bits), 0);
}

/** Sums of weights by the bits of the words in them. */
function sumsOf(weights: readonly number[]): Float32Array {
  const sums = new Float32Array(1 << weights.length);
  for (let bits = 1; bits < sums.length; bits++)
    sums[bits] = sums[bits & (bits - 1)] + weights[31 - Math.clz32(bits & -bits)];
  return sums;
}

/** An old or short name, which ranks below the same name of another place. */
function isSpelling({ data, head }: GeocodeIndex, entry: number): boolean {
  const name = data.entryName[entry];
  return name !== NOTHING && head.languages[data.nameLanguage[name]] === '*';
}

interface Judging {
  readonly place: number;
  readonly words: readonly string[];
  /** Weights of the query's words, summed up by their bits, and their cost if unmatched. */
  readonly sums: Float32Array;
  readonly costs: Float32Array;
  /** Bits of the words after the name, and of country words. */
  readonly context: number;
  readonly country: number;
  /** Cost of the entry's other words. */
  readonly rest: number;
  /** Bits of the words that match the surroundings of a row. */
  readonly around: (row: number) => number;
  readonly tally: Tally;
  readonly entry: number;
}

/**
 * How well an entry matches the whole query: its own words, those of its town, postcode, country or category,
 * and the number of a house. Remaining words cost.
 */
function judge(
  index: GeocodeIndex,
  { place, words, sums, costs, context, country, rest, around, tally, entry }: Judging,
): { row: number; score: number; partial: boolean } {
  const { data } = index;
  const all = (1 << words.length) - 1;
  const bits = tally.words[entry];
  const hasHouses = data.firstHouse[place] < data.firstHouse[place + 1];
  const house = hasHouses ? findHouse(index, place, words, bits) : undefined;
  const row = house?.row ?? place;
  // A street that includes its town's name matches that name twice.
  const inTown = around(row) & (~bits | context);
  const inCountry = country & ~bits;
  let explained = bits | (house?.words ?? 0) | inTown | inCountry;
  let surroundings = (inTown === 0 ? 0 : 1) + (inCountry === 0 ? 0 : 1);
  if (explained !== all) {
    const named = surroundingWords(index, row);
    for (let i = 0; i < words.length; i++)
      if ((explained & (1 << i)) === 0 && named.includes(words[i])) {
        explained |= 1 << i;
        surroundings += 1;
      }
  }
  const score =
    tally.matched[entry] / (sums[bits] + costs[all & ~explained] + rest) +
    surroundingBonus * Math.min(surroundingsMax, surroundings) +
    (house === undefined ? 0 : index.isInterpolated(row) ? houseBonus / 2 : houseBonus);
  return { row, score, partial: (explained & (tally.exact[entry] | ~bits) & all) !== all };
}

/** Larger and nearer places first, but never before a clearly better match. */
function preference({ data }: GeocodeIndex, place: number, { near, nearness }: SearchOptions): number {
  const { radiusM, importance: share } = nearness ?? usualNearness;
  const importance = (nearBonus * share * data.importance[place]!) / 255;
  if (near === undefined) return importance;
  const north = (data.latE7[place] / 1e7 - near.lat) * metersPerDegree;
  const east = (data.lngE7[place] / 1e7 - near.lng) * metersPerLngDegree(near.lat);
  return importance + nearBonus / (1 + Math.hypot(north, east) / radiusM);
}
