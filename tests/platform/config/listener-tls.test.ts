import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownAddress } from '#cli/own-address.js';
import { makeCertificate } from '#payment-simulator/certificate.js';
import { listenerTlsOf, readCertificate } from '#platform/config/listener-tls.js';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { WrongSetting } from '#platform/config/wrong-setting.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-listener-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const yearMs = 365 * 86_400_000;
const [ours, other, old, early] = [0, 0, -11, 1].map((years) =>
  makeCertificate('listener', Date.now() + years * yearMs),
) as [Ours, Ours, Ours, Ours];
type Ours = ReturnType<typeof makeCertificate>;
const certificate = file('certificate.pem', ours.certificate);
const key = file('key.pem', ours.key);
const sealed = file(
  'sealed.pem',
  createPrivateKey(ours.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a phrase' })
    .toString(),
);
const phrase = file('phrase', 'a phrase\n');
const missing = join(folder, 'missing.pem');
const pair = { TLS_CERTIFICATE_FILE: certificate, TLS_KEY_FILE: key };

function tlsOf(environment: Readonly<Record<string, string>>) {
  const outcome = readConfig(settings, environment);
  if (!outcome.ok) throw new Error(outcome.faults.join(' '));
  return listenerTlsOf(outcome.config);
}

test.each([
  [{ TLS_CERTIFICATE_FILE: certificate }, 'TLS_CERTIFICATE_FILE is set, so TLS_KEY_FILE must be set too.'],
  [{ TLS_KEY_FILE: key }, 'TLS_KEY_FILE is set, so TLS_CERTIFICATE_FILE must be set too.'],
  [{ TLS_KEY_PASSPHRASE_FILE: phrase }, 'so TLS_CERTIFICATE_FILE must be set too.'],
  [{ ...pair, TLS_CERTIFICATE_FILE: missing }, `'${missing}', which cannot be read (ENOENT)`],
  [{ ...pair, TLS_KEY_FILE: missing }, `TLS_KEY_FILE names the file '${missing}'`],
  [{ ...pair, TLS_KEY_PASSPHRASE_FILE: missing }, `TLS_KEY_PASSPHRASE_FILE names the file '${missing}'`],
  [{ ...pair, TLS_CERTIFICATE_FILE: key }, 'is no certificate in PEM'],
  [{ ...pair, TLS_KEY_FILE: certificate }, 'is no private key in PEM.'],
  [{ ...pair, TLS_KEY_FILE: sealed }, 'is encrypted, so TLS_KEY_PASSPHRASE_FILE must be set too.'],
  [
    { ...pair, TLS_KEY_FILE: sealed, TLS_KEY_PASSPHRASE_FILE: certificate },
    'that TLS_KEY_PASSPHRASE_FILE opens',
  ],
  [{ ...pair, TLS_KEY_PASSPHRASE_FILE: file('empty', '\n') }, 'has an empty first line'],
  [{ ...pair, TLS_KEY_FILE: file('other.pem', other.key) }, 'is not the key of TLS_CERTIFICATE_FILE.'],
  [
    { TLS_CERTIFICATE_FILE: file('old.pem', old.certificate), TLS_KEY_FILE: file('old.key', old.key) },
    'expired on',
  ],
  [
    { TLS_CERTIFICATE_FILE: file('early.pem', early.certificate), TLS_KEY_FILE: file('e.key', early.key) },
    'is valid from',
  ],
  [
    { ...pair, PUBLIC_URL: 'https://maps.example' },
    'is not for maps.example, the host of PUBLIC_URL, but for',
  ],
  [{ ...pair, PUBLIC_URL: 'http://localhost:8080' }, 'PUBLIC_URL must begin with https://'],
])('a wrong setting is one sentence: %j', (environment, sentence) => {
  expect(() => tlsOf(environment)).toThrow(WrongSetting);
  expect(() => tlsOf(environment)).toThrow(sentence);
});

test('what fits is read; the name behind a trusted proxy is not ours to judge', () => {
  expect(tlsOf({})).toBeUndefined();
  expect(tlsOf(pair)).toMatchObject({ chainText: ours.certificate, keyText: ours.key });
  const encrypted = { ...pair, TLS_KEY_FILE: sealed, TLS_KEY_PASSPHRASE_FILE: phrase };
  expect(tlsOf(encrypted)).toMatchObject({ passphrase: 'a phrase' });
  for (const host of ['localhost', '127.0.0.1'])
    expect(tlsOf({ ...pair, PUBLIC_URL: `https://${host}:8080/maps` })).toBeDefined();
  expect(tlsOf({ ...pair, PUBLIC_URL: 'https://maps.example', TRUSTED_PROXIES: '10.0.0.1' })).toBeDefined();
});

test('programs of this machine are given a host that the certificate names', () => {
  const { certificate: named } = readCertificate(certificate);
  const addresses = (host: string) => [ownAddress(host, 1, undefined), ownAddress(host, 1, named)];
  expect(addresses('127.0.0.1')).toEqual(['http://127.0.0.1:1', 'https://127.0.0.1:1']);
  expect(addresses('0.0.0.0')).toEqual(['http://localhost:1', 'https://localhost:1']);
  expect(addresses('::')).toEqual(['http://localhost:1', 'https://localhost:1']);
  expect(addresses('::1')).toEqual(['http://[::1]:1', 'https://localhost:1']);
  expect(addresses('10.0.0.7')).toEqual(['http://10.0.0.7:1', 'https://localhost:1']);
});
