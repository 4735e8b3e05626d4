import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { localKeys, remoteKeys } from '#platform/auth/key-source.js';
import type { Authentication } from '#platform/http/identity.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { proves } from '#tools/acceptance/proves.js';

const ed = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig' });
const keySet = {
  keys: [jwk(ed.publicKey, 'ed'), jwk(ec.publicKey, 'ec'), jwk(rsa.publicKey, 'rsa')],
};

const nowS = 1_800_000_000;
const good = { iss: 'issuer', aud: 'meridian', sub: 'u1', exp: nowS + 600, scope: 'driver customer' };
const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Any header and payload with any signature, including those that no library would create. */
function token(
  header: object | string,
  payload: object | string,
  signer?: (input: string) => Buffer,
): string {
  const input = `${part(header)}.${part(payload)}`;
  const signature = signer?.(input) ?? sign(null, Buffer.from(input), ed.privateKey);
  return `${input}.${signature.toString('base64url')}`;
}
const header = { alg: 'EdDSA', kid: 'ed', typ: 'JWT' };
const publicPem = ed.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const hmac = (secret: string) => (input: string) => createHmac('sha256', secret).update(input).digest();
const as = (key: KeyObject) => (input: string) => sign(null, Buffer.from(input), key);

const authenticator = createJwtAuthenticator({
  keys: localKeys(keySet),
  issuer: 'issuer',
  audience: 'meridian',
  now: () => nowS * 1_000,
});
const verify = async (text: string): Promise<Authentication> => await authenticator.verify(text);

describe('S1: valid tokens', () => {
  test('accepts EdDSA, with user, known scopes and expiry', async () => {
    expect(await verify(token(header, { ...good, scope: 'driver root customer' }))).toEqual({
      ok: true,
      identity: { userId: 'u1', scopes: ['driver', 'customer'], expiresAt: (nowS + 600) * 1_000 },
    });
  });

  test('reads scp, of Entra as a string and of Okta as a list', async () => {
    const { scope, ...rest } = good;
    for (const scp of [scope, scope.split(' ')])
      expect(await verify(token(header, { ...rest, scp }))).toMatchObject({
        identity: { scopes: ['driver', 'customer'] },
      });
    expect(await verify(token(header, { ...rest, scp: ['desk', 'property:h1'] }))).toMatchObject({
      identity: { scopes: ['desk'], properties: ['h1'] },
    });
    expect(await verify(token(header, rest))).toMatchObject({ identity: { scopes: [] } });
  });

  test('scopes in two claims or in another form are refused: one could lack a limit', async () => {
    const { scope, ...rest } = good;
    const doubtful = [
      { scope: 'desk', scp: ['desk', 'property:h1'] },
      { scope, scp: '' },
      { scope: [scope] },
      { scope: 7 },
      { scope: null },
      { scp: [scope, 7] },
      { scp: { 0: scope } },
    ];
    for (const claims of doubtful)
      expect([claims, await verify(token(header, { ...rest, ...claims }))]).toMatchObject([
        claims,
        { ok: false, reason: 'invalid' },
      ]);
  });

  test('accepts ES256 and RS256', async () => {
    const es = token({ alg: 'ES256', kid: 'ec' }, good, (input) =>
      sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    );
    const rs = token({ alg: 'RS256', kid: 'rsa' }, good, (input) =>
      sign('sha256', Buffer.from(input), rsa.privateKey),
    );
    expect(await verify(es)).toMatchObject({ ok: true });
    expect(await verify(rs)).toMatchObject({ ok: true });
  });

  test('clocks may differ by 30 s, but not by 31', async () => {
    expect(await verify(token(header, { ...good, exp: nowS - 29 }))).toMatchObject({ ok: true });
    expect(await verify(token(header, { ...good, exp: nowS - 31 }))).toMatchObject({
      ok: false,
      reason: 'expired',
    });
    expect(await verify(token(header, { ...good, nbf: nowS + 30 }))).toMatchObject({ ok: true });
    expect(await verify(token(header, { ...good, nbf: nowS + 31 }))).toMatchObject({ ok: false });
  });

  test('the audience may be one of a list', async () => {
    expect(await verify(token(header, { ...good, aud: ['other', 'meridian'] }))).toMatchObject({ ok: true });
  });

  test('a verified token is answered from memory until it expires', async () => {
    let now = nowS * 1_000;
    const own = createJwtAuthenticator({
      keys: localKeys(keySet),
      issuer: 'issuer',
      audience: 'meridian',
      now: () => now,
    });
    const text = token(header, { ...good, exp: nowS + 60 });
    expect(own.verify(text)).toBeInstanceOf(Promise);
    await own.verify(text);
    expect(own.verify(text)).toMatchObject({ ok: true });
    now += 91_000;
    expect(await own.verify(text)).toMatchObject({ ok: false, reason: 'expired' });
  });
});

