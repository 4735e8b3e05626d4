import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMapSource } from '#osm/read/read-map-source.js';
import { appendResult, spread } from './append-result.js';
import type { BuildCpu } from './map-tiles/build-cpu.js';
import { changeWays, type Spread } from './map-tiles/change-ways.js';
import { ChangingMap } from './map-tiles/changing-map.js';
import { expectSameObjects } from './map-tiles/same-objects.js';
import { PbfFile } from './map-tiles/write-pbf.js';
import { chosenArea, extractOf } from './routing/areas.js';
import { seeded } from './routing/seeded.js';

/**
 * CPU of a build after 0.1 % of the ways of an extract changed, over the previous release, compared with a
 * build of the same changed extract from scratch, in turns. Each is a process of its own that starts, reads
 * the extract as `.osm.pbf`, and builds; with `BUILDS=2` it then builds again in another store, as a warm
 * process does. A build from scratch computes the cells of the roads again. Another one with the cells of the
 * previous release is compared: the figure is void unless every object of it is in the other store, byte for
 * byte.
 */
const area = chosenArea('malta');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const builds = Number(process.env['BUILDS'] ?? 2);
const share = Number(process.env['SHARE'] ?? 0.001);
const spreads = (process.env['SPREADS'] ?? 'random,clustered').split(',') as Spread[];

const extract = new ChangingMap();
await readMapSource({ kind: 'osm-pbf', file: extractOf(area) }, extract.sink);
const count = Math.max(1, Math.round(extract.ways.size * share));
const folder = mkdtempSync(join(tmpdir(), 'meridian-rebuild-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const once = fileURLToPath(new URL('map-tiles/rebuild-once.js', import.meta.url));

const kinds = ['over', 'scratch', 'sameCells'] as const;
type Kind = (typeof kinds)[number];

function write(name: string, map: ChangingMap): string {
  const file = join(folder, name);
  const pbf = new PbfFile(file);
  map.play(pbf.sink);
  pbf.end();
  return file;
}

/** A process that builds in fresh copies of stores, one after the other. */
function build(kind: Kind, file: string): BuildCpu[] {
  const stores = Array.from({ length: kind === 'sameCells' ? 1 : builds }, (_, i) =>
    join(folder, `${kind}${i}`),
  );
  for (const store of stores) {
    rmSync(store, { recursive: true, force: true });
    if (kind === 'over') cpSync(join(folder, 'before'), store, { recursive: true });
  }
  const cells = kind === 'sameCells' ? join(folder, 'over0') : '-';
  return run(file, cells, ...stores);
}

const run = (...args: string[]): BuildCpu[] =>
  execFileSync(process.execPath, [once, ...args], { encoding: 'utf8', maxBuffer: 2 ** 24 })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BuildCpu);

const results = [];
run(write('before.osm.pbf', extract), '-', join(folder, 'before'));
for (const way of spreads) {
  const used: Record<Kind, BuildCpu[][]> = { over: [], scratch: [], sameCells: [] };
  for (let round = 0; round < rounds; round++) {
    const changed = extract.changed(changeWays(extract, way, count, seeded(100 + round)));
    const file = write('changed.osm.pbf', changed);
    for (const kind of round % 2 === 0 ? (['over', 'scratch'] as const) : (['scratch', 'over'] as const))
      used[kind].push(build(kind, file));
    used.sameCells.push(build('sameCells', file));
    for (let i = 0; i < builds; i++) expectSameObjects(join(folder, 'sameCells0'), join(folder, `over${i}`));
  }
  const cpu = (kind: Kind, which: number): number[] => used[kind].map((each) => each.at(which)!.cpuS);
  const ratios = (which: number): number[] =>
    cpu('over', which).map((cpuS, i) => cpuS / cpu('scratch', which)[i]!);
  const last = (kind: Kind): Pick<BuildCpu, 'phases'>[] =>
    used[kind].at(-1)!.map(({ phases }) => ({ phases }));
  results.push({
    spread: way,
    fresh: {
      ratio: spread(ratios(0)),
      overCpuS: spread(cpu('over', 0)),
      scratchCpuS: spread(cpu('scratch', 0)),
      sameCellsCpuS: spread(cpu('sameCells', 0)),
    },
    ...(builds > 1
      ? {
          warm: {
            ratio: spread(ratios(-1)),
            overCpuS: spread(cpu('over', -1)),
            scratchCpuS: spread(cpu('scratch', -1)),
          },
        }
      : {}),
    cutTiles: spread(used.over.map(([first]) => first!.cutTiles)),
    allTiles: used.scratch[0]![0]!.allTiles,
    writtenRoadTiles: spread(used.over.map(([first]) => first!.writtenRoadTiles)),
    phases: { over: last('over'), scratch: last('scratch') },
  });
}
appendResult('map-tiles-rebuild', { area, rounds, builds, ways: extract.ways.size, changed: count, results });
for (const { spread: way, fresh, warm, cutTiles, allTiles, writtenRoadTiles, phases } of results) {
  for (const [kind, { ratio, overCpuS, scratchCpuS }] of Object.entries({ fresh, ...(warm ? { warm } : {}) }))
    console.log(
      `${way}, ${kind} process: ${ratio.median} of a build from scratch ` +
        `(${ratio.least}–${ratio.greatest}); ${overCpuS.median} s of CPU to ${scratchCpuS.median} s`,
    );
  console.log(
    `${way}: ${cutTiles.median} of ${allTiles} map tiles cut, ` +
      `${writtenRoadTiles.median} tiles of roads written; ` +
      `from scratch with the cells given ${fresh.sameCellsCpuS.median} s`,
  );
  console.log(JSON.stringify(phases));
}
