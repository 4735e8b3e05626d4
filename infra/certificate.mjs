import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './on-path.mjs';
import { handOver, makeOwnFolder } from './ordinary-user.mjs';
import { dataFolder } from './settings.mjs';

const folder = join(dataFolder, 'tls');
const dayMs = 86_400_000;
const days = 365;

/** What signs the certificates of our servers; clients read it. */
export const authorityFile = join(folder, 'ca.pem');

/**
 * Writes the key and the certificate of `localhost` and 127.0.0.1 into a server's folder, for the user that
 * it runs as.
 * @returns {{ cert: string, key: string, both: string } | undefined} files in PEM; undefined without openssl
 */
export function certificateFor(serverFolder) {
  if (!makeOnce()) return undefined;
  const own = join(serverFolder, 'tls');
  makeOwnFolder(own);
  const files = { cert: join(own, 'cert.pem'), key: join(own, 'key.pem'), both: join(own, 'both.pem') };
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const [file, text] of [
    [files.cert, cert],
    [files.key, key],
    [files.both, key + cert],
  ]) {
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600 });
    handOver(file);
  }
  return files;
}

/** False if this machine has no openssl: the servers then have no TLS. */
function makeOnce() {
  if (existsSync(authorityFile) && statSync(authorityFile).mtimeMs > Date.now() - (days - 7) * dayMs)
    return true;
  const openssl = onPath('openssl');
  if (openssl === undefined) return false;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const at = (name) => join(partial, name);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const make = (...args) =>
    execFileSync(openssl, [...request, '-days', String(days), ...args], { stdio: 'ignore' });
  make('-subj', '/CN=Meridian infra', '-keyout', at('ca.key'), '-out', at('ca.pem'));
  const names = [
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-addext',
    'basicConstraints=CA:FALSE',
  ];
  const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
  make(...signer, '-subj', '/CN=localhost', ...names, '-keyout', at('key.pem'), '-out', at('cert.pem'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return true;
}
