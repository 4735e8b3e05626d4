import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type Area, extractOf } from './areas.js';

export const meridianCommand = fileURLToPath(new URL('../../../bin/meridian.js', import.meta.url));

/** Settings with which the command stores everything in one folder; it rejects unknown names. */
export function settingsFor(folder: string): NodeJS.ProcessEnv {
  const { MERIDIAN_PEERS: _peers, MERIDIAN_EXTRACTS: _extracts, ...others } = process.env;
  return { ...others, MERIDIAN_DATA: folder, OBJECTS: `dir:${folder}`, LOG_LEVEL: 'warn' };
}

/**
 * Builds the tiles with the current code, in a separate process to keep its heap apart, and opens them.
 */
export const openArea = (area: Area): Promise<RoadNetwork> => openExtract(area);

/** The same, for any file `<name>.osm.pbf` among the extracts, or the path of one. */
export async function openExtract(name: string): Promise<RoadNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  try {
    const build = [meridianCommand, 'tiles', 'build', '--no-map', extractOf(name)];
    const { status } = spawnSync(process.execPath, build, {
      env: settingsFor(folder),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`the tiles of ${name} could not be built`);
    const objects = await DirectoryObjectStore.open(folder);
    const network = await openTileset(objects);
    await objects.close();
    return network;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