const signature = token(header, good).split('.')[2] ?? '';
const badTokens: Record<string, string> = {
  empty: '',
  'one part': 'abc',
  'four parts': `${token(header, good)}.x`,
  'alg none': token({ alg: 'none' }, good, () => Buffer.alloc(0)),
  'alg None': token({ alg: 'None' }, good, () => Buffer.alloc(0)),
  'alg missing': token({ kid: 'ed' }, good),
  'alg a number': token({ alg: 1, kid: 'ed' }, good),
  'alg an array': token({ alg: ['EdDSA'], kid: 'ed' }, good),
  'HS256 with the public key as PEM': token({ alg: 'HS256', kid: 'ed' }, good, hmac(publicPem)),
  'HS256 with the public key as JWK': token(
    { alg: 'HS256', kid: 'ed' },
    good,
    hmac(JSON.stringify(keySet.keys[0])),
  ),
  'HS256 with an empty secret': token({ alg: 'HS256' }, good, hmac('')),
  'RS512 by the right key': token({ alg: 'RS512', kid: 'rsa' }, good, (input) =>
    sign('sha512', Buffer.from(input), rsa.privateKey),
  ),
  'RS256 named, EdDSA signed': token({ alg: 'RS256', kid: 'rsa' }, good),
  'ES256 with a zero signature': token({ alg: 'ES256', kid: 'ec' }, good, () => Buffer.alloc(64)),
  'another key': token(header, good, as(stranger.privateKey)),
  'no signature': token(header, good, () => Buffer.alloc(0)),
  'signature of another token': `${part(header)}.${part({ ...good, sub: 'u2' })}.${signature}`,
  'one bit flipped': token(header, good, (input) => {
    const bytes = sign(null, Buffer.from(input), ed.privateKey);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return bytes;
  }),
  'kid a path': token({ ...header, kid: '../../../../dev/null' }, good, hmac('')),
  'kid SQL': token({ ...header, kid: "x' UNION SELECT 'secret" }, good, hmac('secret')),
  'kid a URL': token({ ...header, kid: 'http://127.0.0.1:1/key' }, good, as(stranger.privateKey)),
  'kid unknown': token({ ...header, kid: 'who' }, good),
  jku: token({ ...header, jku: 'http://127.0.0.1:1/jwks' }, good),
  x5u: token({ ...header, x5u: 'http://127.0.0.1:1/cert' }, good),
  x5c: token({ ...header, x5c: ['MIIB'] }, good),
  'jwk of the attacker': token(
    { ...header, jwk: jwk(stranger.publicKey, 'ed') },
    good,
    as(stranger.privateKey),
  ),
  crit: token({ ...header, crit: ['exp'], exp: nowS }, good),
  b64: token({ ...header, crit: ['b64'], b64: false }, good),
  expired: token(header, { ...good, exp: nowS - 600 }),
  'exp missing': token(header, { ...good, exp: undefined }),
  'exp text': token(header, { ...good, exp: '9999999999' }),
  'not yet valid': token(header, { ...good, nbf: nowS + 600 }),
  'nbf text': token(header, { ...good, nbf: 'tomorrow' }),
  'other audience': token(header, { ...good, aud: 'meridian-internal' }),
  'audience missing': token(header, { ...good, aud: undefined }),
  'audience a prefix': token(header, { ...good, aud: 'meri' }),
  'other issuer': token(header, { ...good, iss: 'issuer2' }),
  'issuer missing': token(header, { ...good, iss: undefined }),
  'sub missing': token(header, { ...good, sub: undefined }),
  'sub empty': token(header, { ...good, sub: '' }),
  'sub a number': token(header, { ...good, sub: 7 }),
  'sub with a line break': token(header, { ...good, sub: 'u1\nadmin' }),
  'sub of 129 characters': token(header, { ...good, sub: 'u'.repeat(129) }),
  'payload no object': token(header, '[]'),
  'payload no JSON': token(header, 'hello'),
  'payload with a claim twice': token(
    header,
    `{"iss":"issuer","aud":"meridian","sub":"u1","sub":"u2","exp":${nowS + 60}}`,
  ),
  'header with a field twice': token('{"alg":"none","alg":"EdDSA","kid":"ed"}', good),
  '64 KB': token(header, { ...good, filler: 'x'.repeat(64 * 1024) }),
};

proves('H-110', {
  asked: 'an expired token, one of another audience and one with alg:none are refused',
  shown: 'over 40 invalid tokens are refused, these among them; the same claims, rightly signed, are not',
  control: {
    in: 'platform/auth/jwt-authenticator.ts',
    change: '        audience: options.audience,\n',
    to: '',
  },
});
describe('H-110, S1: invalid tokens', () => {
  test(`the table contains ${Object.keys(badTokens).length} of them`, () => {
    expect(Object.keys(badTokens).length).toBeGreaterThanOrEqual(40);
  });

  test.each(Object.entries(badTokens))('%s', async (_, text) => {
    expect(await verify(text)).toMatchObject({ ok: false });
  });

  test('control: accepts the same claims with the correct key', async () => {
    expect(await verify(token(header, good))).toMatchObject({ ok: true });
  });

  test('no refusal repeats the token or a key', async () => {
    for (const text of Object.values(badTokens)) {
      const outcome = await verify(text);
      if (outcome.ok) throw new Error('believed');
      expect(outcome.detail.length).toBeLessThan(100);
    }
  });
});

