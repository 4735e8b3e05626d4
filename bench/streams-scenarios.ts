import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scenarioNames } from '#simulated-city/scenarios.js';
import { appendResult } from './append-result.js';
import { poissonUpper95 } from './streams/statistics.js';

/**
 * How many open roads does the product list as closed in each scenario of the simulated city, and how many
 * busy closures does it find? One run of `streams city` for each scenario and seed, one after another.
 */
const names = process.env['SCENARIOS']?.split(',') ?? scenarioNames;
const seeds = (process.env['SEEDS'] ?? '1,2,3').split(',');

/** What `streams city` prints, the part that is summed up here. */
interface CityFigures {
  readonly edgeDays: number;
  readonly hidden: number;
  readonly hiddenFound: number;
  readonly falseClosures: readonly object[];
  readonly busy: { readonly closures: number; readonly found: number; readonly foundWithin5Min: number };
  readonly cpuS: number;
}

async function runOf(scenario: string, seed: string): Promise<CityFigures> {
  const script = fileURLToPath(new URL('./streams-city.js', import.meta.url));
  const env = { ...process.env, SCENARIO: scenario, SEED: seed, APPEND: '0' };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env, maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as CityFigures;
}

const rows = [];
for (const scenario of names) {
  const runs: CityFigures[] = [];
  for (const seed of seeds) runs.push(await runOf(scenario, seed));
  const sum = (of: (run: CityFigures) => number): number => runs.reduce((all, run) => all + of(run), 0);
  const edgeDays = sum((run) => run.edgeDays);
  const wrong = sum(({ falseClosures }) => falseClosures.length);
  const row = {
    scenario,
    edgeDays: Math.round(edgeDays),
    false: wrong,
    falsePer1000EdgeDaysMax95: Number(((1_000 * poissonUpper95(wrong)) / edgeDays).toFixed(2)),
    hidden: sum(({ hidden }) => hidden),
    found: sum(({ hiddenFound }) => hiddenFound),
    busy: sum(({ busy }) => busy.closures),
    busyFound: sum(({ busy }) => busy.found),
    busyInTime: sum(({ busy }) => busy.foundWithin5Min),
    cpuS: Math.round(sum(({ cpuS }) => cpuS)),
    falseClosures: runs.flatMap(({ falseClosures }) => falseClosures),
  };
  rows.push(row);
  console.error(JSON.stringify(row));
}
console.log(JSON.stringify({ seeds, rows }, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-scenarios', { seeds, rows });
