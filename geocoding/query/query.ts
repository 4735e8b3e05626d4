import { wordsOf } from '../index/fold-text.js';
import { limits } from '../index/limits.js';

/** A user's query. */
export interface Query {
  readonly words: readonly string[];
  /**
   * The words from here on follow the comma after a name: they give its location. The map may lack them, for
   * example the region or country of an extract.
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

/** The same query with some words replaced. */
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

/** A house, a postcode, or a road whose name is a number. */
export const isNumber = (word: string): boolean => /^\d/.test(word);
