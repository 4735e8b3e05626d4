import { securityOf } from '../config/connection-security.js';
import { isOverTls } from '../config/server-addresses.js';
import { WrongSetting } from '../config/wrong-setting.js';
import type { LiveCache } from './live-cache.js';
import { MemoryLiveCache } from './memory-live-cache.js';
import { RedisLiveCache, type RedisServer } from './redis-live-cache.js';

/**
 * Opens the cache at `address`: `memory:` or `redis://host:port/db` (`rediss://` with TLS; `user:password@`
 * before the host; `?ca=`, `cert=`, `key=` and `passwordFile=` name files). Rejects with a sentence for a
 * malformed address, and if Redis refuses us or we its certificate. An unavailable Redis does not reject,
 * because it may start later. `now` is the monotonic clock of the in-process cache in milliseconds; `onError`
 * receives lost connections.
 */
export async function openLiveCache(
  address: string,
  deps: { readonly now?: () => number; readonly onError?: (error: Error) => void } = {},
): Promise<LiveCache> {
  const scheme = address.slice(0, address.indexOf(':') + 1);
  switch (scheme) {
    case 'memory:':
      if (address !== scheme)
        throw new WrongSetting('The address of the in-process cache is memory: without anything after it.');
      return MemoryLiveCache.withDefaults(deps.now ?? (() => performance.now()));
    case 'redis:':
    case 'rediss:': {
      const cache = new RedisLiveCache(redisServerOf(address), deps.onError ?? (() => {}));
      await cache.connected();
      return cache;
    }
    default:
      throw new WrongSetting(
        `The address of the cache must start with memory: or redis://, not with '${scheme}'.`,
      );
  }
}

/** The server that an address names. Throws a sentence. */
export function redisServerOf(address: string): RedisServer {
  const fault = (what: string) =>
    new WrongSetting(`The address of the cache ${what}: write redis://host:6379/0.`);
  if (!URL.canParse(address)) throw fault('is malformed');
  const url = new URL(address);
  if (url.hostname === '') throw fault('has no host');
  if (url.hash !== '') throw fault("has a '#'");
  const { searchParams: parameters } = url;
  const hasTls = isOverTls(address);
  const password = decodeURIComponent(url.password);
  const security = securityOf({ parameters, others: [], hasTls, password }, fault);
  if (!/^(\/\d{0,4})?$/.test(url.pathname))
    throw fault('has something other than a database number after the host');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    db: Number(url.pathname.slice(1)),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...security,
  };
}
