import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { areas } from './routing/areas.js';
import { type ChartSeries, chart } from './routing/chart.js';
import { type BuildResult, lastResults, type QueriesResult, type UpdatesResult } from './routing/results.js';
import { routingTables } from './routing/tables.js';

/**
 * Draws the last figures of `bench/results.ndjson` and writes them into `docs/performance/routing.md`. Run it
 * in the checkout.
 */
const images = 'docs/images';
const page = 'docs/performance/routing.md';
const results = lastResults('bench/results.ndjson');
const queries = results.filter((each): each is QueriesResult => each.question === 'routing-queries');
const updates = results.filter((each): each is UpdatesResult => each.question === 'routing-updates');
const builds = results.filter((each): each is BuildResult => each.question === 'routing-build');

/** Driving edges of each area: the size of the map. Known from runs that changed a share of them. */
const sizes = new Map(updates.map(({ area, edges, share }) => [area, Math.round((edges * 100) / share)]));
const xTitle = 'directed road edges (monaco, goteborg, heidelberg, malta, ny)';
const engines = ['meridian', 'osrm-mld', 'osrm-ch', 'valhalla', 'graphhopper-ch', 'graphhopper-lm'];

mkdirSync(images, { recursive: true });
for (const [answer, words] of [
  ['times', 'distance and time'],
  ['full', 'with geometry and instructions'],
] as const)
  write(`routing-queries-${answer}`, {
    title: `Routes per CPU-second, ${words}`,
    yTitle: 'routes per CPU-second',
    lines: true,
    series: overAreas(engines, (area, name) => {
      const result = queries.find((each) => each.area === area && each.answer === answer);
      return result?.engines[name]?.perCpuSecond.median;
    }),
  });
write('routing-updates', {
  title: 'From 1 % of all speeds known (clustered) to the first answer',
  yTitle: 'CPU milliseconds',
  lines: true,
  series: overAreas(engines, (area, name) => {
    const cpuS = updateOf(area)?.[name as 'meridian' | 'osrm-mld' | 'valhalla']?.cpuS.median;
    return cpuS === undefined ? undefined : 1_000 * cpuS;
  }),
});
for (const [what, words, pick] of [
  ['cpu', 'Build: CPU seconds from the extract', (figures) => figures.cpuS.median],
  ['memory', 'Build: peak memory, MiB', (figures) => figures.peakMib.median],
  ['bytes', 'Built: MB on disk', (figures) => figures.bytes / 1e6],
] as const satisfies [string, string, (figures: BuildResult['engines'][string]) => number][])
  write(`routing-build-${what}`, {
    title: words,
    yTitle: words.split(': ')[1]!,
    lines: true,
    series: overAreas(['meridian', 'osrm-mld', 'osrm-ch', 'valhalla', 'graphhopper'], (area, name) => {
      const figures = builds.find((each) => each.area === area)?.engines[name];
      return figures === undefined ? undefined : pick(figures);
    }),
  });
drawBothAxes();

const text = readFileSync(page, 'utf8');
const [before, rest] = text.split('<!-- figures -->\n');
const after = rest?.split('<!-- end of figures -->')[1];
if (after === undefined) throw new Error(`${page} has no place marked for the figures.`);
writeFileSync(page, `${before}<!-- figures -->\n${routingTables(results)}<!-- end of figures -->${after}`);

function updateOf(area: string): UpdatesResult | undefined {
  return updates.find((each) => each.area === area && each.share === 1 && each.pattern === 'clustered');
}

/**
 * One line an engine, one point an area. An engine that was not measured keeps its place, and with it the
 * others their colours.
 */
function overAreas(
  names: readonly string[],
  figure: (area: string, name: string) => number | undefined,
): ChartSeries[] {
  return names.map((name) => {
    const points = areas.flatMap((area) => {
      const [x, y] = [sizes.get(area), figure(area, name)];
      return x === undefined || y === undefined ? [] : [{ x, y }];
    });
    points.sort((a, b) => a.x - b.x);
    return { name, points };
  });
}

/** Both axes of live traffic: how soon an answer knows, and how long answers take. Low and left is good. */
function drawBothAxes(): void {
  const series = engines.map((name): ChartSeries => {
    const points = (['heidelberg', 'malta', 'ny'] as const).flatMap((area) => {
      const cpuS = updateOf(area)?.[name as 'meridian' | 'osrm-mld' | 'valhalla']?.cpuS.median;
      const asked = queries.find((each) => each.area === area && each.answer === 'times');
      const p99 = asked?.engines[name]?.p99Ms;
      return cpuS === undefined || p99 === undefined ? [] : [{ x: 1_000 * cpuS, y: p99, label: area }];
    });
    return { name, points };
  });
  write('routing-both-axes', {
    title: 'Fast to update and fast to ask (low and left is good)',
    xTitle: 'CPU ms from 1 % of speeds known to the first answer',
    yTitle: 'p99 of a query, ms',
    lines: true,
    series,
  });
}

function write(
  name: string,
  options: Omit<Parameters<typeof chart>[0], 'xTitle'> & { xTitle?: string },
): void {
  if (options.series.every(({ points }) => points.length === 0)) return;
  writeFileSync(`${images}/${name}.svg`, chart({ xTitle, ...options }));
  console.log(`${images}/${name}.svg`);
}
