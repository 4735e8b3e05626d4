import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCertificateFile } from '#cli/doctor/certificates.js';
import { checkAhead, checkCoreFiles, checkNode } from '#cli/doctor/machine.js';
import { makeCertificate } from '#payment-simulator/certificate.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { StoredLocation } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openSql } from '#platform/sql/open-sql.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { freePort, meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf } from './drivers-of.js';
import { startSenders } from './recorded-senders.js';

interface Line {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly advice?: string;
}

let data: string;
let ports: readonly [number, number];
let up: RunningProgram | undefined;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-doctor-'));
  ports = [await freePort(), await freePort()];
  up = await startProgram('up', { data, ports, args: ['--drivers', '0'] });
}, 240_000);
afterAll(async () => {
  await up?.stop('SIGKILL');
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function examined(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly lines: readonly Line[] }> {
  const own = { MERIDIAN_DATA: data, INTERNAL_PORT: String(ports[1]) };
  const { code, stdout, stderr } = await meridian(['doctor', '--json'], { ...own, ...env });
  expect(stderr).toBe('');
  return { code, lines: JSON.parse(stdout) as Line[] };
}

const of = (lines: readonly Line[], check: string): Line => lines.find((line) => line.check === check)!;

describe('meridian doctor', () => {
  it('finds a running platform whole, and prints a line for each check', async () => {
    const { code, lines } = await examined();
    expect(lines.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(code).toBe(0);
    expect(lines.map(({ check }) => check)).toEqual([
      ...[
        'versions',
        'settings',
        'data folder',
        'disk',
        'core files',
        'event log',
        'schema registry',
        'locations',
        'cache',
      ],
      ...['objects', 'database', 'clock of database', 'tables of database', 'consumer lag', 'map'],
      ...['platform', 'clock'],
    ]);
    expect(of(lines, 'platform').detail).toContain('is ready');
    expect(of(lines, 'database').detail).toMatch(/^PostgreSQL \d+/);
    expect(of(lines, 'map').detail).toMatch(/a route of [\d.]+ km$/);
    expect(of(lines, 'tables of database').detail).toBe('as this version expects them');
    const { stdout } = await meridian(['doctor'], { MERIDIAN_DATA: data, INTERNAL_PORT: String(ports[1]) });
    expect(stdout).toMatch(/^versions +ok +Node\.js/);
    expect(stdout).toMatch(/ 0 failed\n$/);
  }, 60_000);

  it('tells where a platform listens that has other ports than doctor was told', async () => {
    const { code, lines } = await examined({ INTERNAL_PORT: String(await freePort()) });
    expect([code, of(lines, 'platform')]).toEqual([
      0,
      {
        check: 'platform',
        state: 'warning',
        detail: expect.stringContaining(`up (process ${up!.pid}) at http://localhost:${ports[1]}; `),
        advice: `Set INTERNAL_PORT=${ports[1]} for this command.`,
      },
    ]);
    expect(of(lines, 'platform').detail).toContain('says that it is ready');
  }, 60_000);

  it('--repair is refused while a program uses the folder', async () => {
    const { code, stdout, stderr } = await meridian(['doctor', '--repair'], { MERIDIAN_DATA: data });
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain(`up (process ${up!.pid}) uses the data folder`);
    expect((await meridian(['doctor', '--repair', 'sql'], { MERIDIAN_DATA: data })).code).toBe(2);
  }, 60_000);

  it('tells of a server that does not answer, keys that are missing, an expired certificate', async () => {
    const file = join(data, 'old.pem');
    await writeFile(file, makeCertificate('old', Date.now() - 20 * 365 * 86_400_000).certificate);
    const { code, lines } = await examined({
      SQL: 'postgres://u:secret@127.0.0.1:1/x',
      CACHE: 'redis://127.0.0.1:1',
      JWKS_URL: 'http://127.0.0.1:1/keys',
      PSP_AUTHORITIES: file,
    });
    expect(code).toBe(1);
    for (const check of ['database', 'cache', 'token issuer', 'certificates of PSP_AUTHORITIES'])
      expect(of(lines, check), check).toMatchObject({ state: 'failed', advice: expect.stringMatching(/\w/) });
    expect(of(lines, 'certificates of PSP_AUTHORITIES').detail).toContain('expired');
    expect(JSON.stringify(lines)).not.toContain('secret');
    const wrong = await examined({ LOCATIONS: 'mysql://x', OBJECTS: 's3://bucket' });
    expect([wrong.code, of(wrong.lines, 'settings').state]).toEqual([1, 'failed']);
    const keys = await examined({ OBJECTS: 's3://bucket', PSP_BASE_URL: 'https://127.0.0.1:1' });
    expect(keys.lines.filter(({ check }) => check === 'settings').map(({ detail }) => detail)).toEqual([
      expect.stringContaining('PSP_API_KEY'),
      expect.stringContaining('AWS_ACCESS_KEY_ID'),
    ]);
  }, 60_000);

  it('tells of migrations to come and of a newer database', async () => {
    const sql = await openSql(`embedded:${join(data, 'sql')}`);
    const { rows } = await sql.query(
      'DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration WHERE schema = $1) AND schema = $1 RETURNING *',
      ['hotel'],
    );
    expect(of((await examined()).lines, 'tables of database')).toMatchObject({ state: 'warning' });
    const { schema, name, checksum } = rows[0] as Record<string, string>;
    await sql.query('INSERT INTO schema_migration (schema, name, checksum) VALUES ($1, $2, $3)', [
      schema!,
      name!,
      checksum!,
    ]);
    await sql.query(`INSERT INTO schema_migration (schema, name, checksum) VALUES ('hotel', '9999-x', 'x')`);
    const newer = await examined();
    expect([newer.code, of(newer.lines, 'tables of database').detail]).toEqual([
      1,
      expect.stringContaining('9999-x of a newer program'),
    ]);
    await sql.query(`DELETE FROM schema_migration WHERE name = '9999-x'`);
    await sql.close();
  }, 60_000);

  it('changes nothing in the folder of a stopped platform', async () => {
    const senders = startSenders(up!.url, await driversOf(data, ['d1']));
    await senders.more(3);
    await senders.stop();
    const behind = async () => of((await examined()).lines, 'consumer lag').detail;
    await expect.poll(behind, { timeout: 30_000 }).toMatch(/^0 records wait in [1-9]/);
    await up!.stop();
    up = undefined;
    const before = await contentsOf(data);
    const { code, lines } = await examined();
    expect([code, lines.filter(({ state }) => state === 'failed')]).toEqual([0, []]);
    expect(of(lines, 'platform').detail).toContain('no program runs on this data folder');
    expect(of(lines, 'database').detail).toContain('stopped');
    expect(await contentsOf(data)).toEqual(before);
    const log = await openEventLog(`embedded:${join(data, 'log')}`);
    const record = { key: 'd1', value: Buffer.from('x') };
    await log.append(locationBatchRecorded.name, new Array(10_001).fill(record));
    await log.close();
    expect(of((await examined()).lines, 'consumer lag')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('location-writer is 10,001 behind in location.batch.recorded.v1'),
    });
    const empty = join(data, 'nowhere');
    const nothing = await examined({ MERIDIAN_DATA: empty });
    expect([nothing.code, await stat(empty).catch(() => 'absent')]).toEqual([0, 'absent']);
  }, 60_000);

  it('names a store that is cut off, and a map that cannot be opened', async () => {
    await truncate(join(data, 'locations', 'data.mdb'), 8_192);
    await writeFile(join(data, 'objects', 'releases', 'current'), 'x');
    const { code, lines } = await examined();
    expect(code).toBe(1);
    expect(of(lines, 'locations')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('truncated'),
    });
    expect(of(lines, 'map')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('releases/current'),
    });
  }, 60_000);

  it('--repair writes the location store again from the log, and says what it cannot', async () => {
    const repaired = async (...stores: string[]) => {
      const { code, stdout } = await meridian(['doctor', '--repair', ...stores, '--json'], {
        MERIDIAN_DATA: data,
      });
      return { code, lines: JSON.parse(stdout) as Line[] };
    };
    const log = await openEventLog(`embedded:${join(data, 'log')}`);
    const sent = await recordsOf(log, 'd1');
    expect(sent.length).toBeGreaterThan(0);
    // Written by the test before, no message.
    await log.append(locationBatchRecorded.name, [{ key: 'd1', value: null }, ...sent.slice(1)]);
    await log.close();
    const { code, lines } = await repaired();
    expect([code, of(lines, 'map').state, of(lines, 'event log').state]).toEqual([1, 'failed', 'ok']);
    expect(of(lines, 'locations')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(
        /^rebuilt from the log: \d+ batches, 1 erasures, .*kept in .*damaged-\d+$/,
      ),
      advice: expect.stringContaining('The log keeps 7 days and the store 30'),
    });
    // Of the batches, the first was sent before the erasure only.
    const points = await pointsOf('d1');
    expect(points.length).toBeGreaterThan(0);
    expect(points.length).toBe(3 * (sent.length - 1));
    expect(of((await examined()).lines, 'locations').state).toBe('ok');
    expect(of((await repaired()).lines, 'locations').detail).toMatch(/^whole in /);
    expect(of((await repaired('locations')).lines, 'locations').detail).toMatch(/^rebuilt from the log/);
    expect(await pointsOf('d1')).toEqual(points);
    await truncate(join(data, 'log', 'data.mdb'), 8_192);
    const last = await repaired();
    expect([last.code, of(last.lines, 'event log').state]).toEqual([1, 'failed']);
    expect(of(last.lines, 'event log').advice).toContain('restore a backup');
  }, 120_000);
});

