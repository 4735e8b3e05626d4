import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSql } from '#platform/sql/open-sql.js';
import { appendResult, spread } from './append-result.js';
import { plantedBugs } from './simulation/planted-bugs.js';
import type { CityOptions, CityReport } from './simulation/simulate-city.js';
import { spawnCity } from './simulation/spawn-city.js';

/**
 * Do all invariants hold in a simulated city, how much faster than real time is it, does a seed repeat, and
 * are planted bugs found? Each run is a process of its own. A bug counts as found when a city breaks that
 * holds without it; it has `TRIES` seeds for that.
 */
const seeds = Number(process.env['SEEDS'] ?? 3);
const tries = Number(process.env['TRIES'] ?? 10);
const [hours, guests, buyers] = [
  Number(process.env['HOURS'] ?? 6),
  Number(process.env['GUESTS'] ?? 30),
  Number(process.env['BUYERS'] ?? 20),
];
const only = process.env['BUGS']?.split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-simulation-'));
const database = join(folder, 'sql');
// The server runs as long as a process uses it, so each city need not start one.
const server = await openSql(`embedded:${database}`, { connectionsMax: 1 });
const city = (seed: number): CityOptions => ({ seed, hours, guests, buyers, database });

async function holds(seed: number): Promise<CityReport> {
  const report = (await spawnCity(city(seed))) as CityReport;
  if (report.broken.length > 0) throw new Error(`Seed ${seed} does not hold: ${report.broken.join('; ')}`);
  console.error(`seed ${seed}: holds, ${Math.round(report.virtualS / report.wallS)} times as fast as time`);
  return report;
}

try {
  const clean: CityReport[] = [];
  for (let seed = 1; seed <= Math.max(seeds, tries); seed += 1) clean.push(await holds(seed));
  const again = await holds(1);
  const found: { readonly bug: string; readonly seed: number | null; readonly by: string }[] = [];
  for (const [number, { name }] of plantedBugs.entries()) {
    if (only !== undefined && !only.includes(number)) continue;
    let by: string | undefined;
    let seed = 0;
    while (by === undefined && seed < tries) {
      seed += 1;
      by = (await spawnCity(city(seed), number)).broken[0];
    }
    found.push({
      bug: name,
      seed: by === undefined ? null : seed,
      by: by?.slice(0, 100) ?? 'not found',
    });
    console.error(
      `${number} ${name}: ${by === undefined ? 'NOT FOUND' : `seed ${seed}, ${by.slice(0, 100)}`}`,
    );
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
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
