import type { Page } from 'playwright-core';

/** What no person should read. */
const raw = {
  'a UUID': /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/i,
  'a ULID': /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/,
  'a code': /\b[a-z]+_[a-z_]+\b/,
  'the id of a hotel or a type': /\b(?:h\d{5}|t\d{2})\b/,
  'a value of the program': /\b(?:undefined|null|NaN|\[object)\b/,
};

/** What people read and hear: the text, and names of controls and pictures. */
export const wordsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[
    ...document.body.innerText.split('\\n'),
    ...[...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((each) =>
      ['aria-label', 'placeholder', 'title'].map((name) => each.getAttribute(name) ?? '')),
    document.title,
  ].map((line) => line.trim()).filter((line) => line !== '')`);

/** Ids, codes and values of the program in a line, each with its kind. */
export const rawIn = (line: string): readonly string[] =>
  Object.entries(raw).flatMap(([what, pattern]) => (pattern.test(line) ? [`${what}: ${line}`] : []));
