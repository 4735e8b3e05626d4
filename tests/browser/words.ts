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

/** Words that are right in Swedish or German, too. */
const shared = new Set(['Hotels', 'Hotel', 'Name', 'Status', 'r0001', 'K4W-7FM-2XR']);
const textsOf = (table: object): string[] =>
  Object.values(table).flatMap((value) =>
    typeof value === 'string' ? [value] : typeof value === 'object' ? textsOf(value as object) : [],
  );

/** Tells whether a line of a page in another language has a text of these English tables. */
export function englishIn(tables: readonly object[]): (line: string) => boolean {
  const english = tables
    .flatMap(textsOf)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !shared.has(text));
  return (line) => english.some((text) => line === text || (text.length > 12 && line.includes(text)));
}
