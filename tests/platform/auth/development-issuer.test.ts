import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'issuer-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (production = false, now?: () => number) =>
  openDevelopmentIssuer({
    folder: join(folder, 'dev-issuer'),
    issuer: 'dev',
    audience: 'public',
    internalAudience: 'internal',
    production,
    ...(now === undefined ? {} : { now }),
  });

describe('the development issuer', () => {
  test('C1: refuses to start in production, and creates no key there', async () => {
    await expect(open(true)).rejects.toThrow(/NODE_ENV=production.*JWKS_URL/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('C1: only the owner can read its key, and a key that others can read is rejected', async () => {
    await open();
    const file = join(folder, 'dev-issuer', 'ed25519.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'dev-issuer'))).mode & 0o777).toBe(0o700);
    await chmod(file, 0o644);
    await expect(open()).rejects.toThrow(/chmod 600/);
  });

  test('a second start uses the same key, and the public set contains nothing private', async () => {
    const first = await open();
    const second = await open();
    expect(second.keySet).toEqual(first.keySet);
    expect([first.isNew, second.isNew]).toEqual([true, false]);
    expect(JSON.stringify(first.keySet)).not.toContain('"d"');
    const stored = JSON.parse(await readFile(join(folder, 'dev-issuer', 'ed25519.json'), 'utf8')) as {
      d: string;
    };
    expect(JSON.stringify(first.keySet)).not.toContain(stored.d);
  });

  test('programs that start together agree on one key', async () => {
    const issuers = await Promise.all([open(), open(), open()]);
    expect(new Set(issuers.map(({ keySet }) => JSON.stringify(keySet))).size).toBe(1);
    expect(issuers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await readdir(join(folder, 'dev-issuer'))).toEqual(['ed25519.json']);
  });

  test.each([{ kty: 'oct' }, { d: undefined }, { kid: undefined }])(
    'F41: a file that is not a key is named, with what to do: %j',
    async (change) => {
      await open();
      const file = join(folder, 'dev-issuer', 'ed25519.json');
      const key = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...key, ...change }));
      await expect(open()).rejects.toThrow(
        `${file} is not a key of the development issuer; delete it to create a new one.`,
      );
    },
  );

  test('F41: a key that cannot be read is no reason for a new one', async () => {
    await open();
    const file = join(folder, 'dev-issuer', 'ed25519.json');
    await rm(file);
    await mkdir(file, { mode: 0o700 });
    await expect(open()).rejects.toThrow(/EISDIR/);
    expect(await readdir(join(folder, 'dev-issuer'))).toEqual(['ed25519.json']);
  });

  test('a token says who it is for, what it is for and how long it is valid', async () => {
    const issuer = await open(false, () => 1_750_000_000_999);
    const [key] = issuer.keySet.keys;
    expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(key!.kid).toMatch(/^dev-[0-9a-f]{8}$/);
    const token = await issuer.issueToken({ sub: 'h1', scopes: ['customer'], properties: ['sea', 'hill'] });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: key!.kid });
    expect(decodeJwt(token)).toEqual({
      ...{ sub: 'h1', iss: 'dev', aud: 'public', scope: 'customer property:sea property:hill' },
      ...{ iat: 1_750_000_000, exp: 1_750_003_600 },
    });
  });

  test.each(['operator', 'desk', 'finance', 'payouts', 'service'] as const)(
    'S4: %s is for the internal listener too, also beside a scope that is not',
    async (scope) => {
      const issuer = await open();
      const token = await issuer.issueToken({ sub: 'u', scopes: ['driver', scope] });
      expect(decodeJwt(token).aud).toEqual(['public', 'internal']);
    },
  );

  test.each([1, 1.5, 30 * 86_400])('a lifetime of %d s is given in whole seconds', async (ttlS) => {
    const issuer = await open();
    const { iat, exp } = decodeJwt(await issuer.issueToken({ sub: 'u', scopes: ['driver'], ttlS }));
    expect(exp! - iat!).toBe(Math.floor(ttlS));
  });

  test('S4: a driver has no access on the internal listener, an operator has access on both', async () => {
    const issuer = await open();
    const listener = (audience: string) =>
      createJwtAuthenticator({ keys: issuer.keys, issuer: 'dev', audience });
    const driver = await issuer.issueToken({ sub: 'd1', scopes: ['driver'] });
    const operator = await issuer.issueToken({ sub: 'o1', scopes: ['operator'] });
    expect(await listener('public').verify(driver)).toMatchObject({ ok: true, identity: { userId: 'd1' } });
    expect(await listener('internal').verify(driver)).toMatchObject({ ok: false });
    expect(await listener('public').verify(operator)).toMatchObject({ ok: true });
    expect(await listener('internal').verify(operator)).toMatchObject({ ok: true });
  });

  test.each([0, -1, Number.NaN, 30 * 86_400 + 1])('rejects a lifetime of %d s', async (ttlS) => {
    const issuer = await open();
    await expect(issuer.issueToken({ sub: 'u', scopes: ['driver'], ttlS })).rejects.toThrow(
      /is valid for 1 to/,
    );
  });
});