describe('S1: keys of a remote issuer', () => {
  let server: Server;
  let url: string;
  let fetches = 0;
  let answer: { status: number; body: string } = { status: 200, body: JSON.stringify(keySet) };
  beforeAll(async () => {
    server = createServer((_, response) => {
      fetches += 1;
      response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  function remote() {
    fetches = 0;
    answer = { status: 200, body: JSON.stringify(keySet) };
    const clock = { ms: 0 };
    const own = createJwtAuthenticator({
      keys: remoteKeys({ url, logger: silentLogger, now: () => clock.ms }),
      issuer: 'issuer',
      audience: 'meridian',
      now: () => nowS * 1_000,
    });
    const fresh = async (kid: string, key = ed.privateKey) =>
      await own.verify(token({ ...header, kid }, { ...good, jti: randomUUID() }, as(key)));
    return { clock, fresh };
  }

  test('10,000 unknown key ids cause at most two fetches', async () => {
    const { clock, fresh } = remote();
    for (let round = 0; round < 10; round += 1) {
      clock.ms += 5_000;
      const outcomes = await Promise.all(
        Array.from({ length: 1_000 }, (_, at) => fresh(`unknown-${round}-${at}`)),
      );
      expect(outcomes.every(({ ok }) => !ok)).toBe(true);
    }
    expect(fetches).toBeLessThanOrEqual(2);
  });

  proves('H-110', {
    asked: 'keys rotate without downtime',
    shown:
      'a new key counts at once, or a minute after an unknown one was named; the old one until it is dropped',
    settings: ['the authenticator without a server', 'its clock is moved'],
    control: {
      in: 'platform/auth/key-source.ts',
      change: '        await refresh();\n        return await local(header, token);',
      to: '        throw error;',
    },
  });
  test('H-110: keys rotate: the old one counts until it is dropped, the new one in a minute', async () => {
    const [, ...others] = keySet.keys;
    const next = generateKeyPairSync('ed25519');
    const publish = (...keys: readonly object[]) => {
      answer.body = JSON.stringify({ keys: [...keys, ...others] });
    };
    const [first, second] = [keySet.keys[0]!, jwk(next.publicKey, 'next')];
    // Nobody has named an unknown key for a minute: the first token of the new one is accepted.
    const usual = remote();
    publish(first);
    expect((await usual.fresh('ed')).ok).toBe(true);
    publish(first, second);
    usual.clock.ms += 60_000;
    expect((await usual.fresh('next', next.privateKey)).ok).toBe(true);
    expect((await usual.fresh('ed')).ok).toBe(true);
    const { clock, fresh } = remote();
    const accepted = async () => [(await fresh('ed')).ok, (await fresh('next', next.privateKey)).ok];
    publish(first);
    expect(await accepted()).toEqual([true, false]);
    publish(first, second);
    clock.ms += 59_000;
    expect(await accepted()).toEqual([true, false]);
    clock.ms += 2_000;
    expect(await accepted()).toEqual([true, true]);
    answer.status = 503;
    clock.ms += 3_600_000;
    expect(await accepted()).toEqual([true, true]);
    // The answer of the issuer is awaited by a token of an unknown key only.
    expect((await fresh('unknown')).ok).toBe(false);
    answer.status = 200;
    publish(second);
    clock.ms += 3_600_000;
    expect((await fresh('unknown')).ok).toBe(false);
    expect(await accepted()).toEqual([false, true]);
  });

  test('the last good set stays in use while the issuer is down or returns invalid data', async () => {
    const { clock, fresh } = remote();
    expect(await fresh('ed')).toMatchObject({ ok: true });
    for (const broken of [
      { status: 500, body: '' },
      { status: 200, body: 'nonsense' },
      { status: 200, body: '{"keys":[]}' },
      { status: 200, body: JSON.stringify({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'ed' }] }) },
      { status: 302, body: '' },
      { status: 200, body: 'x'.repeat(300_000) },
    ]) {
      answer = broken;
      clock.ms += 3_600_000;
      expect(await fresh('ed')).toMatchObject({ ok: true });
      expect(await fresh('unknown')).toMatchObject({ ok: false, reason: 'invalid' });
    }
    expect(fetches).toBeGreaterThan(6);
  });

  test('F42: without keys no client is authenticated; a late issuer is found within a second', async () => {
    const { clock, fresh } = remote();
    answer = { status: 503, body: '' };
    expect(await fresh('ed')).toMatchObject({ ok: false, reason: 'unavailable' });
    answer = { status: 200, body: JSON.stringify(keySet) };
    clock.ms += 1_001;
    expect(await fresh('ed')).toMatchObject({ ok: true });
  });
});
