import { growingUint32 } from '../osm/growing-array.js';
import type { FoldName } from './gather-streets.js';
import type { Place } from './gazetteer.js';
import { type IndexColumns, NOTHING } from './index-file.js';

/**
 * The dictionary, sorted by code units, each word with how many units it shares with the one before; and for each word
 * the entries that hold it. An entry is one name of a place, or the category of a place that people look for.
 */
export function wordColumns(
  places: readonly Place[],
  firstName: Uint32Array,
  fold: FoldName,
): Pick<
  IndexColumns,
  'wordFirst' | 'wordChars' | 'wordShared' | 'entryPlace' | 'entryName' | 'firstPosting' | 'postings'
> {
  const entryPlace = growingUint32();
  const entryName = growingUint32();
  const numbers = new Map<string, number>();
  const wordAt = growingUint32();
  const entryAt = growingUint32();
  places.forEach((place, row) => {
    const seen: string[] = [];
    const enter = (text: string, name: number): void => {
      const folded = fold(text);
      if (folded === '' || seen.includes(folded)) return;
      seen.push(folded);
      const words = folded.split(' ');
      for (const [i, word] of words.entries()) {
        if (words.indexOf(word) < i) continue;
        let number = numbers.get(word);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(word, number);
        }
        wordAt.push(number);
        entryAt.push(entryPlace.length);
      }
      entryPlace.push(row);
      entryName.push(name);
    };
    for (const [i, { text }] of place.names.entries()) enter(text, firstName[row] + i);
    if (place.kind === 'poi') enter(place.category.replaceAll('_', ' '), NOTHING);
  });
  const words = [...numbers.keys()].sort();
  const rankOf = new Uint32Array(words.length);
  const wordFirst = new Uint32Array(words.length + 1);
  const wordShared = new Uint8Array(words.length);
  words.forEach((word, index) => {
    rankOf[numbers.get(word)!] = index;
    wordFirst[index + 1] = wordFirst[index] + word.length;
    const before = words[index - 1] ?? '';
    let shared = 0;
    while (shared < word.length && word[shared] === before[shared]) shared++;
    wordShared[index] = shared;
  });
  const wordChars = new Uint16Array(wordFirst[words.length]);
  words.forEach((word, index) => {
    for (let i = 0; i < word.length; i++) wordChars[wordFirst[index] + i] = word.charCodeAt(i);
  });
  return {
    wordFirst,
    wordChars,
    wordShared,
    entryPlace: entryPlace.trimmed(),
    entryName: entryName.trimmed(),
    ...postingsOf(wordAt.trimmed(), entryAt.trimmed(), rankOf),
  };
}

/** Entries by rank of their words, ascending. */
function postingsOf(
  wordAt: Uint32Array,
  entryAt: Uint32Array,
  rankOf: Uint32Array,
): Pick<IndexColumns, 'firstPosting' | 'postings'> {
  const firstPosting = new Uint32Array(rankOf.length + 1);
  for (let i = 0; i < wordAt.length; i++) firstPosting[rankOf[wordAt[i]] + 1]++;
  for (let rank = 0; rank < rankOf.length; rank++) firstPosting[rank + 1] += firstPosting[rank];
  const next = firstPosting.slice();
  const postings = new Uint32Array(wordAt.length);
  for (let i = 0; i < wordAt.length; i++) postings[next[rankOf[wordAt[i]]]++] = entryAt[i];
  return { firstPosting, postings };
}
