// `npm run location-client-package [folder]`: packs the location client as an npm package of its own and
// prints the path of the archive. It has the compiled files, their types, and what they need of `schemas`.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const destination = resolve(process.argv[2] ?? join(root, 'data'));
const compiled = [
  ...readdirSync(join(root, 'dist/location-client')).map((name) => join('dist/location-client', name)),
  ...['js', 'd.ts'].map((ending) => `dist/schemas/location-fields.${ending}`),
].filter((path) => /\.(js|d\.ts)$/.test(path));

const folder = mkdtempSync(join(tmpdir(), 'meridian-location-client-'));
try {
  for (const path of compiled) {
    // The maps stay behind, and so do the lines that name them.
    const text = readFileSync(join(root, path), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    writeFileSync(join(folder, path.slice(path.lastIndexOf('/') + 1)), text);
  }
  for (const name of ['package.json', 'README.md'])
    copyFileSync(join(root, 'location-client/npm', name), join(folder, name));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(destination, { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }));
  console.log(join(destination, filename));
} finally {
  rmSync(folder, { recursive: true });
}
