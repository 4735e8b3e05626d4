import type { GeocodeIndex } from '../index/geocode-index.js';
import { limits } from '../index/limits.js';

export interface FoundWord {
  readonly word: number;
  /** 1 for the word itself; less for another spelling or a prefix match. */
  readonly quality: number;
}

/** A number with letters behind it, `45th`. */
const ordinal = /^(\d+)[a-z]+$/;

/** Allowed typing errors in a word of this length; digits must be exact. */
const editsAllowed = (word: string, prefix: boolean, lenient: boolean): number => {
  if (/\d/.test(word)) return ordinal.test(word) && !prefix ? 1 : 0;
  if (word.length < (lenient ? 2 : 3)) return 0;
  if (prefix) return word.length < 4 ? 0 : word.length < 9 ? 1 : 2;
  return word.length < 9 ? 1 : 2;
};

/**
 * Rows of the table of edits, one for each letter of a dictionary word and a column for each letter of the
 * query.
 */
const width = limits.wordLengthMax + 1;
const table = new Uint8Array(width * width);
/** Least edits between the complete query word and each prefix of the word. */
const leastAt = new Uint8Array(width);
const letters = new Uint16Array(width);

/** First word of the dictionary that is not before the given text, by code units. */
function firstNotBefore({ data, wordWeight }: GeocodeIndex, text: string): number {
  const { wordFirst, wordChars } = data;
  let low = 0;
  let high = wordWeight.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = wordFirst[middle];
    const length = wordFirst[middle + 1] - first;
    let i = 0;
    while (i < length && i < text.length && wordChars[first + i] === text.charCodeAt(i)) i++;
    const before =
      i === length ? i < text.length : i < text.length && wordChars[first + i] < text.charCodeAt(i);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

function begins({ data }: GeocodeIndex, word: number, text: string): boolean {
  const first = data.wordFirst[word];
  if (data.wordFirst[word + 1] - first < text.length) return false;
  for (let i = 0; i < text.length; i++) if (data.wordChars[first + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Words that are exactly the given one; with `prefix` also those that begin with it. */
export function exactWords(index: GeocodeIndex, query: string, prefix: boolean): FoundWord[] {
  const { wordFirst } = index.data;
  const found: FoundWord[] = [];
  for (let word = firstNotBefore(index, query); word < index.wordWeight.length; word++) {
    if (!begins(index, word, query)) break;
    const length = wordFirst[word + 1] - wordFirst[word];
    if (!prefix && length > query.length) break;
    found.push({ word, quality: quality(query.length, length, length - query.length, 0, 0) });
  }
  return found.sort((a, b) => b.quality - a.quality || a.word - b.word);
}

/** More edits than are ever allowed. */
const FAR = 99;

/**
 * Words of the dictionary that match the given one, with typing errors (an additional, missing or wrong
 * letter, or two exchanged ones); with `prefix` also words that start like it. The dictionary is searched as
 * a tree: the common prefix of adjacent words is computed once, and a prefix without possible matches is
 * skipped with everything below it. Only a band of the table is filled, as wide as the allowed edits.
 */
export function similarWords(
  { data, wordWeight }: GeocodeIndex,
  query: string,
  prefix: boolean,
  lenient = false,
): FoundWord[] {
  const { wordFirst, wordChars, wordShared } = data;
  const edits = editsAllowed(query, prefix, lenient);
  const band = edits + 1;
  const n = query.length;
  for (let j = 0; j <= n; j++) {
    letters[j] = j < n ? query.charCodeAt(j) : 0;
    table[j] = j;
  }
  leastAt[0] = n;
  const found: FoundWord[] = [];
  const words = wordWeight.length;
  /** Letters of the last word that have rows in the table. */
  let depth = 0;
  for (let word = 0; word < words; ) {
    const first = wordFirst[word];
    const length = wordFirst[word + 1] - first;
    let at = Math.min(depth, word === 0 ? 0 : wordShared[word]);
    let hopeless = false;
    while (at < length) {
      const letter = wordChars[first + at];
      const before = at === 0 ? -1 : wordChars[first + at - 1];
      at++;
      const row = at * width;
      const above = row - width;
      const low = at > band ? at - band : 1;
      const high = at + band < n ? at + band : n;
      table[row + low - 1] = low === 1 ? at : FAR;
      let least = low === 1 ? at : FAR;
      for (let j = low; j <= high; j++) {
        let cost = table[above + j - 1] + (letters[j - 1] === letter ? 0 : 1);
        if (table[above + j] + 1 < cost) cost = table[above + j] + 1;
        if (table[row + j - 1] + 1 < cost) cost = table[row + j - 1] + 1;
        if (
          j > 1 &&
          letters[j - 1] === before &&
          letters[j - 2] === letter &&
          table[above - width + j - 2] + 1 < cost
        )
          cost = table[above - width + j - 2] + 1;
        table[row + j] = cost;
        if (cost < least) least = cost;
      }
      if (high < n) table[row + high + 1] = FAR;
      const whole = high === n && low <= n + 1 ? table[row + n] : FAR;
      leastAt[at] = whole < leastAt[at - 1] ? whole : leastAt[at - 1];
      // An exchange of two letters reads two rows back, so a row may be better by one edit.
      if (least > edits + 1 && !(prefix && leastAt[at] <= edits)) {
        hopeless = true;
        break;
      }
    }
    depth = at;
    if (!hopeless) {
      const whole = Math.abs(length - n) <= edits ? table[length * width + n] : FAR;
      const begun = prefix ? leastAt[length] : whole;
      if (Math.min(whole, begun) <= edits)
        found.push({ word, quality: quality(n, length, whole, begun, edits) });
    }
    word++;
    if (hopeless) while (word < words && wordShared[word] >= depth) word++;
  }
  const digits = ordinal.exec(query)?.[1];
  const right = digits === undefined ? found : found.filter(({ word }) => hasNumber(data, word, digits));
  return right.sort((a, b) => b.quality - a.quality || a.word - b.word);
}

/** Whether a word begins with just these digits. */
function hasNumber({ wordFirst, wordChars }: GeocodeIndex['data'], word: number, digits: string): boolean {
  const text = String.fromCharCode(...wordChars.subarray(wordFirst[word], wordFirst[word + 1]));
  return text.startsWith(digits) && !/\d/.test(text.charAt(digits.length));
}

function quality(typed: number, length: number, whole: number, begun: number, edits: number): number {
  const spelt = whole <= edits ? 1 - (1.1 * whole) / Math.max(3, Math.min(typed, length)) : 0;
  // Missing letters at the end cost little, wrong letters cost more.
  const started =
    begun <= edits
      ? (0.8 + (0.15 * typed) / Math.max(typed, length)) * (1 - (1.1 * begun) / Math.max(3, typed))
      : 0;
  return Math.max(spelt, started);
}
