import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const folder = 'docs/specification';
const states = ['met', 'differs', 'partial', 'missing'] as const;

/** State of each row of acceptance, by its id. */
const accepted = new Map(
  [...read('docs/acceptance.md').matchAll(/^\| ([MHPF]-?\d+) \| .*? \| ([a-z][a-z ]+) \| /gm)].map(
    ([, id, state]) => [id!, state!],
  ),
);
const idsOf = (text: string): readonly string[] => text.match(/\b[MHP]-\d+\b|\bF\d+\b/g) ?? [];
const isShown = (id: string): boolean => ['proven', 'scaled down'].includes(accepted.get(id) ?? '');
const chapters = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

interface Row {
  readonly asks: string;
  readonly where: string;
  readonly shown: string;
  readonly state: string;
}

/** The rows of all tables; of one that has not four cells the rest is empty, which no check accepts. */
const rowsOf = (text: string): readonly Row[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|( asks |---)/.test(line))
    .map((line) => {
      const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim());
      const [asks = '', where = '', shown = '', state = ''] = cells.length === 4 ? cells : [line];
      return { asks, where, shown, state };
    });

const linksOf = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target!);

/** Files and rows of acceptance that are named and do not exist, with the row that names them. */
function wrongNames(file: string, rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ asks, where, shown }) => {
    const files = linksOf(where + shown).filter((to) => !existsSync(join(root, dirname(file), to)));
    const ids = idsOf(shown).filter((id) => !accepted.has(id));
    return [...files, ...ids].map((name) => `${asks}: ${name}`);
  });
}

describe('docs/specification', () => {
  it('has a table in each chapter, and the index links to every chapter', () => {
    expect(chapters).toHaveLength(3);
    for (const file of chapters) expect(rowsOf(read(file)).length).toBeGreaterThan(40);
    const linked = linksOf(read('docs/specification.md')).map((to) => join('docs', to));
    expect(linked).toEqual(expect.arrayContaining(chapters));
  });

  it.each(chapters)('%s: every row says where, how it is shown or why it differs, and its state', (file) => {
    const unfinished = rowsOf(read(file)).filter(
      ({ asks, where, shown, state }) =>
        asks === '' || linksOf(where).length === 0 || shown === '' || !states.some((one) => one === state),
    );
    expect(unfinished).toEqual([]);
  });

  it.each(chapters)('%s: what is met is shown by a proven row of acceptance, a test or a bench', (file) => {
    const bare = rowsOf(read(file)).filter(
      ({ shown, state }) =>
        state === 'met' && !idsOf(shown).some(isShown) && !/\]\([./]*(tests|bench)\//.test(shown),
    );
    expect(bare).toEqual([]);
  });

  it.each(chapters)('%s: files, decisions and rows of acceptance exist', (file) => {
    expect(wrongNames(file, rowsOf(read(file)))).toEqual([]);
  });

  it('control: what does not exist is found', () => {
    const rows = rowsOf(
      '| asks | where | shown | state |\n|---|---|---|---|\n' +
        '| a route | [a.ts](../../api/no-such-file.ts) | M-020, M-999, [ADR](../adr/0000-none.md) | met |',
    );
    expect(wrongNames(`${folder}/x.md`, rows)).toEqual([
      'a route: ../../api/no-such-file.ts',
      'a route: ../adr/0000-none.md',
      'a route: M-999',
    ]);
    expect(rowsOf('| a route | met |')[0]).toEqual({
      asks: '| a route | met |',
      where: '',
      shown: '',
      state: '',
    });
  });

  it('the index has the numbers of the tables', () => {
    const index = read('docs/specification.md');
    for (const file of chapters) {
      const rows = rowsOf(read(file));
      const counts = states.map((state) => rows.filter((row) => row.state === state).length);
      const link = file.replace('docs/', '');
      const line = index.split('\n').find((text) => text.includes(`(${link})`));
      expect(line).toBe(`${line?.split(' | ')[0]} | ${counts.join(' | ')} |`);
    }
  });
});
