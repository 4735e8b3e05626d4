import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'issuer-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (production = false) =>
  openDevelopmentIssuer({
    folder: join(folder, 'dev-issuer'),
    issuer: 'dev',
    audience: 'public',
    internalAudience: 'internal',
    production,
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
    await chmod(file, 0o644);
    await expect(open()).rejects.toThrow(/chmod 600/);
  });

  test('a second start uses the same key, and the public set contains nothing private', async () => {
    const first = await open();
    const second = await open();
    expect(second.keySet).toEqual(first.keySet);
    expect(JSON.stringify(first.keySet)).not.toContain('"d"');
    const stored = JSON.parse(await readFile(join(folder, 'dev-issuer', 'ed25519.json'), 'utf8')) as {
      d: string;
    };
    expect(JSON.stringify(first.keySet)).not.toContain(stored.d);
  });

  test('programs that start together agree on one key', async () => {
    const issuers = await Promise.all([open(), open(), open()]);
    expect(new Set(issuers.map(({ keySet }) => JSON.stringify(keySet))).size).toBe(1);
    expect(await readdir(join(folder, 'dev-issuer'))).toEqual(['ed25519.json']);
  });

  test('F41: a file that is not a key is named, with what to do', async () => {
    await open();
    await writeFile(join(folder, 'dev-issuer', 'ed25519.json'), '{"kty":"oct"}');
    await expect(open()).rejects.toThrow(/delete it/);
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
