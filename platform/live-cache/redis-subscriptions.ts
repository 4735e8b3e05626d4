import { Redis, type RedisOptions } from 'ioredis';
import { liveCacheLimits } from './limits.js';

/** Replies in the shape of RESP2, which ioredis' types select by this option. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

type Handler = (message: string) => void;

interface Channel {
  readonly handlers: Set<Handler>;
  readonly subscribed: Promise<unknown>;
}

/** A connection of its own, opened with the first subscription: a subscribed one takes no other commands. */
export class RedisSubscriptions {
  readonly #connection: Redis;
  readonly #channels = new Map<string, Channel>();

  constructor(options: ConnectionOptions, onError: (error: Error) => void) {
    // Silence is not a fault here: a subscriber may wait for hours, and TCP keep-alive detects a dead peer.
    const { socketTimeout: _, ...patient } = options;
    this.#connection = new Redis({ ...patient, keepAlive: 10_000, lazyConnect: true, autoResubscribe: true });
    this.#connection.on('error', onError);
    this.#connection.on('message', (channel: string, message: string) => {
      // Each handler runs in its own turn: if one throws, the others are not affected.
      for (const handler of this.#channels.get(channel)?.handlers ?? []) {
        queueMicrotask(() => {
          if (this.#channels.get(channel)?.handlers.has(handler)) handler(message);
        });
      }
    });
  }

  async add(channel: string, onMessage: Handler): Promise<() => Promise<void>> {
    const handler: Handler = (message) => onMessage(message); // The same function may be subscribed twice.
    const present = this.#channels.get(channel);
    const entry = present ?? { handlers: new Set<Handler>(), subscribed: this.#subscribe(channel) };
    entry.handlers.add(handler);
    this.#channels.set(channel, entry);
    try {
      await entry.subscribed;
    } catch (error) {
      if (this.#channels.get(channel) === entry) this.#channels.delete(channel);
      throw error;
    }
    return () => this.#remove(channel, entry, handler);
  }

  close(): void {
    this.#channels.clear();
    this.#connection.disconnect();
  }

  async #remove(channel: string, entry: Channel, handler: Handler): Promise<void> {
    entry.handlers.delete(handler);
    if (entry.handlers.size > 0 || this.#channels.get(channel) !== entry) return;
    this.#channels.delete(channel);
    // While Redis is unavailable there is no subscription to end; a message of the channel has no handler.
    await this.#connection.unsubscribe(channel).catch(() => {});
  }

  async #subscribe(channel: string): Promise<void> {
    // The client reconnects by itself.
    if (this.#connection.status === 'wait') this.#connection.connect().catch(() => {});
    if (this.#connection.status !== 'ready') {
      const signal = AbortSignal.timeout(liveCacheLimits.commandTimeoutMs);
      await new Promise<void>((resolve, reject) => {
        this.#connection.once('ready', resolve);
        signal.addEventListener('abort', () => {
          this.#connection.off('ready', resolve);
          reject(new Error('no connection for subscriptions'));
        });
      });
    }
    await this.#connection.subscribe(channel);
  }
}
