import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OsmMap } from '#osm/change/osm-map.js';
import { readOsmChange } from '#osm/change/read-osm-change.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { buildReleaseOf } from '#tile-builder/build-release.js';
import { ReleaseBuilder } from '#tile-builder/follow/release-builder.js';
import { type BuildCpu, buildCpu, cpuSoFarS } from './build-cpu.js';

/** What a process that stays used for one change file, from the file to the release. */
export interface StayedCpu extends BuildCpu {
  /** Idle CPU since the previous release: garbage collection that runs after the build. */
  readonly idleCpuS: number;
  readonly residentMib: number;
}

/**
 * `stay.js EXTRACT KIND FOLDER`: reads the extract, builds, and then once for each line on stdin: paths of
 * change files with tabs between them, of which the last is what is measured. KIND is `over`: a builder that
 * stays, into the store FOLDER; or `scratch`: all of it again each time, in a store below FOLDER that is
 * thrown away. Prints a line of JSON a build, the first one's too.
 */
const [file, kind, folder] = process.argv.slice(2) as [string, 'over' | 'scratch', string];
const source = { kind: 'osm-pbf', file } as const;

type Build = (change: string | undefined) => Promise<BuildCpu>;

interface Built {
  readonly build: Build;
  /** A change that no release is built of. */
  readonly skip: (change: string) => Promise<void>;
}

async function stayingBuilder(): Promise<Built> {
  const objects = await DirectoryObjectStore.open(folder);
  let show: (phase: string) => void = () => {};
  const builder = await ReleaseBuilder.read(source, objects, { onProgress: (phase) => show(phase) });
  return {
    skip: async (file) => builder.apply((await readOsmChange(file)).change),
    build: (file) =>
      buildCpu('change', cpuSoFarS(), async (onProgress) => {
        show = (phase) => onProgress(phase, 0, 1);
        return builder.build(file === undefined ? undefined : (await readOsmChange(file)).change);
      }),
  };
}

async function fullBuilds(): Promise<Built> {
  const map = await OsmMap.read(source);
  const skip = async (file: string): Promise<void> => map.apply((await readOsmChange(file)).change);
  const build: Build = async (file) => {
    const store = await mkdtemp(join(folder, 'full-'));
    const objects = await DirectoryObjectStore.open(store);
    const built = await buildCpu('change', cpuSoFarS(), async (onProgress) => {
      if (file !== undefined) await skip(file);
      return buildReleaseOf(map, objects, { reuse: false, onProgress });
    });
    await objects.close();
    await rm(store, { recursive: true });
    return built;
  };
  return { build, skip };
}

const { build, skip } = kind === 'over' ? await stayingBuilder() : await fullBuilds();
let doneS = cpuSoFarS();
async function buildAndReport(change: string | undefined): Promise<void> {
  const idleCpuS = cpuSoFarS() - doneS;
  const built = await build(change);
  const stayed: StayedCpu = {
    ...built,
    idleCpuS: Math.round(1_000 * idleCpuS) / 1_000,
    residentMib: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
  console.log(JSON.stringify(stayed));
  doneS = cpuSoFarS();
}
await buildAndReport(undefined);
for await (const line of createInterface({ input: process.stdin })) {
  const files = line.split('\t');
  for (const file of files.slice(0, -1)) await skip(file);
  await buildAndReport(files.at(-1));
}
