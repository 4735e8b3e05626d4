import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';
import { type RunningPlatform, startPlatform } from '../main-job/running-platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const promtool = process.env['PROMTOOL'] ?? 'promtool';
/** CI installs it, and fails without it. */
const isChecked = process.env['CI'] !== undefined || spawnSync(promtool, ['--version']).status === 0;

interface Dashboard {
  readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>;
}

/** Names with an underscore that are not labels, functions or variables: all metrics of ours have one. */
function metricsOf(expression: string): string[] {
  const plain = expression
    .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, ' ')
    .replaceAll(/\bby \([^)]*\)/g, ' ');
  return (plain.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []).filter((name) => name !== 'histogram_quantile');
}

describe('dashboard and alert rules', () => {
  let data: string;
  let platform: RunningPlatform;
  let metrics = '';
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-dashboards-'));
    platform = await startPlatform(data, ['--drivers', '0']);
    // The groups measure their lag every two seconds, and the money is counted every half minute.
    await eventually(
      async () => {
        metrics = await (await fetch(`${platform.internalUrl}/metrics`)).text();
        for (const late of ['consumer_lag', 'ledger_imbalance', 'payments_overdue'])
          expect(metrics).toContain(late);
      },
      { deadlineMs: 120_000, everyMs: 500 },
    );
  });
  afterAll(async () => {
    await platform?.stop();
    await rm(data, { recursive: true, force: true });
  });

  const known = (): Set<string> => new Set(metrics.match(/^[a-z0-9_]+/gm));

  it('the dashboard names only metrics that the running platform has', async () => {
    const { panels } = JSON.parse(await read('deploy/grafana/meridian.json')) as Dashboard;
    const named = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr)));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known().has(name))).toEqual([]);
  });

  it('so do the rules, and each has its section of the runbook', async () => {
    const rules = await read('deploy/prometheus/rules.yml');
    const expressions = [...rules.matchAll(/expr: >-\n((?: {10}.*\n)+)/g)].map(([, text]) => text!);
    expect(expressions).toHaveLength(15);
    expect(expressions.flatMap(metricsOf).filter((name) => !known().has(name))).toEqual([]);
    const sections = [...(await read('docs/runbook.md')).matchAll(/^## (.+)$/gm)].map(([, title]) =>
      title!.toLowerCase().replaceAll(' ', '-'),
    );
    const linked = [...rules.matchAll(/runbook_url: 'docs\/runbook.md#([a-z-]+)'/g)].map(([, to]) => to!);
    expect(linked).toHaveLength(expressions.length);
    expect(linked.filter((to) => !sections.includes(to))).toEqual([]);
  });

  it('every bounded queue has its saturation', () => {
    const queues = [...metrics.matchAll(/^queue_limit\{queue="([^"]+)"\}/gm)].map(([, name]) => name);
    expect(queues.toSorted()).toEqual([
      'database connections',
      'internal requests',
      'log appends',
      'public requests',
      'route searches',
    ]);
  });

  it.skipIf(!isChecked)('promtool accepts the rules and the names of all metrics', () => {
    const check = (args: readonly string[], input = '') =>
      spawnSync(promtool, ['check', ...args], { cwd: root, input, encoding: 'utf8' });
    const lint = check(['metrics'], metrics);
    expect([lint.stderr, lint.status]).toEqual(['', 0]);
    expect(check(['rules', 'deploy/prometheus/rules.yml']).status).toBe(0);
  });
});
