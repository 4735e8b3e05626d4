import type { GeocodeIndex } from '../index/geocode-index.js';
import { exactWords, similarWords } from './find-words.js';
import { isNumber, type Query, withWords } from './query.js';

/** How strictly the words of a query are matched. */
export type Reading = 'asTyped' | 'similar' | 'lenient';

/**
 * Relaxed versions of the query: with an added, removed or moved blank, and with errors in its shortest
 * words.
 */
export function* relaxations(
  index: GeocodeIndex,
  asked: Query,
): Iterable<{ readonly other: Query; readonly reading: Reading }> {
  const { words } = asked;
  const known = (parts: readonly string[]): boolean => parts.every((part) => isWord(index, part));
  const instead = (at: number, removed: number, parts: readonly string[]) => ({
    other: withWords(asked, at, removed, parts),
    reading: 'asTyped' as const,
  });
  if (words.some((word) => isWord(index, word))) yield { other: asked, reading: 'similar' };
  for (let i = 0; i + 1 < words.length; i++) {
    const [a, b] = [words[i], words[i + 1]];
    if (/\d/.test(a + b)) continue;
    if (a.length + b.length >= 5 && similarWords(index, a + b, false).length > 0)
      yield instead(i, 2, [a + b]);
    for (const parts of [
      [a + b[0], b.slice(1)],
      [a.slice(0, -1), a.slice(-1) + b],
    ])
      if (parts.every((part) => part !== '') && known(parts)) yield instead(i, 2, parts);
  }
  for (const [i, word] of words.entries())
    for (let cut = 1; cut < word.length; cut++) {
      const parts = [word.slice(0, cut), word.slice(cut)];
      // With one digit less, it is another house.
      if (isNumber(parts[1]) && /\d$/.test(parts[0])) continue;
      if (known(parts)) yield instead(i, 1, parts);
    }
  if (words.some(({ length }) => length === 2)) yield { other: asked, reading: 'lenient' };
}

/** Whether the dictionary has exactly this word; numbers count as house numbers. */
const isWord = (index: GeocodeIndex, word: string): boolean =>
  /^\d+[a-z]?$/.test(word) || exactWords(index, word, false).length > 0;
