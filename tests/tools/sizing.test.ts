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

const factors: Readonly<Record<string, number>> = {
  ...{ µs: 1e-6, ms: 1e-3, s: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
};
/** Of a figure with a unit that the table of costs uses; without one it is itself. */
function inUnits(figure: string): number {
  const [, number = '', unit = ''] = /^([\d,.]+)\s*(\S*)/.exec(figure) ?? [];
  return Number(number.replaceAll(',', '')) * (factors[unit.replace('/s', '')] ?? 1);
}
const computed = (arithmetic: string): number =>
  arithmetic
    .split(/ (?=[×÷])/)
    .reduce(
      (value, part) =>
        part.startsWith('×')
          ? value * inUnits(part.slice(2))
          : part.startsWith('÷')
            ? value / inUnits(part.slice(2))
            : inUnits(part),
      0,
    );

it('the arithmetic of docs/sizing.md is right, and its costs are those of the first table', () => {
  const [costs = '', paper = ''] = text('docs/sizing.md').split('## On paper');
  const lines = [...paper.matchAll(/^\| ([^|]+) \| ([^|]*[×÷][^|]*) \| ([\d,.]+ [^|]*) \| ([^|]*)\|$/gm)];
  expect(lines.length).toBeGreaterThan(7);
  for (const [, what, arithmetic = '', result = '', source = ''] of lines) {
    expect(inUnits(result) / computed(arithmetic), what).toBeCloseTo(1, 2);
    const [, count, time] = /÷ ([\d,.]+)$|× ([\d,.]+ (?:µs|ms))/.exec(arithmetic) ?? [];
    const cost = count ?? time;
    if (cost !== undefined && source.trim() === '') expect(costs, what).toContain(` ${cost} `);
  }
  const [http, store, matching] = lines.map(([, , arithmetic = '']) => computed(arithmetic));
  expect(computed(lines[3]![2]!) / 2 / (http! + store! + matching!)).toBeCloseTo(1, 3);
});

it('control: wrong arithmetic is found', () => {
  expect(computed('10,000,000 × 6.96 µs')).toBeCloseTo(69.6, 9);
  expect(computed('1,000 ÷ 4 × 2 MB')).toBe(5e8);
  expect(inUnits('463 MB/s')).toBe(4.63e8);
});
