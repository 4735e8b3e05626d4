import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RouteTable } from '#platform/http/server/route-table.js';

const templates = [
  '/v1/tiles/{z}/{x}/{y}.mvt',
  '/v1/tiles/{z}/{x}/{y}.png',
  '/v1/tiles/{map}/{z}/{x}/{y}.mvt',
  '/v1/tiles/{address}.mvt',
  '/v1/tiles/v{address}.png',
  '/v1/hotels/{id}',
  '/v1/hotels/{id}/rooms',
  '/v1/hotels/{id}/rooms/{roomId}',
];
const table = new RouteTable<string>();
for (const path of templates) table.add('GET', path, path);

/** The same as plain regular expressions. */
function oracle(path: string): { template: string; values: string[] } | undefined {
  for (const template of templates) {
    const source = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+?)');
    const found = new RegExp(`^${source}$`).exec(path);
    if (found !== null) return { template, values: found.slice(1) };
  }
  return undefined;
}

const part = fc.constantFrom(
  'v1',
  'tiles',
  'hotels',
  'rooms',
  '1',
  '.mvt',
  'a.mvt',
  'v7.png',
  '.png',
  'v.png',
  'é',
  '',
  '..',
  '{z}',
);

test('a path finds the template that a plain regular expression finds, with the same values', () => {
  const from = fc.oneof(
    fc.array(part, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`),
    fc.tuple(fc.constantFrom(...templates), part).map(([path, value]) => path.replaceAll(/\{\w+\}/g, value)),
    fc.tuple(fc.constantFrom(...templates), part).map(([path, value]) => path.replace('/', value)),
  );
  fc.assert(
    fc.property(from, (path) => {
      const match = table.find('GET', path);
      const wanted = oracle(path);
      if (match?.found !== true) expect(wanted).toBeUndefined();
      else expect({ template: match.entry, values: Object.values(match.params ?? {}) }).toEqual(wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('decodes escapes in values, and rejects a path with a broken one', () => {
  const match = table.find('GET', '/v1/hotels/a%2Fb');
  expect(match).toMatchObject({ found: true, params: { id: 'a/b' } });
  expect(table.find('GET', '/v1/hotels/%E0%A4%A')).toBeUndefined();
});

test('rejects one path with two parameter names, or two parameters in one segment', () => {
  expect(() => table.add('PUT', '/v1/hotels/{hotel}', 'x')).toThrow(/in two ways/);
  expect(() => table.add('GET', '/v1/{a}-{b}', 'x')).toThrow(/one parameter/);
});
