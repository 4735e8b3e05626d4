import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { FaultName } from './platform/platform-faults.js';
import { simulatePlatform } from './platform/simulate-platform.js';

/** Who starts this gives its options as JSON. */
export interface PlatformOptions {
  /** An object store with a tileset. */
  readonly folder: string;
  readonly seed: number;
  readonly drivers: number;
  readonly minutes: number;
  readonly faults: readonly FaultName[];
  readonly faultScale: number;
}

const { folder, ...options } = JSON.parse(process.argv[2]!) as PlatformOptions;
const objects = await DirectoryObjectStore.open(folder);
const network = await openTileset(objects);
const { broken, digest, counts } = await simulatePlatform({ network, ...options });
console.log(JSON.stringify({ broken, digest, counts }));
process.exit(0);
