import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type PlantedBug, plantedBugs } from './planted-bugs.js';
import type { CityOptions, CityReport } from './simulate-city.js';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** A command that starts each run, for machines that are shared: `WRAP='nice -n 10'`. */
const wrap = process.env['WRAP']?.split(' ') ?? [];

/** Runs a city of guests and buyers in a process of its own, with the bug of that number if it is given. */
export const spawnCity = (
  options: CityOptions,
  bug?: number,
): Promise<CityReport | Pick<CityReport, 'broken'>> =>
  spawnSimulation<CityReport>(
    'payment-simulate-one.js',
    options,
    bug === undefined ? undefined : plantedBugs[bug],
  );

/**
 * Runs a simulation in a process of its own; `program`, below `bench/`, prints its report. A run that a
 * planted bug ends counts as broken. Rejects when a run ends without a bug, or when the place of the bug in
 * the code no longer exists: both are mistakes of the bench.
 */
export async function spawnSimulation<Report extends { readonly broken: readonly unknown[] }>(
  program: string,
  options: object,
  bug?: PlantedBug,
): Promise<Report | { readonly broken: readonly string[] }> {
  const [command, ...before] = [...wrap, process.execPath];
  const files = ['--import', file('plant-bug.js'), file(`../${program}`)];
  const child = spawn(command!, [...before, ...files, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...(bug === undefined ? {} : { PLANTED_BUG: JSON.stringify(bug) }),
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await once(child, 'close');
  if (output !== '') return JSON.parse(output) as Report;
  if (bug === undefined || errors.includes('does not hold')) throw new Error(errors);
  return { broken: [`the run ended: ${errors.trim().split('\n').at(-1) ?? ''}`] };
}
