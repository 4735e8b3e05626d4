import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantedBugs } from '#bench/simulation/planted-bugs.js';
import type { CityReport } from '#bench/simulation/simulate-city.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';

// The hooks that plant bugs are compiled files.
const { spawnCity } = (await import(
  new URL('../../dist/bench/simulation/spawn-city.js', import.meta.url).href
)) as typeof import('#bench/simulation/spawn-city.js');

let server: Sql;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-simulation-'));
  server = await openSql(`embedded:${join(folder, 'sql')}`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const city = (seed: number, bug?: number) =>
  spawnCity({ seed, hours: 1, guests: 5, buyers: 6, database: join(folder, 'sql') }, bug);

describe('a city of guests and buyers under one seed', () => {
  it('P-122, P-129, I1, I2, I3, I4, I7, I9, I11: stays correct through faults and replays', async () => {
    const first = (await city(1)) as CityReport;
    expect(first.broken).toEqual([]);
    expect(first.counts['kills']).toBeGreaterThan(0);
    expect(((await city(1)) as CityReport).digest).toBe(first.digest);
  });

  it('has a place in the code for every bug that is planted by hand', () => {
    const lost = plantedBugs.filter(({ file, from }) => {
      const code = readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8');
      return !code.includes(from);
    });
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    'a captured order is captured again by every webhook',
    'the wallet does not wait for the ledger',
    'an order of a dead process is never resolved',
  ])('fails when %s', async (name) => {
    const bug = plantedBugs.findIndex((planted) => planted.name === name);
    // Each change of the product changes the story of a seed, so a bug has a few seeds to show itself.
    for (const seed of [1, 2, 3]) if ((await city(seed, bug)).broken.length > 0) return;
    throw new Error('No seed detected the bug.');
  });
});
