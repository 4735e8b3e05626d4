import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadedPages, states, testedPages } from '../browser/page-states.js';

const generic = 'tests/browser/page-states.test.ts';
const linkTo = (file: string): string => `[test](../${file})`;
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const groups = { guest: 'stay', buyer: 'payment', desk: 'desk', finance: 'finance' } as const;

const table = [
  row('page', ...states),
  row(...['page', ...states].map(() => '---')),
  ...testedPages.map(({ page, states: shown }) =>
    row(
      page,
      ...states.map((state) => {
        const cell = shown[state];
        return typeof cell === 'string' ? `none: ${cell}` : linkTo(cell[0]);
      }),
    ),
  ),
  ...loadedPages.map(({ page, of, empty, denied }) => {
    const test = linkTo(generic);
    return row(
      `${groups[of]}: ${page}`,
      ...[test, typeof empty === 'string' ? `none: ${empty}` : test, test, test, test],
      typeof denied === 'string' ? `none: ${denied}` : test,
    );
  }),
];

const text = `# Visible states of the pages

What each page shows while it loads, when there is nothing yet, after a failure, without a network, while the
server is busy, and to somebody without access; with the test of each. From \`tests/browser/page-states.ts\`:
\`npx vitest run tests/web/page-states -u\` writes this table.

- **loading**: grey lines in place of what is coming, with a text for those who do not see them.
- **error**: one sentence, and a button that asks again unless the server would refuse again.
- **offline**: a line below the head, and the sentence where something is missing; it loads by itself later.
- **busy**: a line below the head while the page waits as long as the server asked, then asks again.
- **denied**: who may see it. Nothing of the content, and no button that cannot help.

${table.join('\n')}
`;

it('the table of visible states is that of the tests', async () => {
  await expect(text).toMatchFileSnapshot('../../docs/page-states.md');
});

it('every test that the table names exists', () => {
  const missing = testedPages.flatMap(({ page, states: shown }) =>
    Object.values(shown).flatMap((cell) => {
      if (typeof cell === 'string') return [];
      const [file, title] = cell;
      return readFileSync(file, 'utf8').includes(`it('${title}'`) ? [] : [`${page}: ${title}`];
    }),
  );
  expect(missing).toEqual([]);
});
