import type { GeocodeIndex } from './geocode-index.js';
import { limits } from './limits.js';

export interface FoundWord {
  readonly word: number;
  /** 1 for the word itself; less for one that is spelt otherwise or only begins like it. */
  readonly quality: number;
}

/** Typing errors that are forgiven in a word of so many letters; words with digits must be right. */
const editsAllowed = (word: string, prefix: boolean, lenient: boolean): number => {
  if (/\d/.test(word) || word.length < (lenient ? 2 : 3)) return 0;
  if (prefix) return word.length < 4 ? 0 : word.length < 9 ? 1 : 2;
  return word.length < 9 ? 1 : 2;
};

/** Rows of the table of edits, one for each letter of a dictionary word and a column for each letter of the query. */
const width = limits.wordLengthMax + 1;
const table = new Uint8Array(width * width);
/** Least edits between the whole query and a beginning of the word, up to each letter. */
const leastAt = new Uint8Array(width);

/**
 * Words of the dictionary that are the given one, up to typing errors (a letter too many, missing, wrong, or two that are
 * exchanged); with `prefix` also those that begin like it. The dictionary is walked as the tree that it is: what two
 * neighbours share is computed once, and a beginning that is hopeless is left with everything under it.
 */
export function findWords(
  { data, wordWeight }: GeocodeIndex,
  query: string,
  prefix: boolean,
  lenient = false,
): FoundWord[] {
  const { wordFirst, wordChars, wordShared } = data;
  const edits = editsAllowed(query, prefix, lenient);
  const n = query.length;
  const letters = Array.from({ length: n }, (_, i) => query.charCodeAt(i));
  for (let j = 0; j <= n; j++) table[j] = j;
  leastAt[0] = n;
  const found: FoundWord[] = [];
  const words = wordWeight.length;
  /** Letters of the last word whose rows stand in the table. */
  let depth = 0;
  for (let word = 0; word < words; ) {
    const first = wordFirst[word];
    const length = wordFirst[word + 1] - first;
    let at = Math.min(depth, word === 0 ? 0 : wordShared[word]);
    let hopeless = false;
    while (at < length) {
      const letter = wordChars[first + at];
      at++;
      const row = at * width;
      const above = row - width;
      table[row] = at;
      let least = at;
      for (let j = 1; j <= n; j++) {
        let cost = table[above + j - 1] + (letters[j - 1] === letter ? 0 : 1);
        if (table[above + j] + 1 < cost) cost = table[above + j] + 1;
        if (table[row + j - 1] + 1 < cost) cost = table[row + j - 1] + 1;
        if (
          at > 1 &&
          j > 1 &&
          letters[j - 1] === wordChars[first + at - 2] &&
          letters[j - 2] === letter &&
          table[above - width + j - 2] + 1 < cost
        )
          cost = table[above - width + j - 2] + 1;
        table[row + j] = cost;
        if (cost < least) least = cost;
      }
      leastAt[at] = Math.min(leastAt[at - 1], table[row + n]);
      // An exchange of two letters looks two rows back, so a row may be one edit better than it looks.
      if (least > edits + 1 && !(prefix && leastAt[at] <= edits)) {
        hopeless = true;
        break;
      }
    }
    depth = at;
    if (!hopeless) {
      const whole = table[length * width + n];
      const begun = prefix ? leastAt[length] : whole;
      if (Math.min(whole, begun) <= edits)
        found.push({ word, quality: quality(n, length, whole, begun, edits) });
    }
    word++;
    if (hopeless) while (word < words && wordShared[word] >= depth) word++;
  }
  return found.sort((a, b) => b.quality - a.quality || a.word - b.word);
}

function quality(typed: number, length: number, whole: number, begun: number, edits: number): number {
  const spelt = whole <= edits ? 1 - (1.1 * whole) / Math.max(3, Math.min(typed, length)) : 0;
  // What is still to be typed costs little, what is typed wrong costs more.
  const started =
    begun <= edits
      ? (0.8 + (0.15 * typed) / Math.max(typed, length)) * (1 - (1.1 * begun) / Math.max(3, typed))
      : 0;
  return Math.max(spelt, started);
}
