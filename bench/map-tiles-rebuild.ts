import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { readMapSource } from '#tile-builder/osm/read-map-source.js';
import { appendResult, spread } from './append-result.js';
import { ChangedExtract, type Spread } from './map-tiles/change-ways.js';
import { type Area, extractOf } from './routing/areas.js';

/**
 * CPU of a build after 0.1 % of the ways of an extract changed, over the release before, beside a build from scratch of the same changed
 * extract, in turns. Void unless every object of the one is in the other, byte for byte. Reading the file is in neither: the
 * changed extract is played from memory, as fast for both.
 */
const area = (process.env['AREA'] ?? 'malta') as Area;
const rounds = Number(process.env['ROUNDS'] ?? 5);
const share = Number(process.env['SHARE'] ?? 0.001);
const spreads = (process.env['SPREADS'] ?? 'random,clustered').split(',') as Spread[];

const extract = new ChangedExtract();
await readMapSource({ kind: 'osm-pbf', file: extractOf(area) }, extract.sink);
const count = Math.max(1, Math.round(extract.ways * share));

const folder = mkdtempSync(join(tmpdir(), 'meridian-rebuild-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

interface Measured {
  readonly cpuS: number;
  readonly cutTiles: number;
  readonly phases: Readonly<Record<string, number>>;
}

async function build(store: string, way: Spread, changes: number, seed: number): Promise<Measured> {
  const objects = await DirectoryObjectStore.open(join(folder, store));
  state = seed;
  const cpuS = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const startedS = cpuS();
  let [phase, sinceS] = ['read', startedS];
  const phases: Record<string, number> = {};
  const lap = (next: string): void => {
    const nowS = cpuS();
    phases[phase] = Math.round(1_000 * ((phases[phase] ?? 0) + nowS - sinceS)) / 1_000;
    [phase, sinceS] = [next, nowS];
  };
  const source = {
    kind: 'elements' as const,
    read: (sink: Parameters<ChangedExtract['read']>[0]) => extract.read(sink, way, changes, random),
  };
  const built = await buildRelease(source, objects, { onProgress: (next) => next !== phase && lap(next) });
  lap('end');
  await objects.close();
  return { cpuS: cpuS() - startedS, cutTiles: built.map!.cutTiles, phases };
}

const results = [];
await build('before', 'random', 0, 1);
for (const way of spreads) {
  const ratios: number[] = [];
  const used: Record<'over' | 'scratch', Measured[]> = { over: [], scratch: [] };
  for (let round = 0; round < rounds; round++) {
    const seed = 100 + round;
    for (const store of ['over', 'scratch']) rmSync(join(folder, store), { recursive: true, force: true });
    cpSync(join(folder, 'before'), join(folder, 'over'), { recursive: true });
    for (const store of round % 2 === 0 ? (['over', 'scratch'] as const) : (['scratch', 'over'] as const))
      used[store].push(await build(store, way, count, seed));
    compare(join(folder, 'scratch'), join(folder, 'over'));
    ratios.push(used.over.at(-1)!.cpuS / used.scratch.at(-1)!.cpuS);
  }
  results.push({
    spread: way,
    ratio: spread(ratios),
    overCpuS: spread(used.over.map(({ cpuS }) => cpuS)),
    scratchCpuS: spread(used.scratch.map(({ cpuS }) => cpuS)),
    cutTiles: spread(used.over.map(({ cutTiles }) => cutTiles)),
    allTiles: used.scratch[0]!.cutTiles,
    phases: { over: used.over.at(-1)!.phases, scratch: used.scratch.at(-1)!.phases },
  });
}
appendResult('map-tiles-rebuild', { area, rounds, ways: extract.ways, changed: count, results });
for (const { spread: way, ratio, overCpuS, scratchCpuS, cutTiles, allTiles, phases } of results) {
  console.log(
    `${way}: ${ratio.median} of a build from scratch (${ratio.least}–${ratio.greatest}); ${overCpuS.median} s of CPU to ${scratchCpuS.median} s; ${cutTiles.median} of ${allTiles} tiles cut`,
  );
  console.log(JSON.stringify(phases));
}

/** Everything that the build from scratch wrote is in the other store, and is the same. */
function compare(scratch: string, over: string): void {
  for (const path of readdirSync(scratch, { recursive: true }) as string[]) {
    const file = join(scratch, path);
    if (statSync(file).isDirectory()) continue;
    if (hashOf(file) !== hashOf(join(over, path)))
      throw new Error(`void: ${relative(scratch, file)} differs`);
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
