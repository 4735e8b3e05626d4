import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { meridian } from '../main-job/running-platform.js';
import { soonMs } from './soon.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-wrong-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A program that cannot start reports the reason in one sentence and ends; it never waits for something that
 * will not happen.
 */
async function refused(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly sentence: string }> {
  const withinMs = await soonMs();
  const startedMs = performance.now();
  const { code, stderr } = await meridian(args, {
    PORT: '0',
    INTERNAL_PORT: '0',
    MERIDIAN_DATA: folder,
    ...env,
  });
  expect(performance.now() - startedMs).toBeLessThan(withinMs);
  const sentences = stderr.trim().split('\n');
  expect(sentences, stderr).toHaveLength(1);
  return { code, sentence: sentences[0]! };
}

describe('P-111: in production, connections without TLS to other machines', () => {
  // Of documentation (RFC 5737); it is never contacted.
  const plain = {
    NODE_ENV: 'production',
    SQL: 'postgres://u:pw-pw-pw@192.0.2.1/x',
    SCHEMA_REGISTRY_URL: 'http://192.0.2.1:8081',
    HOST: '0.0.0.0',
  };

  proves('P-111', {
    asked: 'all calls over TLS; TLS 1.2 or newer',
    shown: 'meridian payment ends with code 2 and names three settings, no password; with TLS 1.0, too',
    settings: ['NODE_ENV=production'],
    control: {
      in: 'cli/read-settings.ts',
      change: 'if (fault !== undefined) throw',
      to: "if (fault === '') throw",
    },
  });
  it('P-111: end the start of meridian payment', async () => {
    const { code, sentence } = await refused(['payment'], plain);
    expect(code).toBe(2);
    for (const hint of [
      'HOST (0.0.0.0): set TLS_CERTIFICATE_FILE',
      'SQL (192.0.2.1): add sslmode=verify-full',
      'SCHEMA_REGISTRY_URL (192.0.2.1): begin it with https://',
      'set PLAIN_CONNECTIONS=HOST,SQL,SCHEMA_REGISTRY_URL.',
    ])
      expect(sentence).toContain(hint);
    expect(sentence).not.toContain('pw-pw-pw');

    const old = await refused(['payment'], { NODE_ENV: 'production', NODE_OPTIONS: '--tls-min-v1.0' });
    expect([old.code, old.sentence]).toEqual([2, expect.stringContaining('remove --tls-min-v1')]);
  });

  it('end commands that would call them, listeners aside', async () => {
    const { code, sentence } = await refused(['tiles', 'inspect'], plain);
    expect([code, sentence]).toEqual([2, expect.stringContaining('SQL (192.0.2.1)')]);
    expect(sentence).not.toContain('HOST (');
  });

  it.each([
    [['keys', 'list', 'x', '--url', 'http://192.0.2.1'], '--url must have TLS'],
    [
      ['traffic', 'import', 'http://192.0.2.1/f', '--format', 'wzdx', '--name', 'x'],
      'the feed must have TLS',
    ],
  ])('%j', async (args, hint) => {
    const { code, sentence } = await refused(args, { NODE_ENV: 'production' });
    expect([code, sentence]).toEqual([2, expect.stringContaining(hint)]);
  });
});

