import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMapSource } from '#osm/read/read-map-source.js';
import { appendResult, spread } from './append-result.js';
import type { BuildCpu } from './map-tiles/build-cpu.js';
import { changeWays, type Spread } from './map-tiles/change-ways.js';
import { ChangingMap } from './map-tiles/changing-map.js';
import type { StayedCpu } from './map-tiles/long-running-build.js';
import { StayingProcess } from './map-tiles/long-running-process.js';
import { expectSameObjects } from './map-tiles/same-objects.js';
import { writeOsc } from './map-tiles/write-osc.js';
import { PbfFile } from './map-tiles/write-pbf.js';
import { chosenArea, extractOf } from './routing/areas.js';
import { seeded } from './routing/seeded.js';

/**
 * CPU of a builder that stays, from a change file to the release that it makes, after 0.1 % of the ways of an
 * extract changed, other ones each time. Beside it, in turns: a process that stays too, takes the same file
 * and builds everything again; and a fresh process that reads the changed extract and builds it. Another
 * fresh one is given the cells of the builder that stays: void unless every object of it is in that builder's
 * store, byte for byte. The first `WARMUP` changes are not counted: they are for the engine's compiler, and a
 * full build is made of the last two of them alone.
 */
const area = chosenArea('malta');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const warmup = Number(process.env['WARMUP'] ?? 10);
const share = Number(process.env['SHARE'] ?? 0.001);
const spreads = (process.env['SPREADS'] ?? 'clustered,random').split(',') as Spread[];
const isTrial = process.env['TRIAL'] === '1';

const folder = mkdtempSync(join(tmpdir(), 'meridian-follow-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const once = fileURLToPath(new URL('map-tiles/rebuild-once.js', import.meta.url));

function fresh(map: ChangingMap, cells: string, store: string): BuildCpu {
  const file = join(folder, 'changed.osm.pbf');
  const pbf = new PbfFile(file);
  map.play(pbf.sink);
  pbf.end();
  rmSync(store, { recursive: true, force: true });
  return JSON.parse(
    execFileSync(process.execPath, [once, file, cells, store], { encoding: 'utf8', maxBuffer: 2 ** 24 }),
  ) as BuildCpu;
}

interface Used {
  readonly over: StayedCpu[];
  readonly scratch: StayedCpu[];
  readonly fresh: BuildCpu[];
}

async function measure(way: Spread): Promise<Used & { readonly ways: number; readonly changed: number }> {
  const map = new ChangingMap();
  await readMapSource({ kind: 'osm-pbf', file: extractOf(area) }, map.sink);
  const [ways, changed] = [map.ways.size, Math.max(1, Math.round(map.ways.size * share))];
  const [store, thrownAway, scratchStore] = ['over', 'full', 'scratch'].map((name) =>
    join(folder, way, name),
  );
  mkdirSync(thrownAway!, { recursive: true });
  const over = new StayingProcess(extractOf(area), 'over', store!);
  await over.built();
  const scratch = new StayingProcess(extractOf(area), 'scratch', thrownAway!);
  await scratch.built();
  const used: Used = { over: [], scratch: [], fresh: [] };
  /** Changes that the full builds have not got yet. */
  const skipped: string[] = [];
  for (let round = -warmup; round < rounds; round++) {
    const change = changeWays(map, way, changed, seeded(100 + round));
    const file = join(folder, `change-${round}.osc`);
    writeFileSync(file, writeOsc(change));
    map.apply(change);
    skipped.push(file);
    if (round < -2) {
      await over.build(file);
      continue;
    }
    const isOverFirst = round % 2 === 0;
    const early = isOverFirst ? await over.build(file) : undefined;
    const full = await scratch.build(...skipped.splice(0));
    const made = early ?? (await over.build(file));
    if (round < 0) continue;
    used.over.push(made);
    used.scratch.push(full);
    used.fresh.push(fresh(map, '-', scratchStore!));
    fresh(map, store!, scratchStore!);
    expectSameObjects(scratchStore!, store!);
  }
  await Promise.all([over.end(), scratch.end()]);
  rmSync(join(folder, way), { recursive: true });
  return { ...used, ways, changed };
}

const medianPhases = (builds: readonly BuildCpu[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(builds[0]!.phases).map((phase) => [
      phase,
      spread(builds.map(({ phases }) => phases[phase] ?? 0)).median,
    ]),
  );

for (const way of spreads) {
  const { ways, changed, ...used } = await measure(way);
  const cpu = (kind: keyof Used): number[] => used[kind].map(({ cpuS }) => cpuS);
  const ratio = (to: 'scratch' | 'fresh') => spread(cpu('over').map((cpuS, i) => cpuS / used[to][i]!.cpuS));
  const figures = {
    area,
    ...{ rounds, warmup, ways, changed, spread: way },
    overCpuS: spread(cpu('over')),
    overIdleCpuS: spread(used.over.map(({ idleCpuS }) => idleCpuS)),
    overResidentMib: used.over.at(-1)!.residentMib,
    toWarm: { ratio: ratio('scratch'), cpuS: spread(cpu('scratch')) },
    toFresh: { ratio: ratio('fresh'), cpuS: spread(cpu('fresh')) },
    cutTiles: spread(used.over.map(({ cutTiles }) => cutTiles)),
    writtenRoadTiles: spread(used.over.map(({ writtenRoadTiles }) => writtenRoadTiles)),
    phases: {
      over: medianPhases(used.over),
      scratch: medianPhases(used.scratch),
      fresh: medianPhases(used.fresh),
    },
  };
  if (!isTrial) appendResult('map-tiles-follow', figures);
  const { overCpuS, toWarm, toFresh, overIdleCpuS, overResidentMib } = figures;
  const shown = ({ ratio, cpuS }: typeof toWarm): string =>
    `${ratio.median} (${ratio.least}–${ratio.greatest}) of ${cpuS.median} s`;
  console.log(
    `${way}: ${overCpuS.median} s of CPU (${overCpuS.least}–${overCpuS.greatest}), ` +
      `${overIdleCpuS.median} s more while it waits, ${overResidentMib} MiB: ` +
      `${shown(toWarm)} of a full build in a process that stays, ${shown(toFresh)} in a fresh one`,
  );
  console.log(JSON.stringify(figures.phases));
}
