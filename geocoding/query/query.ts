import { wordsOf } from '../index/fold-text.js';
import { limits } from '../index/limits.js';

/** What a user asks the geocoder. */
export interface Query {
  readonly words: readonly string[];
  /**
   * The words from here on stand behind a comma that follows a name: they say where it is. The map may not
   * know them, a region or a country that it is cut out of.
   */
  readonly contextFrom: number;
}

export function parseQuery(text: string): Query {
  const parts = text
    .slice(0, limits.queryLengthMax)
    .split(/[,;\n]/)
    .map(wordsOf);
  const name = parts.findIndex((part) => part.some((word) => !isNumber(word)));
  const words = parts.flat().slice(0, limits.wordsMax);
  const named = name < 0 ? words : parts.slice(0, name + 1).flat();
  return { words, contextFrom: Math.min(words.length, named.length) };
}

/** The same query with other words in place of some. */
export function withWords(
  { words, contextFrom }: Query,
  at: number,
  removed: number,
  instead: readonly string[],
): Query {
  return {
    words: words.toSpliced(at, removed, ...instead),
    contextFrom: at < contextFrom ? Math.max(at + 1, contextFrom + instead.length - removed) : contextFrom,
  };
}

/** A house, a postcode, or a road that has a number for its name. */
export const isNumber = (word: string): boolean => /^\d/.test(word);
