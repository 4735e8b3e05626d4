import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { currentRelease } from '#tile-builder/release.js';
import { readPartition } from '#tile-builder/tiles/earlier-tileset.js';

/** CPU seconds of one build, of all threads of the process. */
export interface BuildCpu {
  /** From the start of the process, loading of the program included; of a later build in the same process, of this build alone. */
  readonly cpuS: number;
  /** By what the build shows as its phase. */
  readonly phases: Readonly<Record<string, number>>;
  readonly cutTiles: number;
  readonly allTiles: number;
  readonly writtenRoadTiles: number;
  readonly releaseId: string;
}

/**
 * `rebuild-once.js EXTRACT CELLS STORE…`: a release of the extract in each store, one after the other, so that the first says what a fresh
 * process takes and the last what one does that has built before. CELLS is a store whose cells the roads are cut into, or `-`. Prints
 * a line of JSON a build.
 */
const [file, cells, ...stores] = process.argv.slice(2) as [string, string, ...string[]];
const cpuS = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const rounded = (seconds: number): number => Math.round(1_000 * seconds) / 1_000;

const partition = cells === '-' ? {} : { partition: await partitionOf(cells) };
let startedS = 0;
for (const store of stores) {
  const objects = await DirectoryObjectStore.open(store);
  let [phase, sinceS] = ['start', startedS];
  const phases: Record<string, number> = {};
  const lap = (next: string): void => {
    if (next === phase) return;
    const nowS = cpuS();
    phases[phase] = rounded((phases[phase] ?? 0) + nowS - sinceS);
    [phase, sinceS] = [next, nowS];
  };
  lap('read');
  const { map, releaseId, writtenTiles } = await buildRelease({ kind: 'osm-pbf', file }, objects, {
    ...partition,
    onProgress: lap,
  });
  lap('end');
  await objects.close();
  const built: BuildCpu = {
    cpuS: rounded(cpuS() - startedS),
    phases,
    cutTiles: map!.cutTiles,
    allTiles: map!.cutTiles + map!.keptTiles,
    writtenRoadTiles: writtenTiles,
    releaseId,
  };
  console.log(JSON.stringify(built));
  startedS = cpuS();
}

async function partitionOf(folder: string) {
  const objects = await DirectoryObjectStore.open(folder);
  return readPartition(objects, (await currentRelease(objects))!.tilesetId);
}
