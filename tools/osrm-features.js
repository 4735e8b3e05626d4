// `npm run osrm-features [-- --write] [-- --report file.json] [-- part-of-a-path]`: gets the archive with
// OSRM's feature files, unless it is there, and asks their scenarios of this engine. `--write` writes the
// expected counts, `--report` every row that does not agree, `--get` only gets the archive.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, get: { type: 'boolean' }, report: { type: 'string' } },
  allowPositionals: true,
});
if (values.write === true && positionals.length > 0) {
  console.error('--write is for all files: leave the path away.');
  process.exit(2);
}
const report = values.report === undefined ? {} : { FEATURES_REPORT: resolve(values.report) };
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const requirements = 'tests/osrm-features/requirements.txt';
const folder = join('data', 'osrm-features');
const [, version, sha256] = /==(\S+) --hash=sha256:(\w{64})/.exec(readFileSync(requirements, 'utf8'));
const archive = join(folder, `osrm_bindings-${version}.tar.gz`);

const isThere = () =>
  existsSync(archive) && createHash('sha256').update(readFileSync(archive)).digest('hex') === sha256;

function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
  if (error !== undefined) console.error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

if (!isThere()) {
  mkdirSync(folder, { recursive: true });
  // The source of the package has the features; its hash is checked by pip, and again by the test.
  const python = process.env['PYTHON'] ?? 'python3';
  const pinned = ['--require-hashes', '--requirement', requirements];
  const source = ['--no-deps', '--no-binary', 'osrm-bindings', '--dest', folder];
  run(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...pinned, ...source]);
}
if (values.get !== true)
  run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'tests/osrm-features/osrm-features.test.ts'],
    {
      ...process.env,
      ...report,
      ...(values.write === true ? { FEATURES_WRITE: '1' } : {}),
      ...(positionals.length > 0 ? { FEATURES: positionals[0] } : {}),
    },
  );
