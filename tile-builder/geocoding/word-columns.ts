import { growingUint32 } from '../osm/growing-array.js';
import type { FoldName } from './fold-name.js';
import type { Place } from './gazetteer.js';
import { type IndexColumns, NOTHING } from './index-file.js';
import { MadeOnce } from './made-once.js';
import { type PooledText, TextPool } from './text-pool.js';

type Columns = Pick<
  IndexColumns,
  'wordFirst' | 'wordChars' | 'wordShared' | 'entryPlace' | 'entryName' | 'firstPosting' | 'postings'
>;

/** One name of a place, or the category of a place that people look for, with its words, each once. */
interface Entry {
  /** Index in the names of the place; -1 for the category. */
  readonly name: number;
  readonly words: readonly PooledText[];
}

/** The words of places; those of places that were there before are neither taken apart nor sorted again. */
export class WordMemory {
  readonly #pool = new TextPool();
  readonly #entries = new MadeOnce<Place, readonly Entry[]>(({ key }) => key);
  #dictionary: readonly PooledText[] = [];

  /**
   * The dictionary, sorted by code units, each word with how many units it shares with the one before; and for each word the entries
   * that hold it.
   */
  of(places: readonly Place[], firstName: Uint32Array, fold: FoldName): Columns {
    const pool = this.#pool;
    pool.begin();
    const entries = this.#entries.of(places, (place) => entriesOf(place, fold, pool)).all;
    const entryPlace = growingUint32();
    const entryName = growingUint32();
    const wordAt = growingUint32();
    const entryAt = growingUint32();
    for (let row = 0; row < entries.length; row++)
      for (const { name, words } of entries[row]) {
        for (let i = 0; i < words.length; i++) {
          wordAt.push(pool.numberOf(words[i]!));
          entryAt.push(entryPlace.length);
        }
        entryPlace.push(row);
        entryName.push(name < 0 ? NOTHING : firstName[row] + name);
      }
    const words = this.#sorted(pool.end());
    const rankOf = new Uint32Array(words.length);
    for (let rank = 0; rank < words.length; rank++) rankOf[words[rank]!.number] = rank;
    return {
      ...dictionaryOf(words),
      entryPlace: entryPlace.trimmed(),
      entryName: entryName.trimmed(),
      ...postingsOf(wordAt.trimmed(), entryAt.trimmed(), rankOf),
    };
  }

  /** Those that were in the dictionary before lie there in order, which leaves a merge of two sorted parts. */
  #sorted(used: readonly PooledText[]): readonly PooledText[] {
    const before = new Set(this.#dictionary);
    const came = used.flatMap((word) => (before.has(word) ? [] : [word.text])).sort();
    const stayed = this.#dictionary.filter(({ numbering }) => numbering === used[0]?.numbering);
    const words = [...stayed, ...came.map((text) => this.#pool.enter(text))];
    this.#dictionary = stayed.length === 0 ? words : words.sort((a, b) => (a.text < b.text ? -1 : 1));
    return this.#dictionary;
  }
}

function entriesOf(place: Place, fold: FoldName, pool: TextPool): readonly Entry[] {
  const entries: Entry[] = [];
  const seen: string[] = [];
  const enter = (text: string, name: number): void => {
    const folded = fold(text);
    if (folded === '' || seen.includes(folded)) return;
    seen.push(folded);
    const words: PooledText[] = [];
    for (const each of folded.split(' ')) {
      const word = pool.enter(each);
      if (!words.includes(word)) words.push(word);
    }
    entries.push({ name, words });
  };
  for (let name = 0; name < place.names.length; name++) enter(place.names[name]!.text, name);
  if (place.kind === 'poi') enter(place.category.replaceAll('_', ' '), -1);
  return entries;
}

function dictionaryOf(words: readonly PooledText[]): Pick<Columns, 'wordFirst' | 'wordChars' | 'wordShared'> {
  const wordFirst = new Uint32Array(words.length + 1);
  const wordShared = new Uint8Array(words.length);
  let before = '';
  for (let rank = 0; rank < words.length; rank++) {
    const word = words[rank]!.text;
    wordFirst[rank + 1] = wordFirst[rank] + word.length;
    let shared = 0;
    while (shared < word.length && word.charCodeAt(shared) === before.charCodeAt(shared)) shared++;
    wordShared[rank] = shared;
    before = word;
  }
  const wordChars = new Uint16Array(wordFirst[words.length]);
  let at = 0;
  for (const { text } of words) for (let i = 0; i < text.length; i++) wordChars[at++] = text.charCodeAt(i);
  return { wordFirst, wordChars, wordShared };
}

/** Entries by rank of their words, ascending. */
function postingsOf(
  wordAt: Uint32Array,
  entryAt: Uint32Array,
  rankOf: Uint32Array,
): Pick<Columns, 'firstPosting' | 'postings'> {
  const firstPosting = new Uint32Array(rankOf.length + 1);
  for (let i = 0; i < wordAt.length; i++) firstPosting[rankOf[wordAt[i]] + 1]++;
  for (let rank = 0; rank < rankOf.length; rank++) firstPosting[rank + 1] += firstPosting[rank];
  const next = firstPosting.slice();
  const postings = new Uint32Array(wordAt.length);
  for (let i = 0; i < wordAt.length; i++) postings[next[rankOf[wordAt[i]]]++] = entryAt[i];
  return { firstPosting, postings };
}
