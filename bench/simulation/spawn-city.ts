import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CityOptions, CityReport } from './simulate-city.js';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** A command that starts each run, for machines that are shared: `WRAP='nice -n 10'`. */
const wrap = process.env['WRAP']?.split(' ') ?? [];

/**
 * Runs a city in a process of its own, with a bug of `planted-bugs` if its number is given. A city that a bug
 * ends counts as broken. Rejects when a city ends without a bug, or when the place of the bug in the code no
 * longer exists: both are mistakes of the bench.
 */
export async function spawnCity(
  options: CityOptions,
  bug?: number,
): Promise<CityReport | Pick<CityReport, 'broken'>> {
  const [command, ...before] = [...wrap, process.execPath];
  const files = ['--import', file('plant-bug.js'), file('../payment-simulate-one.js')];
  const child = spawn(command!, [...before, ...files, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...(bug === undefined ? {} : { PLANTED_BUG: String(bug) }) },
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
  if (output !== '') return JSON.parse(output) as CityReport;
  if (bug === undefined || errors.includes('does not hold')) throw new Error(errors);
  return { broken: [`the city ended: ${errors.trim().split('\n').at(-1) ?? ''}`] };
}
