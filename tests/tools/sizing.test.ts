import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
type Result = Readonly<Record<string, unknown>> & { readonly question: string };
const results = text('bench/results.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Result);

/** Of all runs that measured it. Source: `question: path.of.the.field`. */
function figuresOf(source: string): unknown[] {
  const [question = '', path = ''] = source.split(': ');
  return results
    .filter((result) => result.question === question)
    .map((result) =>
      path.split('.').reduce<unknown>((value, name) => (value as Result | undefined)?.[name], result),
    );
}

it('each cost in docs/sizing.md is a figure that the named command measured', () => {
  const rows = [
    ...text('docs/sizing.md').matchAll(
      /^\| [^|]+ \| ([\d,.]+) [^|]*\| `npx (meridian bench [^`]+)` \| `([^`]+)` \|$/gm,
    ),
  ];
  expect(rows.length).toBeGreaterThan(12);
  for (const [, figure = '', , source = ''] of rows)
    expect([source, figuresOf(source)]).toEqual([
      source,
      expect.arrayContaining([Number(figure.replaceAll(',', ''))]),
    ]);
  const table = text('docs/sizing.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('meridian bench'));
  expect(table).toHaveLength(rows.length);
});
