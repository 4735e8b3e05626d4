import { randomUUID } from 'node:crypto';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { type EdgeObservations, observationKind } from '#schemas/messages.js';
import { matchedDriversMax, matchedEdgesMax, matchedKnownMs, probesEnough, probeWindowMs } from './limits.js';

export interface MatchedEdge {
  readonly edge: string;
  /** When the user left it, Unix milliseconds. */
  readonly leftMs: number;
}

export interface MatchedEdges {
  /** The edge that the user drove last; nothing if it is unknown or older than some minutes. */
  of(userId: string, nowMs: number): MatchedEdge | undefined;
  /** Whether so many drivers used the edge recently that one more changes no figure. */
  isCovered(edge: string, nowMs: number): boolean;
  close(): Promise<void>;
}

/** Passages of an edge in the present window of time and in the previous one. */
interface Probes {
  window: number;
  present: number;
  before: number;
}

/**
 * The edges that points were matched to, from `traffic.edge.observed`, in which drivers have daily
 * pseudonyms. Kept in memory only and shown only to the user. At its limits the entry with the oldest update
 * is evicted.
 */
export class MatchedEdgesState {
  readonly #driverOf: (userId: string, nowMs: number) => number;
  readonly #byDriver = new Map<number, MatchedEdge>();
  readonly #probes = new Map<string, Probes>();
  /** Pseudonyms cost a keyed hash each. */
  readonly #drivers = new Map<string, number>();
  #day = 0;

  constructor(driverOf: (userId: string, nowMs: number) => number) {
    this.#driverOf = driverOf;
  }

  take({ observations }: EdgeObservations): void {
    for (const { edgeId, kind, leftMs, receivedMs, driver } of observations) {
      if (kind !== observationKind.passed) continue;
      const known = this.#byDriver.get(driver);
      if (known === undefined || known.leftMs <= leftMs) {
        this.#byDriver.delete(driver);
        this.#byDriver.set(driver, { edge: edgeId, leftMs });
        forgetOldest(this.#byDriver, matchedDriversMax);
      }
      this.#count(edgeId, Math.floor(receivedMs / probeWindowMs));
    }
  }

  of(userId: string, nowMs: number): MatchedEdge | undefined {
    if (this.#byDriver.size === 0) return undefined;
    const matched = this.#byDriver.get(this.#driver(userId, nowMs));
    return matched !== undefined && nowMs - matched.leftMs <= matchedKnownMs ? matched : undefined;
  }

  isCovered(edge: string, nowMs: number): boolean {
    const probes = this.#probes.get(edge);
    if (probes === undefined) return false;
    const age = Math.floor(nowMs / probeWindowMs) - probes.window;
    return (
      (age <= 0 ? Math.max(probes.present, probes.before) : age === 1 ? probes.present : 0) >= probesEnough
    );
  }

  #count(edge: string, window: number): void {
    const probes = this.#probes.get(edge) ?? { window, present: 0, before: 0 };
    if (window > probes.window) {
      probes.before = window === probes.window + 1 ? probes.present : 0;
      probes.present = 0;
      probes.window = window;
    }
    if (window === probes.window) probes.present++;
    this.#probes.delete(edge);
    this.#probes.set(edge, probes);
    forgetOldest(this.#probes, matchedEdgesMax);
  }

  #driver(userId: string, nowMs: number): number {
    const day = Math.floor(nowMs / dayMs);
    if (day !== this.#day) this.#drivers.clear();
    this.#day = day;
    let driver = this.#drivers.get(userId);
    if (driver === undefined) {
      driver = this.#driverOf(userId, nowMs);
      this.#drivers.set(userId, driver);
      forgetOldest(this.#drivers, matchedDriversMax);
    }
    return driver;
  }
}

const dayMs = 86_400_000;

/** A map's first key is the one that was set longest ago. */
function forgetOldest<Key>(map: Map<Key, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/**
 * Follows the topic from now on, in a consumer group of this process alone: each ingest server receives all
 * records.
 */
export async function followMatchedEdges(ports: {
  readonly log: Pick<EventLog, 'consume'>;
  readonly codec: TopicCodec<EdgeObservations>;
  /** Pseudonym of a user, as the observations carry it. */
  readonly driverOf: (userId: string, nowMs: number) => number;
  readonly logger: Logger;
}): Promise<MatchedEdges> {
  const { log, codec, driverOf, logger } = ports;
  const state = new MatchedEdgesState(driverOf);
  const topic = codec.topic.name;
  const consumer = await log.consume({
    group: `door-${randomUUID()}`,
    topics: [topic],
    startAt: 'latest',
    onBatch: async ({ records }) => {
      for (const { value } of records) {
        if (value === null) continue;
        try {
          state.take(codec.decode(value));
        } catch (error) {
          logger.debug('an observation cannot be decoded', { topic, error });
        }
      }
    },
    onError: (error) =>
      logger.warn('matched edges cannot be read; retrying', { topic, cause: error.message }),
  });
  return {
    of: (userId, nowMs) => state.of(userId, nowMs),
    isCovered: (edge, nowMs) => state.isCovered(edge, nowMs),
    close: () => consumer.close(),
  };
}
