import { limits } from './limits.js';

/** Letters that decompose into nothing simpler but are typed without their mark. */
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

/** Folded words of letters and digits, in order. An apostrophe parts words, as a hyphen does. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  const words = folded.match(beyondAscii.test(folded) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return words.map((word) =>
    word.length > limits.wordLengthMax ? word.slice(0, limits.wordLengthMax) : word,
  );
}
