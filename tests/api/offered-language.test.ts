import { expect, test } from 'vitest';
import { offeredLanguage } from '#api/http/offered-language.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';

const offered = (asked: string) => offeredLanguage(asked, guidanceLanguages);

test('every language of guidance is offered under its own tag, in any case and with `_`', () => {
  for (const language of guidanceLanguages)
    for (const asked of [
      language,
      language.toUpperCase(),
      language.toLowerCase(),
      language.replace('-', '_'),
    ])
      expect(offered(asked), asked).toBe(language);
});

test.each([
  ['en-GB', 'en'],
  ['de-AT', 'de'],
  ['de-DE-1996-u-co-phonebk', 'de'],
  ['de-x-private', 'de'],
  ['es-MX', 'es'],
  ['nb-NO', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['pt', 'pt-BR'],
  ['pt-AO', 'pt-PT'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-Hans-SG', 'zh-Hans'],
])('%s is served as %s', (asked, language) => {
  expect(offered(asked)).toBe(language);
});

// Readers of traditional characters do not have to read simplified ones.
test.each(['zh-TW', 'zh-Hant', 'tlh', 'a', '', '*', 'en-', '__proto__', 'constructor', '-', 'de DE'])(
  '%j is not offered',
  (asked) => {
    expect(offered(asked)).toBeUndefined();
  },
);
