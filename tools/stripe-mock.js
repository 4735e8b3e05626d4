// `npm run stripe-mock`: builds stripe-mock with Go, unless it is there, and lets it check the shape of every
// request that the adapter for Stripe makes. `--get` only builds it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from './clients/download.js';

const { values } = parseArgs({ options: { get: { type: 'boolean' } } });
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const stripeMock = 'github.com/stripe/stripe-mock@v0.203.0';
/** Go's hash of the module; Go itself checks those of what it needs. */
const sum = 'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio=';
const folder = resolve(join('data', 'stripe-mock'));

function build() {
  mkdirSync(folder, { recursive: true });
  const module = spawnSync('go', ['mod', 'download', '-json', stripeMock], { cwd: folder, encoding: 'utf8' });
  if (module.error !== undefined)
    throw new Error(`Go is needed to build stripe-mock: ${module.error.message}`);
  const found = JSON.parse(module.stdout).Sum;
  if (found !== sum) throw new Error(`${stripeMock} has the hash ${found} instead of ${sum}.`);
  const { status } = spawnSync('go', ['install', stripeMock], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, GOBIN: folder },
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(folder, 'stripe-mock'))) build();
if (values.get !== true)
  run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'tests/stripe-mock']);
