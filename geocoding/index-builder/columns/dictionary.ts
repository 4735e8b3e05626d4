import type { Scratch } from '#map-data/arrays/scratch.js';
import type { IndexColumns } from '../../index/index-file.js';
import type { TextPool } from './text-pool.js';

interface DictionaryColumns extends Pick<IndexColumns, 'wordFirst' | 'wordChars' | 'wordShared'> {
  /** By id of a word: its index in the dictionary. */
  readonly rankOf: Uint32Array;
}

/** Words sorted by code units: existing ones keep their order, and new ones are inserted. */
export class Dictionary {
  readonly #pool: TextPool;
  /** Ids and their previous words. */
  #ids: readonly number[] = [];
  #words: readonly string[] = [];

  constructor(pool: TextPool) {
    this.#pool = pool;
  }

  /** `used`: the ids of all words, each once. */
  of(used: readonly number[], scratch: Scratch): DictionaryColumns {
    let highest = 0;
    for (let i = 0; i < used.length; i++) highest = Math.max(highest, used[i]!);
    const rankOf = scratch.uint32('rank of words', highest + 1).fill(0);
    this.#merge(used, rankOf);
    const words = this.#words;
    for (let rank = 0; rank < words.length; rank++) rankOf[this.#ids[rank]!] = rank;
    return { ...columnsOf(words, scratch), rankOf };
  }

  /** `known`: working memory, 0 for each id. */
  #merge(used: readonly number[], known: Uint32Array): void {
    const pool = this.#pool;
    const [idsBefore, before] = [this.#ids, this.#words];
    for (let rank = 0; rank < before.length; rank++) {
      const id = idsBefore[rank]!;
      if (id < known.length && pool.isUsed(id)) known[id] = 1;
    }
    const came = used.filter((id) => known[id] === 0).sort((a, b) => (pool.text(a) < pool.text(b) ? -1 : 1));
    const ids: number[] = [];
    const words: string[] = [];
    let rank = 0;
    const keepTo = (end: number): void => {
      for (; rank < end; rank++) {
        const id = idsBefore[rank]!;
        if (known[id] !== 1) continue;
        ids.push(id);
        words.push(before[rank]!);
      }
    };
    for (const id of came) {
      const word = pool.text(id);
      keepTo(rankIn(before, word, rank));
      ids.push(id);
      words.push(word);
    }
    keepTo(before.length);
    [this.#ids, this.#words] = [ids, words];
  }
}

/** Index of the first word, from `from` on, that is not less. */
function rankIn(words: readonly string[], wanted: string, from: number): number {
  let low = from;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function columnsOf(words: readonly string[], scratch: Scratch): Omit<DictionaryColumns, 'rankOf'> {
  const wordFirst = scratch.uint32('wordFirst', words.length + 1).fill(0, 0, 1);
  const wordShared = scratch.uint8('wordShared', words.length);
  let chars = 0;
  for (const { length } of words) chars += length;
  const wordChars = scratch.uint16('wordChars', chars);
  let at = 0;
  let before = 0;
  for (let rank = 0; rank < words.length; rank++) {
    const word = words[rank]!;
    for (let i = 0; i < word.length; i++) wordChars[at + i] = word.charCodeAt(i);
    const most = Math.min(word.length, at - before);
    let shared = 0;
    while (shared < most && wordChars[at + shared] === wordChars[before + shared]) shared++;
    wordShared[rank] = shared;
    before = at;
    at += word.length;
    wordFirst[rank + 1] = at;
  }
  return { wordFirst, wordChars, wordShared };
}
