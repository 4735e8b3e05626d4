// `npm run geocoding-clients`: gets geopy, unless it is there, and asks the gateway with it and with the
// geocoders of map libraries. `--get` only gets geopy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { get: { type: 'boolean' } } });
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const requirements = 'tests/geocoding-clients/requirements.txt';
const folder = join('data', 'geocoding-clients');
mkdirSync(folder, { recursive: true });

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

const files = readdirSync(folder);
const pinned = [...readFileSync(requirements, 'utf8').matchAll(/^(\S+)==(\S+) /gm)];
if (!pinned.every(([, name, version]) => files.some((file) => file.startsWith(`${name}-${version}-`)))) {
  // The hashes are checked by pip, and again by the test.
  const python = process.env['PYTHON'] ?? 'python3';
  const hashed = ['--require-hashes', '--requirement', requirements];
  const wheels = ['--no-deps', '--only-binary', ':all:', '--dest', folder];
  run(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...hashed, ...wheels]);
}
if (values.get !== true)
  run(process.execPath, [
    ...['node_modules/vitest/vitest.mjs', 'run', 'tests/geocoding-clients'],
    'tests/browser/geocoder-clients.test.ts',
  ]);
