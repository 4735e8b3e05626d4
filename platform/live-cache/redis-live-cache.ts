import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { ClientTls } from '../config/connection-security.js';
import { isRefusedForGood } from '../config/refused-for-good.js';
import { checkName, checkTtl, checkValue } from './check-input.js';
import { liveCacheLimits } from './limits.js';
import { CacheUnavailable, type LiveCache } from './live-cache.js';
import { type ConnectionOptions, RedisSubscriptions } from './redis-subscriptions.js';

export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: ClientTls;
}

/** One script, so that every count has an expiry. */
const incrementScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

/**
 * The cache that all instances share. While Redis is unavailable every call fails within `commandTimeoutMs`
 * and nothing is queued; the connection and its subscriptions recover by themselves.
 */
export class RedisLiveCache implements LiveCache {
  readonly #where: string;
  readonly #commands: Redis;
  readonly #subscriptions: RedisSubscriptions;
  #pending = 0;

  constructor(server: RedisServer, onError: (error: Error) => void) {
    this.#where = `Redis at ${server.host}:${server.port}`;
    const options: ConnectionOptions = {
      host: server.host,
      port: server.port,
      db: server.db,
      ...(server.username === undefined ? {} : { username: server.username }),
      ...(server.password === undefined ? {} : { password: server.password }),
      ...(server.tls === undefined ? {} : { tls: server.tls }),
      connectTimeout: liveCacheLimits.commandTimeoutMs,
      commandTimeout: liveCacheLimits.commandTimeoutMs,
      // A connection that is silent for this long is closed, and the commands that wait on it fail.
      socketTimeout: 2 * liveCacheLimits.commandTimeoutMs,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (attempt) =>
        Math.random() * Math.min(50 * 2 ** attempt, liveCacheLimits.reconnectDelayMsMax),
    };
    this.#commands = new Redis({
      ...options,
      scripts: { incrementWithin: { lua: incrementScript, numberOfKeys: 1 } },
    });
    this.#commands.on('error', onError);
    this.#subscriptions = new RedisSubscriptions(options, onError);
  }

  /**
   * Waits briefly for Redis and continues without it: it may start later. Rejects if Redis refuses us, or we
   * its certificate.
   */
  async connected(): Promise<void> {
    if (this.#commands.status === 'ready') return;
    const signal = AbortSignal.timeout(liveCacheLimits.commandTimeoutMs);
    await once(this.#commands, 'ready', { signal }).catch(async (error: unknown) => {
      if (!isRefusedForGood(error)) return;
      await this.close();
      throw new CacheUnavailable(`${this.#where} cannot be used: ${(error as Error).message}`, {
        cause: error,
      });
    });
  }

  async get(key: string): Promise<string | undefined> {
    checkName('key', key);
    return (await this.#run(() => this.#commands.get(key))) ?? undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkName('key', key);
    checkValue('value', value);
    checkTtl(ttlMs);
    await this.#run(() => this.#commands.set(key, value, 'PX', ttlMs));
  }

  async delete(key: string): Promise<void> {
    checkName('key', key);
    await this.#run(() => this.#commands.del(key));
  }

  async increment(key: string, ttlMs: number): Promise<number> {
    checkName('key', key);
    checkTtl(ttlMs);
    const commands = this.#commands as Redis & {
      incrementWithin(key: string, ttlMs: number): Promise<number>;
    };
    return this.#run(() => commands.incrementWithin(key, ttlMs));
  }

  async publish(channel: string, message: string): Promise<void> {
    checkName('channel', channel);
    checkValue('message', message);
    await this.#run(() => this.#commands.publish(channel, message));
  }

  async subscribe(channel: string, onMessage: (message: string) => void): Promise<() => Promise<void>> {
    checkName('channel', channel);
    return this.#run(() => this.#subscriptions.add(channel, onMessage));
  }

  async check(): Promise<void> {
    await this.#run(() => this.#commands.ping());
  }

  async close(): Promise<void> {
    this.#commands.disconnect();
    this.#subscriptions.close();
  }

  async #run<Result>(command: () => Promise<Result>): Promise<Result> {
    if (this.#pending >= liveCacheLimits.pendingCommandsMax) {
      throw new CacheUnavailable(
        `${this.#where} is too slow: ${this.#pending} commands are waiting for an answer.`,
      );
    }
    this.#pending += 1;
    try {
      return await command();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message.includes('not an integer')) {
        throw new TypeError('The cache value is not a count: it was set to something else.', {
          cause: error,
        });
      }
      throw new CacheUnavailable(`${this.#where} failed: ${message}`, { cause: error });
    } finally {
      this.#pending -= 1;
    }
  }
}
