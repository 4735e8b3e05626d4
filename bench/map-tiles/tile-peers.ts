import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Missing } from '../missing.js';
import { peersFolder } from '../peers/peers-folder.js';

const tilemakerPackages =
  'tilemaker libshp2 libboost-filesystem1.74.0 libboost-iostreams1.74.0 ' +
  'libboost-program-options1.74.0 liblua5.1-0 libprotobuf32 libsqlite3-0';
const tilemakerFolder = join(peersFolder, 'tilemaker');
const mapnikFolder = join(peersFolder, 'mapnik');
const mapnikVersion = '4.7.7';
/** Where the libraries of a Debian package for this kind of machine lie. */
const debianLibraries = join(tilemakerFolder, 'root', 'usr', 'lib', 'x86_64-linux-gnu');

export const tilemaker = {
  command: join(tilemakerFolder, 'root', 'usr', 'bin', 'tilemaker'),
  env: { ...process.env, LD_LIBRARY_PATH: debianLibraries },
};
export const mapnik = {
  /** To resolve `@mapnik/mapnik` from. */
  from: join(mapnikFolder, 'package.json'),
  env: {
    ...process.env,
    LD_LIBRARY_PATH: join(mapnikFolder, 'node_modules', '@mapnik', 'core-linux-x64', 'lib'),
  },
};

/** Debian's tilemaker, unpacked into the user's cache without root. */
export function installTilemaker(): void {
  if (existsSync(tilemaker.command)) return;
  mkdirSync(tilemakerFolder, { recursive: true });
  run(tilemakerFolder, 'apt-get', 'download', ...tilemakerPackages.split(' '));
  for (const file of readdirSync(tilemakerFolder).filter((name) => name.endsWith('.deb')))
    run(tilemakerFolder, 'dpkg-deb', '-x', file, 'root');
}

/** Mapnik from npm; its scripts are not run, they only write the file of settings that is written here. */
export function installMapnik(): void {
  const prebuilt = join(mapnikFolder, 'node_modules', '@mapnik', 'mapnik', 'prebuilds', 'linux-x64');
  const settings = join(prebuilt, 'mapnik_settings.js');
  if (existsSync(settings)) return;
  mkdirSync(mapnikFolder, { recursive: true });
  writeFileSync(mapnik.from, '{"private":true}\n');
  run(mapnikFolder, 'npm', 'install', '--ignore-scripts', `@mapnik/mapnik@${mapnikVersion}`);
  writeFileSync(
    settings,
    "module.exports.paths = { fonts: '', input_plugins: '' };\nmodule.exports.env = {};\n",
  );
}

function run(cwd: string, command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error !== undefined)
    throw new Missing(`${command} cannot be run (${error.message}); install it first.`);
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}; what it printed is above.`);
}
