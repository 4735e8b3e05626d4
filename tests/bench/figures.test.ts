import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chart } from '#bench/routing/chart.js';
import type { Engine, Round } from '#bench/routing/engine.js';
import { interleaved } from '#bench/routing/interleaved.js';
import type { Pair } from '#bench/routing/pairs.js';
import { lastResults } from '#bench/routing/results.js';
import { median, percentile } from '#bench/routing/statistics.js';
import { routingTables } from '#bench/routing/tables.js';

it('every engine gets the same pairs in each round, in rotating order', async () => {
  const log: string[] = [];
  const engine = (name: string, cpuS: number): Engine => ({
    name,
    round(pairs, _answer, repeat): Promise<Round> {
      log.push(`${name} ${pairs[0]![0]} ×${repeat}`);
      const answers = pairs.map(([lat]) => [lat, 1] as const);
      return Promise.resolve({ cpuS: cpuS * repeat, wallS: 0, answers, tookMs: [1] });
    },
    close: () => Promise.resolve(),
  });
  const pairs = Array.from({ length: 6 }, (_, i): Pair => [i, 0, 0, 0]);
  const series = await interleaved([engine('a', 5), engine('b', 0.25)], pairs, 3, 'times', () => undefined);
  expect(log.slice(-6)).toEqual(['a 0 ×1', 'b 0 ×2', 'b 2 ×2', 'a 2 ×1', 'a 4 ×1', 'b 4 ×2']);
  expect(series.get('a')?.perCpuSecond).toEqual([0.4, 0.4, 0.4]);
  expect(series.get('b')?.perCpuSecond).toEqual([8, 8, 8]);
  expect(series.get('b')?.answers.map((answer) => answer?.[0])).toEqual([0, 1, 2, 3, 4, 5]);
});

it('percentiles are values that occurred', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(percentile([1, 2, 3, 4], 0.99)).toBe(4);
});

it('the last line of a query counts, unless it lacks the other engines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-figures-'));
  const spread = (median: number) => ({ least: median, median, greatest: median });
  const line = (rate: number, peers: readonly string[]) =>
    JSON.stringify({
      question: 'routing-queries',
      area: 'malta',
      answer: 'times',
      engines: Object.fromEntries(
        ['meridian', ...peers].map((name) => [
          name,
          { perCpuSecond: spread(rate), oursOver: spread(1), p50Ms: 1, p99Ms: 2 },
        ]),
      ),
    });
  const peers = ['osrm-mld', 'valhalla'];
  writeFileSync(
    join(folder, 'results.ndjson'),
    [line(1_000, peers), line(2_000, peers), line(3_000, []), '{"question":"ingest-cpu"}'].join('\n'),
  );
  const results = lastResults(join(folder, 'results.ndjson'));
  rmSync(folder, { recursive: true });
  expect(results).toHaveLength(1);
  expect(routingTables(results)).toContain('| osrm-mld | – | – | – | 2,000 (ours × 1) | – |');
});

it('a chart places points on logarithmic axes and escapes names', () => {
  const svg = chart({
    title: 'a < b',
    xTitle: 'x',
    yTitle: 'y',
    lines: true,
    series: [
      {
        name: 'R&D',
        points: [
          { x: 10, y: 1 },
          { x: 100, y: 10 },
          { x: 1_000, y: 100 },
        ],
      },
    ],
  });
  expect(svg).toContain('a &lt; b');
  expect(svg).toContain('R&amp;D');
  const [[x1, y1], [x2, y2], [x3, y3]] = /points="([^"]+)"/
    .exec(svg)![1]!
    .split(' ')
    .map((point) => point.split(',').map(Number)) as [number[], number[], number[]];
  // Equal factors have equal distances.
  expect(x2! - x1!).toBeCloseTo(x3! - x2!, 0);
  expect(y1! - y2!).toBeCloseTo(y2! - y3!, 0);
  expect(x3).toBeGreaterThan(x1!);
  expect(y3).toBeLessThan(y1!);
});
