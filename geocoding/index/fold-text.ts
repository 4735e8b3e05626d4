import { limits } from './limits.js';

/** Letters without a Unicode decomposition that people type without their mark. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};

const beyondAscii = /\P{ASCII}/u;

/** Lower case without accents, so that `Ħaż-Żebbuġ` and `haz zebbug` are the same words. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => plain[letter]);
}

/** Folded words of letters and digits, in order. An apostrophe separates words, like a hyphen. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  const words = beyondAscii.test(folded) ? (folded.match(/[\p{L}\p{N}]+/gu) ?? []) : asciiWordsOf(folded);
  return words.map((word) =>
    word.length > limits.wordLengthMax ? word.slice(0, limits.wordLengthMax) : word,
  );
}

/** Fast path for runs of `a`–`z` and digits, which most names are. */
function asciiWordsOf(folded: string): string[] {
  const words: string[] = [];
  let from = -1;
  for (let i = 0; i <= folded.length; i++) {
    const unit = i < folded.length ? folded.charCodeAt(i) : 0;
    const isLetter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
    if (isLetter && from < 0) from = i;
    else if (!isLetter && from >= 0) {
      words.push(folded.slice(from, i));
      from = -1;
    }
  }
  return words;
}
