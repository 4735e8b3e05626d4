import { wordsOf } from '../index/fold-text.js';

/** Languages in which people write the country of an address, beside its own. */
const languages = 'ar ca cs da de en es fi fr he hu id it ja ko nb nl pl pt ro ru sv tr uk vi zh'.split(' ');

const kept = new Map<string, ReadonlySet<string>>();

/**
 * Folded words for a country in addresses: `germany`, `deutschland`, `de`. `code` is of ISO 3166-1, two
 * letters.
 */
export function countryWords(code: string): ReadonlySet<string> {
  let words = kept.get(code);
  if (words === undefined) {
    words = new Set(namesOf(code).flatMap(wordsOf));
    kept.set(code, words);
  }
  return words;
}

function namesOf(code: string): string[] {
  if (code === '') return [];
  try {
    const own = new Intl.Locale(`und-${code}`).maximize().language;
    const named = [...languages, own].flatMap((language) =>
      (['long', 'short'] as const).map((style) =>
        new Intl.DisplayNames([language], { type: 'region', style }).of(code),
      ),
    );
    return [code, ...named.filter((name) => name !== undefined)];
  } catch {
    // The code is from the map and not in the standard.
    return [code];
  }
}
