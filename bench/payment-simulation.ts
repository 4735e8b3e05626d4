import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { appendResult, spread } from './append-result.js';
import { plantedBugs } from './simulation/planted-bugs.js';
import type { CityReport } from './simulation/simulate-city.js';

/**
 * Does a simulated city hold, how much faster than time does it run, is one seed one story, and are bugs found that were put into the product
 * by hand? Each run is a process of its own. A bug counts as found when a city breaks that holds without it; it has `TRIES` seeds for that.
 */
const seeds = Number(process.env['SEEDS'] ?? 3);
const tries = Number(process.env['TRIES'] ?? 3);
const [hours, guests, buyers] = [
  Number(process.env['HOURS'] ?? 6),
  Number(process.env['GUESTS'] ?? 30),
  Number(process.env['BUYERS'] ?? 20),
];
/** A command that starts each run, for machines that are shared: `WRAP='nice -n 10'`. */
const wrap = process.env['WRAP']?.split(' ') ?? [];
const only = process.env['BUGS']?.split(',').map(Number);

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function run(seed: number, bug?: number): Promise<CityReport | { readonly broken: readonly string[] }> {
  const [command, ...before] = [...wrap, process.execPath];
  const child = spawn(
    command!,
    [
      ...before,
      '--import',
      file('simulation/plant-bug.js'),
      file('payment-simulate-one.js'),
      ...[seed, hours, guests, buyers].map(String),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...(bug === undefined ? {} : { PLANTED_BUG: String(bug) }) },
    },
  );
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  if (output === '') {
    if (bug === undefined || errors.includes('does not hold')) throw new Error(errors);
    return { broken: [`the city ended: ${errors.trim().split('\n').at(-1) ?? ''}`] };
  }
  return JSON.parse(output) as CityReport;
}

const clean: CityReport[] = [];
for (let seed = 1; seed <= seeds; seed += 1) {
  const report = (await run(seed)) as CityReport;
  if (report.broken.length > 0) throw new Error(`Seed ${seed} does not hold: ${report.broken.join('; ')}`);
  console.error(`seed ${seed}: holds, ${Math.round(report.virtualS / report.wallS)} times as fast as time`);
  clean.push(report);
}
const again = (await run(1)) as CityReport;
const found: { readonly bug: string; readonly seed: number | null; readonly by: string }[] = [];
for (const [number, { name }] of plantedBugs.entries()) {
  if (only !== undefined && !only.includes(number)) continue;
  let by: string | undefined;
  let seed = 0;
  while (by === undefined && seed < tries) {
    seed += 1;
    by = (await run(seed, number)).broken[0];
  }
  found.push({ bug: name, seed: by === undefined ? null : seed, by: by?.slice(0, 100) ?? 'not found' });
  console.error(`${number} ${name}: ${by === undefined ? 'NOT FOUND' : `seed ${seed}, ${by.slice(0, 100)}`}`);
}
const figures = {
  virtualHours: hours + 1,
  guests,
  buyers,
  timesWall: spread(clean.map(({ virtualS, wallS }) => virtualS / wallS)),
  oneSeedOneStory: again.digest === clean[0]!.digest,
  counts: clean.map(({ counts }) => counts),
  bugs: found.length,
  bugsFound: found.filter(({ seed }) => seed !== null).length,
  found,
};
if (only === undefined) appendResult('payment-simulation', figures);
console.log(JSON.stringify(figures, null, 2));
