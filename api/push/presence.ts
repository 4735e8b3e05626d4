import { randomUUID } from 'node:crypto';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { Counter, Metrics } from '#platform/telemetry/metrics.js';
import * as limits from '../http/limits.js';
import type { Attendance } from './navigation-store.js';
import { type PresenceHeartbeat, readPresenceHeartbeat } from './presence-heartbeat.js';

export interface PresenceDeps {
  readonly cache: Pick<LiveCache, 'get' | 'set' | 'delete' | 'publish' | 'subscribe'>;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Another instance has a socket of this navigation. */
  readonly onElsewhere: (navigationId: string) => void;
}

interface Stay {
  readonly sinceMs: number;
  readonly writtenTick: number;
}

const channel = 'nav:presence';
const refreshTicks = limits.presenceRefreshMs / limits.presenceTickMs;
const peerTicks = limits.presenceTtlMs / limits.presenceTickMs;

/**
 * Which instance has the sockets of which navigation, in the live cache:
 *
 *     nav:presence:{navigation}   "{instance} {since, Unix ms}", kept for a minute, written again every 20 s
 *     channel nav:presence        a `PresenceHeartbeat` of what was written
 *
 * One timer does all work; no socket waits for it and nothing queues up. A failed write is due again at the
 * next tick, and a failed removal is left to expiry.
 *
 * The cache holds the instance that wrote last, and only that one removes its entry. An instance that writes
 * between this read and the removal is missing until its next refresh. If two instances have a socket each,
 * either may be in the cache.
 */
export class Presence implements Attendance {
  readonly #deps: PresenceDeps;
  readonly #instance = randomUUID();
  /** Navigations that the cache does not have yet, with the time since when. */
  readonly #unwritten = new Map<string, number>();
  /** In the order in which they are due again. */
  readonly #written = new Map<string, Stay>();
  readonly #left = new Set<string>();
  readonly #peers = new Map<string, { readonly connected: number; readonly lastSeenTick: number }>();
  readonly #dropped: Counter;
  #timer: NodeJS.Timeout | undefined;
  #now = 0;
  #working: Promise<void> | undefined;
  #unsubscribe: (() => Promise<void>) | undefined;
  #published = { connected: 0, tick: 0 };

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
    this.#dropped = deps.metrics.counter(
      'presence_calls_dropped_total',
      'Failed live-cache calls about connected navigations. Writes are repeated while a socket is open.',
    );
    const gauge = deps.metrics.gauge(
      'navigations_connected',
      'Navigations with an open WebSocket on this instance.',
    );
    deps.metrics.onScrape(() => gauge.set(this.#here));
  }

  start(): void {
    this.#timer = setInterval(() => void this.tick(), limits.presenceTickMs).unref();
  }

  came(navigationId: string): void {
    this.#left.delete(navigationId);
    if (this.#written.has(navigationId) || this.#unwritten.has(navigationId)) return;
    this.#unwritten.set(navigationId, this.#deps.nowMs());
  }

  left(navigationId: string): void {
    if (!this.#unwritten.delete(navigationId) && !this.#written.delete(navigationId)) return;
    if (this.#left.size < limits.presenceRemovalsMax) this.#left.add(navigationId);
    else this.#dropped.add();
  }

  /**
   * Navigations with an open socket, here and at the instances that published lately. A navigation with
   * sockets at two instances counts twice.
   */
  get connected(): number {
    let sum = this.#here;
    for (const { connected, lastSeenTick } of this.#peers.values())
      if (this.#now - lastSeenTick < peerTicks) sum += connected;
    return sum;
  }

  get #here(): number {
    return this.#unwritten.size + this.#written.size;
  }

  /**
   * Resolves when everything due was attempted; never rejects. Meanwhile, a further tick only counts time.
   */
  tick(): Promise<void> {
    this.#now += 1;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  /** Removes this instance from the cache, with a single attempt. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
    for (const id of [...this.#unwritten.keys(), ...this.#written.keys()]) this.left(id);
    await this.tick();
    await this.#unsubscribe?.();
  }

  async #work(): Promise<void> {
    if (this.#unsubscribe === undefined) await this.#each([channel], () => this.#listen());
    const left = [...this.#left];
    this.#left.clear();
    await this.#each(left, (id) => this.#removeOurs(id));
    const here = await this.#each(this.#due(), (id) => this.#write(id));
    await this.#publish(here);
  }

  async #listen(): Promise<void> {
    this.#unsubscribe = await this.#deps.cache.subscribe(channel, (text) => this.#receive(text));
  }

  /** The late end of an old socket must not hide a driver who has reconnected to another instance. */
  async #removeOurs(id: string): Promise<void> {
    const { cache, onElsewhere } = this.#deps;
    const found = await cache.get(keyOf(id));
    if (found?.startsWith(`${this.#instance} `) === true) await cache.delete(keyOf(id));
    else if (found !== undefined) onElsewhere(id);
  }

  #due(): string[] {
    const due: string[] = [];
    for (const id of this.#unwritten.keys()) {
      if (due.length === limits.presenceWritesPerTickMax) return due;
      due.push(id);
    }
    for (const [id, { writtenTick }] of this.#written) {
      if (due.length === limits.presenceWritesPerTickMax || this.#now - writtenTick < refreshTicks) break;
      due.push(id);
    }
    return due;
  }

  async #write(id: string): Promise<void> {
    const sinceMs = this.#unwritten.get(id) ?? this.#written.get(id)?.sinceMs;
    if (sinceMs === undefined) return;
    await this.#deps.cache.set(keyOf(id), `${this.#instance} ${sinceMs}`, limits.presenceTtlMs);
    // It may have left meanwhile; then the next tick removes it.
    if (!this.#unwritten.delete(id) && !this.#written.delete(id)) return;
    this.#written.set(id, { sinceMs, writtenTick: this.#now });
  }

  /** Also periodically without changes, so that other instances know that this one is alive. */
  async #publish(here: readonly string[]): Promise<void> {
    const connected = this.#here;
    const hasChanged = here.length > 0 || connected !== this.#published.connected;
    if (!hasChanged && this.#now - this.#published.tick < refreshTicks) return;
    const call: PresenceHeartbeat = { instance: this.#instance, connected, here };
    const [published] = await this.#each([channel], () =>
      this.#deps.cache.publish(channel, JSON.stringify(call)),
    );
    if (published !== undefined) this.#published = { connected, tick: this.#now };
  }

  #receive(text: string): void {
    const call = readPresenceHeartbeat(text);
    if (call === undefined || call.instance === this.#instance) return;
    const { instance, connected, here } = call;
    for (const [peer, { lastSeenTick }] of this.#peers)
      if (this.#now - lastSeenTick >= peerTicks) this.#peers.delete(peer);
    if (this.#peers.has(instance) || this.#peers.size < limits.presencePeersMax)
      this.#peers.set(instance, { connected, lastSeenTick: this.#now });
    for (const id of here) this.#deps.onElsewhere(id);
  }

  /** In groups; returns the ids that succeeded, and stops after a group without success. */
  async #each(ids: readonly string[], call: (id: string) => Promise<void>): Promise<string[]> {
    const done: string[] = [];
    for (let from = 0; from < ids.length; from += limits.presenceCallsMax) {
      const some = ids.slice(from, from + limits.presenceCallsMax);
      const outcomes = await Promise.allSettled(some.map(call));
      const taken = some.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      if (taken.length === 0) break;
      done.push(...taken);
    }
    if (done.length < ids.length) this.#dropped.add(ids.length - done.length);
    return done;
  }
}

const keyOf = (navigationId: string): string => `nav:presence:${navigationId}`;
