import type { Scratch } from '#map-data/arrays/scratch.js';
import { type IndexColumns, NOTHING } from '../../index/index-file.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { Dictionary } from './dictionary.js';
import { RecordBuffer } from './record-buffer.js';
import { TextPool } from './text-pool.js';

type Columns = Pick<
  IndexColumns,
  'wordFirst' | 'wordChars' | 'wordShared' | 'entryPlace' | 'entryName' | 'firstPosting' | 'postings'
>;

/**
 * The words of places; those of unchanged places are neither split nor sorted again. An entry is a name of a
 * place, or the category of a place, with its words, each once:
 *
 * ```text
 *   index in the names of the place or -1 for the category, words, words × id
 * ```
 */
export class WordMemory {
  readonly #pool = new TextPool();
  readonly #dictionary = new Dictionary(this.#pool);
  readonly #entries = new RecordBuffer<Place>(({ key }) => key);

  /**
   * The dictionary, sorted by code units, each word with the number of units that it shares with the previous
   * one; and for each word its entries.
   */
  of(places: readonly Place[], firstName: Uint32Array, fold: FoldName, scratch: Scratch): Columns {
    this.#entries.update(places, (place) => this.#write(place, fold));
    const { numbers, first } = this.#entries;
    const pool = this.#pool;
    pool.begin();
    // An entry takes three numbers at least, and a word one.
    const most = first[places.length]!;
    const entryPlace = scratch.uint32('entryPlace', most / 3);
    const entryName = scratch.uint32('entryName', most / 3);
    const wordAt = scratch.uint32('words of entries', most);
    const entryAt = scratch.uint32('entries of words', most);
    let [entries, words] = [0, 0];
    for (let row = 0; row < places.length; row++) {
      for (let at = first[row]!; at < first[row + 1]!; ) {
        const name = numbers[at]!;
        const end = at + 2 + numbers[at + 1]!;
        for (at += 2; at < end; at++) {
          pool.numberOf(numbers[at]!);
          wordAt[words] = numbers[at]!;
          entryAt[words++] = entries;
        }
        entryPlace[entries] = row;
        entryName[entries++] = name < 0 ? NOTHING : firstName[row]! + name;
      }
    }
    const { rankOf, ...dictionary } = this.#dictionary.of(pool.end(), scratch);
    return {
      ...dictionary,
      entryPlace: entryPlace.subarray(0, entries),
      entryName: entryName.subarray(0, entries),
      ...postingsOf(wordAt.subarray(0, words), entryAt, rankOf, dictionary.wordShared.length, scratch),
    };
  }

  #write(place: Place, fold: FoldName): void {
    const seen: string[] = [];
    const write = (text: string, name: number): void => {
      const folded = fold(text);
      if (folded === '' || seen.includes(folded)) return;
      seen.push(folded);
      const words = new Set(folded.split(' '));
      this.#entries.push(name);
      this.#entries.push(words.size);
      for (const word of words) this.#entries.push(this.#pool.enter(word));
    };
    for (let name = 0; name < place.names.length; name++) write(place.names[name]!.text, name);
    if (place.kind === 'poi') write(place.category.replaceAll('_', ' '), -1);
  }
}

/** Entries by rank of their words, ascending. */
function postingsOf(
  wordAt: Uint32Array,
  entryAt: Uint32Array,
  rankOf: Uint32Array,
  words: number,
  scratch: Scratch,
): Pick<Columns, 'firstPosting' | 'postings'> {
  const firstPosting = scratch.uint32('firstPosting', words + 1).fill(0);
  for (let i = 0; i < wordAt.length; i++) firstPosting[rankOf[wordAt[i]!]! + 1]!++;
  for (let rank = 0; rank < words; rank++) firstPosting[rank + 1]! += firstPosting[rank]!;
  const next = scratch.uint32('next posting', words + 1);
  next.set(firstPosting);
  const postings = scratch.uint32('postings', wordAt.length);
  for (let i = 0; i < wordAt.length; i++) postings[next[rankOf[wordAt[i]!]!]!++] = entryAt[i]!;
  return { firstPosting, postings };
}
