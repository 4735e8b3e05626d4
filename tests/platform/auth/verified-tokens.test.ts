import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { localKeys } from '#platform/auth/key-source.js';
import {
  leewayS,
  tokenCharactersMax,
  userIdCharactersMax,
  verifiedTokenAgeMaxMs,
} from '#platform/auth/limits.js';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const own = { ...publicKey.export({ format: 'jwk' }), kid: 'ed', use: 'sig' };
const nowS = 1_800_000_000;
const good = { iss: 'issuer', aud: 'meridian', sub: 'u1', exp: nowS + 600, scope: 'driver' };
const header = { alg: 'EdDSA', kid: 'ed' };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signed with the key of the issuer, whatever it says. */
function token(payload: object, head: object = header): string {
  const input = `${part(head)}.${part(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}

function opened() {
  const clock = { ms: nowS * 1_000 };
  const authenticator = createJwtAuthenticator({
    ...{ keys: localKeys({ keys: [own] }), issuer: 'issuer', audience: 'meridian', now: () => clock.ms },
  });
  return { clock, authenticator };
}
const reasonOf = async (payload: object, head?: object): Promise<string> => {
  const outcome = await opened().authenticator.verify(token(payload, head));
  return outcome.ok ? 'accepted' : `${outcome.reason}: ${outcome.detail}`;
};

describe('what is remembered of a verified token', () => {
  it.each([
    { what: 'its own end, and the difference of clocks', exp: nowS + 60, untilMs: (60 + leewayS) * 1_000 },
    { what: 'some minutes, if it ends later', exp: nowS + 86_400, untilMs: verifiedTokenAgeMaxMs },
  ])('lasts until $what', async ({ exp, untilMs }) => {
    const { clock, authenticator } = opened();
    const text = token({ ...good, exp });
    expect(authenticator.recall?.(`Bearer ${text}`)).toBeUndefined();
    await authenticator.verify(text);
    clock.ms += untilMs - 1;
    expect(authenticator.recall?.(`Bearer ${text}`)).toMatchObject({ ok: true, identity: { userId: 'u1' } });
    clock.ms += 1;
    expect(authenticator.recall?.(`Bearer ${text}`)).toBeUndefined();
  });

  it('is found by the complete field of the request alone', async () => {
    const { authenticator } = opened();
    const text = token(good);
    await authenticator.verify(text);
    const others = [text, `bearer ${text}`, `Bearer  ${text}`, `Bearer x${text}`, `Bearer ${text.slice(1)}`];
    expect(others.map((other) => authenticator.recall?.(other))).toEqual(others.map(() => undefined));
  });
});

describe('why a token is refused', () => {
  it.each(['jku', 'jwk', 'x5u', 'x5c'])(
    'its header has %s, although the key of the issuer signed it',
    async (name) => {
      const value = name === 'jwk' ? own : name === 'x5c' ? ['MIIB'] : 'https://issuer.example/keys';
      expect(await reasonOf(good, { ...header, [name]: value })).toBe(
        'invalid: The token contains its own key.',
      );
    },
  );

  it('each fault has its own sentence', async () => {
    const { scope: _, ...unscoped } = good;
    const scopes = 'invalid: The scopes of the token are in no known form, or in two.';
    expect(await reasonOf({ ...good, scp: 'driver' })).toBe(scopes);
    expect(await reasonOf({ ...good, scope: 7 })).toBe(scopes);
    expect(await reasonOf({ ...unscoped, scp: { 0: 'driver' } })).toBe(scopes);
    expect(await reasonOf({ ...good, sub: 'u 1' })).toBe(
      'invalid: The subject of the token is not a user id.',
    );
    expect(await reasonOf({ ...good, aud: 'others' })).toBe(
      'invalid: The claim aud of the token is missing or wrong.',
    );
    expect(await reasonOf({ ...good, exp: nowS - 600 })).toBe('expired: The token has expired.');
    expect(await reasonOf(good, { ...header, kid: 'nobody' })).toBe(
      'invalid: The token is not from the configured issuer.',
    );
  });

  it('a user id and a token have as many characters as allowed, not one more', async () => {
    const named = (characters: number) => reasonOf({ ...good, sub: 'u'.repeat(characters) });
    expect(await named(userIdCharactersMax)).toBe('accepted');
    expect(await named(userIdCharactersMax + 1)).toBe('invalid: The subject of the token is not a user id.');

    const outcomeOf = async (characters: number) => opened().authenticator.verify(padded(characters));
    expect(await outcomeOf(tokenCharactersMax)).toMatchObject({ ok: true });
    expect(await outcomeOf(tokenCharactersMax + 1)).toMatchObject({ detail: 'The token is too long.' });
  });
});

/** A valid token of exactly this many characters. */
function padded(characters: number): string {
  for (let typ = 1; typ <= 4; typ += 1)
    for (let filler = 5_500; filler < 6_100; filler += 1) {
      const head = { ...header, typ: 'J'.repeat(typ) };
      const length = part(head).length + part({ ...good, filler: 'x'.repeat(filler) }).length + 2 + 86;
      if (length === characters) return token({ ...good, filler: 'x'.repeat(filler) }, head);
    }
  throw new Error(`no token has ${characters} characters`);
}
