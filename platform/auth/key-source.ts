import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, errors as joseErrors } from 'jose';
import type { Logger } from '#platform/telemetry/logger.js';
import {
  firstKeysRetryMs,
  keyAgeMaxMs,
  keyFetchTimeoutMs,
  keyRefreshMinMs,
  keySetBytesMax,
} from './limits.js';

/** The keys that signatures are verified with. */
export interface KeySource {
  readonly keyFor: JWTVerifyGetKey;
}

/** No key set has been fetched yet, so no token can be verified. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

export interface RemoteKeysOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}

/**
 * The keys an issuer publishes (JWKS). They are fetched at first use, for an unknown key id and when they are
 * old, but at most once a minute. While the issuer is unavailable, the last good set stays valid.
 */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const now = options.now ?? (() => performance.now());
  let local: JWTVerifyGetKey | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function load(): Promise<void> {
    triedAt = now();
    try {
      local = createLocalJWKSet(await fetchKeySet(options.url, options.fetch ?? fetch));
      loadedAt = now();
    } catch (error) {
      options.logger.warn('the keys of the token issuer cannot be fetched', {
        error: String(error),
        keptLastSet: local !== undefined,
      });
    }
  }

  /** Resolves when a fetch has ended; immediately if it is too early for another fetch. */
  async function refresh(): Promise<void> {
    if (
      running === undefined &&
      now() - triedAt >= (local === undefined ? firstKeysRetryMs : keyRefreshMinMs)
    ) {
      running = load().finally(() => {
        running = undefined;
      });
    }
    await running;
  }

  return {
    async keyFor(header, token) {
      if (local === undefined) await refresh();
      if (local === undefined) throw new KeysUnavailable('The keys of the token issuer are unavailable.');
      if (now() - loadedAt > keyAgeMaxMs) void refresh();
      try {
        return await local(header, token);
      } catch (error) {
        if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error;
        await refresh();
        return await local(header, token);
      }
    },
  };
}

/** A fixed key set, such as the development issuer's. */
export function localKeys(set: JSONWebKeySet): KeySource {
  return { keyFor: createLocalJWKSet(set) };
}

async function fetchKeySet(url: string, fetchIt: typeof fetch): Promise<JSONWebKeySet> {
  const response = await fetchIt(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(keyFetchTimeoutMs),
  });
  if (!response.ok) throw new Error(`the issuer responded with status ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > keySetBytesMax) throw new Error(`the key set is larger than ${keySetBytesMax} bytes`);
  }
  const set = JSON.parse(text) as Partial<JSONWebKeySet>;
  if (!Array.isArray(set.keys)) throw new Error('the answer is not a key set');
  // With a symmetric key in a public set, every reader of the set could sign.
  const keys = set.keys.filter((key) => key.kty !== 'oct' && key.use !== 'enc');
  if (keys.length === 0) throw new Error('the key set has no key for signatures');
  return { keys };
}
