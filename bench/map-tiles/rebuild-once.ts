import { currentRelease } from '#map-data/release/release.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { readPartition } from '#tile-builder/tiles/previous-tileset.js';
import { buildCpu, cpuSoFarS } from './build-cpu.js';

/**
 * `rebuild-once.js EXTRACT CELLS STORE…`: a release of the extract in each store, one after the other, so
 * that the first says what a fresh process takes, from its start and the loading of the program on, and the
 * last what one does that has built before. CELLS is a store whose cells the roads are cut into, or `-`.
 * Prints a line of JSON a build.
 */
const [file, cells, ...stores] = process.argv.slice(2) as [string, string, ...string[]];

const partition = cells === '-' ? {} : { partition: await partitionOf(cells) };
let startedS = 0;
for (const store of stores) {
  const objects = await DirectoryObjectStore.open(store);
  const built = await buildCpu('start', startedS, (onProgress) => {
    onProgress('read', 0, 1);
    return buildRelease({ kind: 'osm-pbf', file }, objects, { ...partition, onProgress });
  });
  await objects.close();
  console.log(JSON.stringify(built));
  startedS = cpuSoFarS();
}

async function partitionOf(folder: string) {
  const objects = await DirectoryObjectStore.open(folder);
  return readPartition(objects, (await currentRelease(objects))!.tilesetId);
}