it('judges the certificates that servers show: days, expiry, an authority that nobody named', async () => {
  const day = 86_400_000;
  const shown = async (issuedMs: number, isNamed = true) => {
    const { certificate, key } = makeCertificate('server', issuedMs);
    const [ca, server] = [join(data, 'ca.pem'), createServer({ cert: certificate, key })];
    await writeFile(ca, isNamed ? certificate : makeCertificate('other', Date.now()).certificate);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { lines } = await examined({ CACHE: `rediss://127.0.0.1:${port}/0?ca=${ca}` });
    server.close();
    return of(lines, 'certificate of CACHE');
  };
  const { validTo, validFrom } = new X509Certificate(makeCertificate('x', Date.now()).certificate);
  const lifeMs = Date.parse(validTo) - Date.parse(validFrom);
  expect(await shown(Date.now())).toMatchObject({ state: 'ok', detail: expect.stringMatching(/\d+ days$/) });
  const soon = await shown(Date.now() - lifeMs + 10 * day);
  expect(soon).toMatchObject({ state: 'warning', detail: expect.stringMatching(/, (8|9|10) days$/) });
  expect(await shown(Date.now() - lifeMs - 2 * day)).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('expired on'),
  });
  expect(await shown(Date.now(), false)).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('not trusted'),
  });
}, 120_000);

