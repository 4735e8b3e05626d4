import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, outcomes } from './classify.js';
import { readFeatureArchive } from './feature-archive.js';
import { type Counts, type Finding, judgeFeatures, totals, worse } from './judge-features.js';
import { openServedMaps, type ServedMaps } from './served-maps.js';

/**
 * OSRM's own scenarios, asked of the gateway. `npm run osrm-features` gets the archive, which is not a part
 * of this repository, and has the settings as options.
 */
const expectedCounts = new URL('expected-counts.json', import.meta.url);
const { FEATURES: part, FEATURES_REPORT: report, FEATURES_WRITE: write } = process.env;

type Row = Readonly<Record<Outcome, number>>;
const table = (rows: Iterable<readonly [string, Row]>): string =>
  [
    ['', ...outcomes].join('\t'),
    ...Array.from(rows, ([name, row]) => [name.padEnd(46), ...outcomes.map((each) => row[each])].join('\t')),
  ].join('\n');

let maps: ServedMaps;
beforeAll(async () => {
  maps = await openServedMaps();
});
afterAll(() => maps.close());

test('no file of OSRM agrees less than expected', async () => {
  const features = readFeatureArchive();
  const { counts, findings } = await judgeFeatures(features, maps, (file) => file.includes(part ?? ''));
  const rules = new Map<string, number>();
  for (const {
    rules: [first],
  } of findings)
    if (first !== undefined) rules.set(first, (rules.get(first) ?? 0) + 1);
  console.log(`${table(counts)}\n\n${table(totals(counts))}`);
  console.log([...rules].map(([id, rows]) => `${rows}\t${id}`).join('\n'));
  if (report !== undefined) writeFileSync(report, JSON.stringify(findings.filter(isDifferent), null, 1));
  if (write !== undefined) writeFileSync(expectedCounts, written(counts));
  const known = JSON.parse(readFileSync(expectedCounts, 'utf8')) as Record<string, number[]>;
  const expected = Object.entries(known)
    .filter(([file]) => file.includes(part ?? ''))
    .map(([file, numbers]) => [file, Object.fromEntries(outcomes.map((each, at) => [each, numbers[at]]))]);
  expect(worse(counts, new Map(expected as [string, Counts][]))).toEqual([]);
});

const isDifferent = ({ outcome }: Finding): boolean => outcome !== 'agree';

/** A line for each file, with the numbers in the order of `outcomes`. */
function written(counts: ReadonlyMap<string, Counts>): string {
  const lines = Array.from(counts, ([file, count]) => {
    const numbers = outcomes.map((each) => count[each]).join(', ');
    return `  "${file}": [${numbers}]`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
