import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FlattenedJWSInput } from 'jose';
import { describe, expect, it } from 'vitest';
import { KeysUnavailable, remoteKeys } from '#platform/auth/key-source.js';
import { keyAgeMaxMs, keySetBytesMax } from '#platform/auth/limits.js';
import { type LogFields, silentLogger } from '#platform/telemetry/logger.js';
import { closedGate } from '../../closed-gate.js';
import { eventually } from '../../eventually.js';

const keyOf = (kid: string): object => {
  const { publicKey } = generateKeyPairSync('ed25519') as { readonly publicKey: KeyObject };
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' };
};
const [first, second] = [keyOf('first'), keyOf('second')];
const setOf = (...keys: readonly object[]): string => JSON.stringify({ keys });
const token: FlattenedJWSInput = { payload: '', signature: '' };

/** Keys of an issuer that answers with what the test says, under a clock that the test moves. */
function source(body: string) {
  const clock = { ms: 0 };
  const answer = { status: 200, body };
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const warnings: { message: string; fields: LogFields | undefined }[] = [];
  let gate: Promise<void> | undefined;
  const keys = remoteKeys({
    url: 'https://issuer.example/keys',
    logger: { ...silentLogger, warn: (message, fields) => warnings.push({ message, fields }) },
    now: () => clock.ms,
    fetch: async (url, init) => {
      asked.push({ url: String(url), init });
      await gate;
      return new Response(answer.body, { status: answer.status });
    },
  });
  const has = async (kid: string): Promise<boolean> => {
    try {
      await keys.keyFor({ alg: 'EdDSA', kid }, token);
      return true;
    } catch (error) {
      if ((error as Error).name !== 'JWKSNoMatchingKey') throw error;
      return false;
    }
  };
  return {
    ...{ clock, answer, asked, warnings, has, keys },
    hold: () => {
      const { opened, open } = closedGate();
      gate = opened;
      return open;
    },
  };
}

describe('the keys of an issuer', () => {
  it('are fetched once at first use, without following a redirect', async () => {
    const { asked, has, warnings } = source(setOf(first));
    expect(await Promise.all([has('first'), has('first')])).toEqual([true, true]);
    expect(await has('first')).toBe(true);
    expect(asked).toMatchObject([
      {
        url: 'https://issuer.example/keys',
        init: { redirect: 'error', headers: { accept: 'application/json' } },
      },
    ]);
    expect(asked[0]!.init!.signal).toBeInstanceOf(AbortSignal);
    expect(warnings).toEqual([]);
  });

  it('are asked for again, for an unknown id, a minute after the last time and not before', async () => {
    const { asked, answer, clock, has } = source(setOf(first));
    expect(await has('second')).toBe(false);
    answer.body = setOf(first, second);
    clock.ms = 59_999;
    expect(await has('second')).toBe(false);
    expect(asked).toHaveLength(1);
    clock.ms = 60_000;
    expect(await has('second')).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('when they are old they are fetched beside the request, which does not wait', async () => {
    const { asked, answer, clock, has, hold } = source(setOf(first, second));
    await has('first');
    answer.body = setOf(second);
    clock.ms = keyAgeMaxMs;
    expect(await has('first')).toBe(true);
    expect(asked).toHaveLength(1);
    const open = hold();
    clock.ms = keyAgeMaxMs + 1;
    expect(await has('first')).toBe(true);
    expect(asked).toHaveLength(2);
    open();
    // The one that was withdrawn stops being valid.
    await eventually(async () => expect(await has('first')).toBe(false));
    // Their age counts from then.
    clock.ms = 2 * keyAgeMaxMs + 1;
    expect(await has('second')).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('while there are none, nobody is known, and the issuer is asked each second', async () => {
    const { answer, asked, clock, has, keys, warnings } = source('');
    await expect(keys.keyFor({ alg: 'EdDSA', kid: 'first' }, token)).rejects.toThrow(KeysUnavailable);
    answer.body = setOf(first);
    clock.ms = 999;
    await expect(has('first')).rejects.toMatchObject({
      name: 'KeysUnavailable',
      message: 'The keys of the token issuer are unavailable.',
    });
    expect(asked).toHaveLength(1);
    clock.ms = 1_000;
    expect(await has('first')).toBe(true);
    expect(warnings).toMatchObject([
      {
        message: 'the keys of the token issuer cannot be fetched',
        fields: { keptLastSet: false, error: expect.stringContaining('JSON') },
      },
    ]);
  });

  it.each([
    ['another status', { status: 503, body: setOf(second) }, 'status 503'],
    [
      'more bytes than a set has',
      { status: 200, body: setOf(second) + ' '.repeat(keySetBytesMax) },
      'larger',
    ],
    ['no list of keys', { status: 200, body: '{"keys":{"filter":1}}' }, 'not a key set'],
    ['no key for signatures', { status: 200, body: setOf({ ...second, use: 'enc' }) }, 'no key'],
    ['a key that every reader has', { status: 200, body: setOf({ kty: 'oct', k: 'a' }) }, 'no key'],
  ])('%s is refused, and the last good set stays', async (_, bad, why) => {
    const { answer, clock, has, warnings } = source(setOf(first));
    await has('first');
    Object.assign(answer, bad);
    clock.ms = 60_000;
    expect(await has('second')).toBe(false);
    expect(await has('first')).toBe(true);
    expect(warnings).toMatchObject([{ fields: { keptLastSet: true, error: expect.stringContaining(why) } }]);
  });

  it('a set of exactly the size that is allowed is read, in pieces that split a character', async () => {
    const named = { ...second, 'x-name': 'å'.repeat(1_000) };
    const text = setOf(named);
    const { has } = source(text + ' '.repeat(keySetBytesMax - text.length));
    expect(await has('second')).toBe(true);
  });

  it('a key that cannot be used is an error, and no reason to ask again', async () => {
    const { asked, clock, keys } = source(setOf({ ...first, x: 'AA' }));
    clock.ms = 60_000;
    const found = keys.keyFor({ alg: 'EdDSA', kid: 'first' }, token);
    await expect(found).rejects.not.toMatchObject({ name: 'JWKSNoMatchingKey' });
    clock.ms = 120_000;
    await expect(keys.keyFor({ alg: 'EdDSA', kid: 'first' }, token)).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });
});
