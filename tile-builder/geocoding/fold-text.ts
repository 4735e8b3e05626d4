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

/** Lower case without accents, so that `Ħaż-Żebbuġ` and `haz zebbug` are the same words. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => plain[letter]);

/** Folded words of letters and digits, in order. An apostrophe parts words, as a hyphen does. */
export const wordsOf = (text: string): string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, limits.wordLengthMax));
