// Clients that the tests run are not a part of this repository: they are downloaded once, pinned by hash.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Gets the pinned wheels, unless they are there. pip checks the hashes, and so do the tests. */
export function downloadWheels(requirements, folder) {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder);
  const pinned = [...readFileSync(requirements, 'utf8').matchAll(/^(\S+)==(\S+) /gm)];
  if (pinned.every(([, name, version]) => files.some((file) => file.startsWith(`${name}-${version}-`))))
    return;
  const python = process.env['PYTHON'] ?? 'python3';
  const hashed = ['--require-hashes', '--requirement', requirements];
  const wheels = ['--no-deps', '--only-binary', ':all:', '--dest', folder];
  run(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...hashed, ...wheels]);
}

/** Gets an archive of npm without what it depends on: `{ name, version, sha512 }`. */
export function downloadArchive({ name, version, sha512 }, folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${version}.tgz`);
  if (!readdirSync(folder).includes(`${name}-${version}.tgz`))
    run('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`]);
  const found = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (found === sha512) return;
  rmSync(file);
  console.error(`${name}@${version} has the hash ${found} instead of ${sha512}.`);
  process.exit(1);
}