it('judges clocks, versions and certificates by limits', async () => {
  expect([0, -2_000, 40_000].map((ms) => checkAhead('x', ms).state)).toEqual(['ok', 'warning', 'failed']);
  expect(['20.18.0', '20.19.0', '24.1.0', '18.20.0'].map((node) => checkNode(node).state)).toEqual([
    ...['failed', 'ok', 'ok', 'failed'],
  ]);
  const ofLimit = async (soft: string) =>
    (
      await checkCoreFiles(() =>
        Promise.resolve(`Max core file size        ${soft}                    unlimited\n`),
      )
    ).state;
  expect(await Promise.all(['0', '1', 'unlimited'].map(ofLimit))).toEqual(['ok', 'warning', 'warning']);
  const file = join(data, 'one.pem');
  const now = Date.now();
  await writeFile(file, makeCertificate('one', now).certificate);
  const states = [0, 10 * 365, 40 * 365].map((days) => checkCertificateFile(file, now + days * 86_400_000));
  expect((await Promise.all(states)).map(({ state }) => state)).toContain('ok');
  await writeFile(file, 'x');
  expect((await checkCertificateFile(file)).state).toBe('failed');
});

async function recordsOf(log: EventLog, user: string): Promise<{ key: string; value: Uint8Array }[]> {
  const found: { key: string; value: Uint8Array }[] = [];
  for (const { partition, earliest } of await log.offsets(locationBatchRecorded.name))
    for await (const { key, value } of log.read(locationBatchRecorded.name, partition, earliest))
      if (key === user && value !== null && value.length > 1) found.push({ key, value: value.slice() });
  return found;
}

async function pointsOf(user: string): Promise<readonly StoredLocation[]> {
  const store = await openLocationStore(`lmdb:${join(data, 'locations')}`, { retentionMs: 30 * 86_400_000 });
  const request = { fromMs: 0, toMs: Date.now(), limit: 1_000 };
  const { locations } = await store.read(user as UserId, request);
  await store.close();
  return locations;
}

/** Every file with its checksum; readers of LMDB take a place in its lock file. */
async function contentsOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  const lines = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(lines)).toSorted();
}
