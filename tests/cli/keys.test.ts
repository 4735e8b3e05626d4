import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meridian } from '../main-job/running-platform.js';
import { ask, type Metered, startMetered } from '../platform/api-keys/metered.js';

let served: Metered;
let tokenFile: string;
beforeAll(async () => {
  served = await startMetered();
  tokenFile = join(served.folder, 'operator');
  await writeFile(tokenFile, 'boss.operator\n');
});
afterAll(() => served?.close());

const keys = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  meridian(['keys', ...args], { MERIDIAN_DATA: served.folder, ...env });
const asOperator = (...args: readonly string[]) =>
  keys([...args, '--url', served.internalUrl, '--token-file', tokenFile]);

async function done(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await asOperator(...args);
  expect(code, stderr).toBe(0);
  return { stdout, stderr };
}
const json = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await done(...args, '--json')).stdout);

interface Listed {
  readonly keyID: string;
  readonly revokedAt?: string;
}
const listed = async (customer: string) => (await json('list', customer)) as readonly Listed[];
const statusOf = async (path: string, key: string) => (await ask(served, path, key)).status;

describe('meridian keys', () => {
  beforeAll(async () => {
    const terms = ['--per-second', '1000', '--burst', '1000'];
    await done('plan', 'basic', ...terms, '--per-month', 'map=100,geocoding=5');
    await done('customer', 'acme', '--name', 'Acme Ltd', '--plan', 'basic');
  });

  it('adds and changes plans and customers, and lists them', async () => {
    const plan = await json('plan', 'large', '--per-second', '0.5', '--burst', '2');
    expect(plan).toEqual({ planID: 'large', perSecond: 0.5, burst: 2, perMonth: {} });
    expect(await json('plans')).toEqual([
      { planID: 'basic', perSecond: 1_000, burst: 1_000, perMonth: { map: 100, geocoding: 5 } },
      plan,
    ]);
    expect((await done('plans')).stdout.split('\n').slice(0, 2)).toEqual([
      'PLAN   PER SECOND  BURST  PER MONTH',
      expect.stringMatching(/^basic {8}1000 {3}1000 {2}(map=100,geocoding=5|geocoding=5,map=100)$/),
    ]);
    await done('customer', 'umlaut', '--name', 'Käse & Öl', '--plan', 'large');
    expect(await json('customers')).toMatchObject([
      { customerID: 'acme', name: 'Acme Ltd', planID: 'basic' },
      { customerID: 'umlaut', name: 'Käse & Öl', planID: 'large' },
    ]);
    expect((await done('customers')).stdout).toContain('Käse & Öl  large');
  });

  it('prints a key once, alone on stdout, and it works', async () => {
    const { stdout, stderr } = await done('create', 'acme', '--families', 'map', '--label', 'web shop');
    const secret = stdout.trim();
    expect(stdout).toMatch(/^mk_[0-9a-f]{16}_[\w-]{43}\n$/);
    expect(stderr).toContain('shown never again');
    expect(stderr).not.toContain(secret.slice(20));
    expect(await statusOf('/tile', secret)).toBe(200);
    expect(await statusOf('/search', secret)).toBe(403);
    const list = await done('list', 'acme');
    expect(list.stdout).toContain(`${secret.slice(0, 19)}  valid  map`);
    expect(list.stdout).toContain('web shop');
    expect(list.stdout + JSON.stringify(await listed('acme'))).not.toContain(secret.slice(20));
  });

  it('rotates: the new key is like the old one, which is revoked unless it is kept', async () => {
    const terms = ['--families', 'map,geocoding', '--label', 'rotated', '--expires', '2099-01-01'];
    const old = (await json('create', 'acme', ...terms)) as { secret: string; key: Listed };
    const { keyID } = old.key;
    const kept = (await json('rotate', 'acme', `mk_${keyID}`, '--keep-old')) as typeof old;
    expect(kept.key).toMatchObject({
      families: ['map', 'geocoding'],
      label: 'rotated',
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect((await listed('acme')).find((key) => key.keyID === keyID)).not.toHaveProperty('revokedAt');
    const { stdout, stderr } = await done('rotate', 'acme', keyID, '--expires', '2098-01-01T00:00:00+02:00');
    expect(stderr).toContain(`mk_${keyID} is revoked`);
    expect(await statusOf('/search', stdout.trim())).toBe(404);
    const [newest, ...others] = await listed('acme');
    expect(newest).toMatchObject({ expiresAt: '2097-12-31T22:00:00.000Z' });
    expect(others.find((key) => key.keyID === keyID)).toHaveProperty('revokedAt');
    // This process has never seen it, so nothing remembers that it was valid.
    expect(await statusOf('/tile', old.secret)).toBe(401);
    const again = await asOperator('rotate', 'acme', keyID);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was revoked at')]);
  });

  it('revokes a key, once or again', async () => {
    const made = (await json('create', 'acme', '--families', 'map')) as { secret: string; key: Listed };
    const { keyID } = made.key;
    expect((await done('revoke', 'acme', keyID)).stdout).toContain(`mk_${keyID} is revoked`);
    expect(await json('revoke', 'acme', keyID)).toEqual({ customerID: 'acme', keyID, revoked: true });
    expect(await statusOf('/tile', made.secret)).toBe(401);
    expect((await done('list', 'acme')).stdout).toContain(`mk_${keyID}  revoked`);
  });

  it('shows usage as a table, JSON and CSV, of one customer or of all', async () => {
    await done('customer', 'counted', '--name', 'Counted', '--plan', 'basic');
    const secret = (await done('create', 'counted', '--families', 'geocoding')).stdout.trim();
    for (let i = 0; i < 3; i++) await ask(served, '/search', secret);
    await served.metering.flush();
    const today = new Date().toISOString().slice(0, 10);
    const day = { day: today, family: 'geocoding', requests: 3 };
    expect(await json('usage', 'counted')).toMatchObject({
      customerID: 'counted',
      thisMonth: [
        { family: 'geocoding', requests: 3, quota: 5 },
        { family: 'map', requests: 0, quota: 100 },
      ],
      days: [day],
    });
    expect(await json('usage')).toContainEqual({ customerID: 'counted', ...day });
    const table = (await done('usage', 'counted')).stdout;
    expect(table).toContain('geocoding          3      5\n');
    expect(table).toContain(`${today}  counted   geocoding         3`);
    const csv = `customer,day,family,requests\r\ncounted,${today},geocoding,3\r\n`;
    expect((await done('usage', 'counted', '--csv')).stdout).toBe(csv);
    expect((await done('usage', '--csv')).stdout).toContain(csv.split('\r\n')[1]);
    const earlier = ['--from', '2020-01-01', '--to', '2020-01-31'];
    expect(await json('usage', ...earlier)).toEqual([]);
    expect(((await json('usage', 'counted', ...earlier)) as { days: unknown[] }).days).toEqual([]);
  });

  it.each<[readonly string[], number, string]>([
    [['list', 'nobody'], 3, 'There is no such customer'],
    [['create', 'nobody', '--families', 'map'], 3, 'There is no such customer'],
    [['usage', 'nobody'], 3, 'There is no such customer'],
    [['rotate', 'acme', '0123456789abcdef'], 3, 'has no key mk_0123456789abcdef'],
    [['revoke', 'acme', '0123456789abcdef'], 3, 'has no such key'],
    [['customer', 'x', '--name', 'X', '--plan', 'none'], 1, 'There is no such plan'],
    [['create', 'acme', '--families', 'map', '--expires', '2020-01-01'], 2, '/expiresAt It lies in the past'],
    [['create', 'acme', '--families', 'map', '--expires', '2027-02-30'], 2, 'YYYY-MM-DD'],
    [['create', 'acme', '--families', 'map,map'], 2, 'each family once'],
    [['create', 'acme', '--families', 'payments'], 2, 'none of navigation'],
    [['create', 'acme'], 2, '--families'],
    [['create', '../plans', '--families', 'map'], 2, 'small letters'],
    [['list', 'acme', '--url', 'ftp://x'], 2, 'http or https'],
    [['revoke', 'acme', `mk_0123456789abcdef_${'s'.repeat(43)}`], 2, 'never the whole key'],
    [['plan', 'p', '--per-second', '0', '--burst', '1'], 2, 'above 0'],
    [['plan', 'p', '--per-second', '1', '--burst', '0'], 2, '/burst'],
    [['plan', 'p', '--per-second', '1', '--burst', '1', '--per-month', 'map'], 2, 'family=number'],
    [['usage', 'acme', '--csv', '--json'], 2, 'cannot be used with'],
    [['usage', 'acme', '--from', '2026-13-01'], 2, 'YYYY-MM-DD'],
    [['usage', 'acme', '--from', '2026-02-01', '--to', '2026-01-01'], 2, '/query/to'],
    [['shuffle'], 2, 'unknown command'],
  ])('%j ends with exit code %i and a sentence', async (args, code, sentence) => {
    const outcome = await asOperator(...args);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toContain(sentence);
  });

  it('an expired key is rotated only if the end of the new one is said', async () => {
    const made = (await json('create', 'acme', '--families', 'map')) as { key: Listed };
    await served.database.sql.query(`UPDATE api_key SET expires_at = now() WHERE key_id = $1`, [
      made.key.keyID,
    ]);
    const refused = await asOperator('rotate', 'acme', made.key.keyID);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('say with --expires')]);
    expect((await done('list', 'acme')).stdout).toContain(`mk_${made.key.keyID}  expired`);
    await done('rotate', 'acme', made.key.keyID, '--expires', '2099-01-01');
  });

  it('the wrong listener, token, file and address are named', async () => {
    const { publicUrl, internalUrl, folder } = served;
    const of = (url: string, file = tokenFile) => keys(['plans', '--url', url, '--token-file', file]);
    expect(await of(publicUrl)).toMatchObject({ code: 1, stderr: expect.stringContaining('staff listener') });
    const driver = join(folder, 'driver');
    await writeFile(driver, 'ann.driver');
    expect(await of(internalUrl, driver)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('answered with 403'),
    });
    expect(await of(internalUrl, join(folder, 'none'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none cannot be read'),
    });
    expect(await of('http://127.0.0.1:9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing answers at http://127.0.0.1:9'),
    });
    const foreign = await keys(['plans', '--url', internalUrl], { JWKS_URL: 'http://127.0.0.1:9/keys' });
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining('--token-file')]);
    const nowhere = await keys(['plans', '--token-file', tokenFile], { INTERNAL_PORT: '0' });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('use --url')]);
    const here = await keys(['plans', '--token-file', tokenFile, '--json'], {
      INTERNAL_PORT: new URL(internalUrl).port,
    });
    expect(here.code, here.stderr).toBe(0);
  });
});

describe('when the answer to a new key is lost', () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  it.each<[string, number | undefined]>([
    ['It may have taken effect', undefined],
    ['answered with 503', 503],
  ])('it says so and does not ask again: %s', async (sentence, status) => {
    let asked = 0;
    server?.close();
    server = createServer((request, response) => {
      asked += 1;
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status, { 'retry-after': '0' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const create = ['create', 'acme', '--families', 'map', '--url', url, '--token-file', tokenFile];
    const { code, stdout, stderr } = await keys(create);
    expect([code, stdout, asked]).toEqual([1, '', 1]);
    expect(stderr).toContain(sentence);
  });
});
