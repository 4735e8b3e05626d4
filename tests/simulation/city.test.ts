import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plantedBugs } from '#bench/simulation/planted-bugs.js';
import type { CityReport } from '#bench/simulation/simulate-city.js';

const compiled = (name: string) => fileURLToPath(new URL(`../../dist/bench/${name}`, import.meta.url));

/** A small city in a process of its own, as `meridian bench payment simulation` runs many. */
async function city(seed: number, bug?: string): Promise<CityReport> {
  const number = plantedBugs.findIndex(({ name }) => name === bug);
  const files = [compiled('simulation/plant-bug.js'), compiled('payment-simulate-one.js')];
  const child = spawn(process.execPath, ['--import', ...files, String(seed), '1', '5', '4'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...(number === -1 ? {} : { PLANTED_BUG: String(number) }) },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(output) as CityReport;
}

describe('a city of guests and buyers under one seed', { timeout: 120_000 }, () => {
  it('P-122, P-129, I1, I2, I3, I4, I7, I9, I11: holds through kills, lost replies and webhooks, and is one story each time', async () => {
    const first = await city(1);
    expect(first.broken).toEqual([]);
    expect(first.counts['kills']).toBeGreaterThan(0);
    expect((await city(1)).digest).toBe(first.digest);
  });

  it('a bug that is planted by hand breaks it', async () => {
    expect((await city(1, 'a captured order is captured again by every webhook')).broken).not.toEqual([]);
  });
});
