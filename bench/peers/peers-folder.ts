import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the peers and their maps: `MERIDIAN_PEERS`, else in the cache of the user. */
export const peersFolder = resolve(
  process.env['MERIDIAN_PEERS'] ?? join(homedir(), '.cache', 'meridian', 'peers'),
);

export const peerPython = join(peersFolder, 'venv', 'bin', 'python');
export const graphHopperLibraries = join(peersFolder, 'graphhopper', 'lib');
export const graphHopperClasses = join(peersFolder, 'graphhopper', 'classes');

/** A source file of this folder; the compiler copies no Python and no Java. */
export const peerSource = (name: string): string =>
  fileURLToPath(new URL(`../../../bench/peers/${name}`, import.meta.url));

export const peersInstalled = (): boolean => existsSync(peerPython) && existsSync(graphHopperClasses);

export const howToInstall = 'npx meridian bench peers';
