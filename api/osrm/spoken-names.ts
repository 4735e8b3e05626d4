import type { LegStep } from '#routing-engine/tasks/found-leg.js';

/** Begin a name, divide it from its pronunciation and end that; private characters, in no name of a map. */
const [begin, middle, end] = ['\uE000', '\uE001', '\uE002'];
const marks = /[\uE000-\uE002]/g;
const marked = /\uE000([^\uE000-\uE002]*)\uE001([^\uE000-\uE002]*)\uE002/g;

/** Letters of the alphabet, of the IPA and its signs; not one letter of another script, figure or mark. */
const ipa = /^(?:[a-zæçðøħŋœβθχ\u0250-\u02ff.|‖‿ ↗↘]|\p{M})+$/u;
/** A letter that ordinary spellings do not have. */
const onlyIpa = /[ðŋβθχ\u0250-\u02ff]/u;

/**
 * The phonemes of a pronunciation of the map, in the International Phonetic Alphabet: between slashes or
 * brackets, or with letters of that alphabet. Undefined for others, such as `hew-stun`.
 */
export function phonemesOf(pronunciation: string): string | undefined {
  const text = pronunciation.normalize('NFC').trim();
  const bare = /^(?:\/(.+)\/|\[(.+)\])$/.exec(text);
  const phonemes = (bare?.[1] ?? bare?.[2] ?? text).trim();
  if (!ipa.test(phonemes)) return undefined;
  return bare !== null || onlyIpa.test(phonemes) ? phonemes : undefined;
}

/** The instruction of a step, in which its name is marked if there are phonemes for it. */
export function withMarkedName({ instruction, name, pronunciation }: LegStep): string {
  const phonemes = pronunciation === '' || name === '' ? undefined : phonemesOf(pronunciation);
  const text = instruction.replaceAll(marks, '');
  const at = phonemes === undefined ? -1 : wordAt(text, name);
  if (at < 0) return text;
  const after = at + name.length;
  return `${text.slice(0, at)}${begin}${name}${middle}${phonemes}${end}${text.slice(after)}`;
}

/** Where words stand last in a text, not as a part of a longer word; -1 for nowhere. */
function wordAt(text: string, words: string): number {
  const isLetter = (character: string | undefined): boolean => /[\p{L}\p{M}\p{N}]/u.test(character ?? '');
  let at = text.lastIndexOf(words);
  while (at > 0 && isLetter(text[at - 1])) at = text.lastIndexOf(words, at - 1);
  return at >= 0 && isLetter(text[at + words.length]) ? -1 : at;
}

/** As people read it. */
export const asText = (text: string): string => text.replaceAll(marked, '$1');

/** As speech is synthesized from it (SSML 1.1): phonemes instead of names that have some. */
export const asSsml = (text: string): string =>
  `<speak>${escaped(text).replaceAll(marked, '<phoneme alphabet="ipa" ph="$2">$1</phoneme>')}</speak>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);
