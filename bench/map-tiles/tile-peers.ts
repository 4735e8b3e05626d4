import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peersFolder } from '../peers/peers-folder.js';
import { runCommand } from '../peers/run-command.js';

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
  runCommand('apt-get', ['download', ...tilemakerPackages.split(' ')], { cwd: tilemakerFolder });
  for (const file of readdirSync(tilemakerFolder).filter((name) => name.endsWith('.deb')))
    runCommand('dpkg-deb', ['-x', file, 'root'], { cwd: tilemakerFolder });
}

/** Mapnik from npm; its scripts are not run, they only write the file of settings that is written here. */
export function installMapnik(): void {
  const prebuilt = join(mapnikFolder, 'node_modules', '@mapnik', 'mapnik', 'prebuilds', 'linux-x64');
  const settings = join(prebuilt, 'mapnik_settings.js');
  if (existsSync(settings)) return;
  mkdirSync(mapnikFolder, { recursive: true });
  writeFileSync(mapnik.from, '{"private":true}\n');
  runCommand('npm', ['install', '--ignore-scripts', `@mapnik/mapnik@${mapnikVersion}`], {
    cwd: mapnikFolder,
  });
  writeFileSync(
    settings,
    "module.exports.paths = { fonts: '', input_plugins: '' };\nmodule.exports.env = {};\n",
  );
}