proves('F41', {
  asked: 'a wrong secret, no variable, no folder: ends within 5 s with a plain reason',
  shown: 'over ten kinds on three programs: one sentence within 5 s',
  control: {
    in: 'platform/event-log/kafka-servers.ts',
    change: "throw fault('has no user');",
    to: "fault('has no user');",
  },
  from: 'outside',
});
describe('F41: a wrong required setting ends a program within five seconds with one sentence', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');

  it.each([['ingest'], ['up']])('%s: a data folder that cannot be written', async (name) => {
    const { code, sentence } = await refused([name], { MERIDIAN_DATA: join(file, 'data') });
    expect(code).toBe(1);
    expect(sentence).toContain('MERIDIAN_DATA is the folder');
  });

  it.each([
    [{ EVENT_LOG: `embedded:${join(file, 'log')}` }, 'event log'],
    [{ LOCATIONS: `lmdb:${join(file, 'locations')}` }, 'location store'],
  ])('ingest: a file where a folder should be: %j', async (env, hint) => {
    const { code, sentence } = await refused(['ingest'], env);
    expect(code).toBe(1);
    expect(sentence).toContain(hint);
  });

  const kafka = (rest: string) => ({
    EVENT_LOG: `kafka://${rest}`,
    SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
  });
  const missing = join(folder, 'missing.pem');
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'secret');
  it.each([
    [kafka(''), 'kafka://host:port'],
    [kafka('me:secret@127.0.0.1:1'), "has a user and no 'sasl'"],
    [kafka('me:secret@127.0.0.1:1?sasl=md5'), "has the unknown sasl 'md5'"],
    [kafka('127.0.0.1:1?sasl=plain'), 'has no user'],
    [kafka('127.0.0.1:1?tls=yes'), "has tls='yes'"],
    [kafka(`127.0.0.1:1?ca=${missing}`), "has 'ca' but no TLS"],
    [
      kafka(`127.0.0.1:1?tls=true&ca=${missing}`),
      `names the file '${missing}', which cannot be read (ENOENT)`,
    ],
    [kafka(`127.0.0.1:1?tls=true&ca=${file}`), 'which is no certificate in PEM'],
    [kafka(`127.0.0.1:1?tls=true&cert=${file}`), "needs both 'cert' and 'key'"],
    [kafka(`me@127.0.0.1:1?sasl=plain&passwordFile=${file}`), 'which is empty'],
    [{ LOCATIONS: 'cassandra://127.0.0.1:1' }, 'keyspace'],
    [{ LOCATIONS: `cassandra://127.0.0.1:1/meridian?tls=true&ca=${missing}` }, 'cannot be read (ENOENT)'],
    [{ LOCATIONS: `cassandra://127.0.0.1:1/meridian?passwordFile=${secret}` }, 'has a password and no user'],
    [{ CACHE: 'redis://127.0.0.1:1/0?what=this' }, "has the unknown parameter 'what'"],
    [{ CACHE: `rediss://127.0.0.1:1/0?ca=${missing}` }, 'cannot be read (ENOENT)'],
  ])('ingest: a wrong address: %j', async (env, hint) => {
    const { code, sentence } = await refused(['ingest'], env);
    expect(code).toBe(2);
    expect(sentence).toContain(hint);
  });

  it('api: an S3 store without keys', async () => {
    const { code, sentence } = await refused(['api'], { OBJECTS: 's3://bucket?endpoint=http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(sentence).toContain('AWS_ACCESS_KEY_ID');
  });

  it('up: a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, sentence } = await refused(['up'], { PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(sentence).toContain(`127.0.0.1:${port}`);
  });

  it.each([
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES names "10.0.0.0/33"'],
    [{ TRUSTED_PROXIES: 'proxy.example' }, 'TRUSTED_PROXIES does not have the form'],
    [{ PUBLIC_URL: 'maps.example' }, 'PUBLIC_URL does not have the form'],
    [{ PUBLIC_URL: 'https://maps.example/?a' }, 'PUBLIC_URL does not have the form'],
    [{ TLS_KEY_FILE: missing }, 'TLS_KEY_FILE is set, so TLS_CERTIFICATE_FILE must be set too'],
    [{ TLS_CERTIFICATE_FILE: missing, TLS_KEY_FILE: missing }, 'which cannot be read (ENOENT)'],
  ])('ingest: %j', async (env, hint) => {
    const { code, sentence } = await refused(['ingest'], env);
    expect([code, sentence.includes(hint)], sentence).toEqual([2, true]);
  });

  it('up: wrong settings', async () => {
    const { code, sentence } = await refused(['up'], { LOCATIONS: 'mysql://host' });
    expect(code).toBe(2);
    expect(sentence).toContain('LOCATIONS');
  });

  it('ingest: a PID_FILE that cannot be written', async () => {
    const { code, sentence } = await refused(['ingest'], { PID_FILE: join(file, 'pid') });
    expect(code).toBe(1);
    expect(sentence).toContain('PID_FILE');
  });
});
