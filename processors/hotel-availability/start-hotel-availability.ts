import { setTimeout as delay } from 'node:timers/promises';
import type { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { availabilityLimits } from '#hotel/availability-cache/limits.js';
import type { EventLog, LogRecord } from '#platform/event-log/event-log.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { InventoryChanged } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import type { Running } from '../start-group.js';

export interface HotelAvailabilityDeps {
  readonly log: EventLog;
  readonly codecs: Pick<TopicCodecs, 'hotelInventoryChanged'>;
  readonly live: LiveCache;
  readonly availability: AvailabilityCache;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How often each partition looks for its mark; `availabilityLimits.lookEveryMs` when absent. */
  readonly lookEveryMs?: number;
}

const group = 'hotel-availability';
const markOf = (partition: number) => `rooms-fed:${partition}`;
const eventsAtOnce = 200;

/** Group `hotel-availability`: the counts of rooms go from the topic into the live cache. It has no state but the cache. */
export async function startHotelAvailability(deps: HotelAvailabilityDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'hotel_availability_outcomes_total',
    'Inventory events applied to the cache or unreadable, and partitions read again.',
    ['applied', 'undecodable', 'rebuilt'],
  );
  const feeder = new Feeder(deps, counts);
  const consumer = await feeder.start();
  return {
    ready: consumer.ready.then(() => feeder.untilWhole()),
    stats: () => counts.all(),
    async close() {
      feeder.stop();
      await consumer.close();
    },
  };
}

class Feeder {
  readonly #deps: HotelAvailabilityDeps;
  readonly #counts: Counts;
  readonly #ours = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #looking: Promise<void> | undefined;

  constructor(deps: HotelAvailabilityDeps, counts: Counts) {
    this.#deps = deps;
    this.#counts = counts;
  }

  async start() {
    const { log, codecs, logger, lookEveryMs = availabilityLimits.lookEveryMs } = this.#deps;
    const consumer = await log.consume({
      group,
      topics: [codecs.hotelInventoryChanged.topic.name],
      startAt: 'earliest',
      onBatch: ({ records }) => this.#apply(records),
      onAssigned: async (partitions) => {
        for (const { partition } of partitions) this.#ours.add(partition);
        return [];
      },
      onRevoked: async (partitions) => {
        for (const { partition } of partitions) this.#ours.delete(partition);
      },
      onError: (error, position) =>
        logger.warn('caching room inventory failed, will retry', {
          group,
          partition: position?.partition,
          cause: error.message,
        }),
    });
    this.#timer = setInterval(() => {
      this.rebuildMissing().catch((error: unknown) =>
        logger.warn('reading the room cache failed', { group, error }),
      );
    }, lookEveryMs).unref();
    return consumer;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  /** Resolves when every partition of ours has its mark, however long the cache is away. */
  async untilWhole(): Promise<void> {
    const { lookEveryMs = availabilityLimits.lookEveryMs, logger } = this.#deps;
    while (!this.#stopped) {
      try {
        await this.rebuildMissing();
        return;
      } catch (error) {
        logger.warn('the room cache cannot be filled yet', { group, error });
      }
      await delay(lookEveryMs);
    }
  }

  /** Reads every partition of ours again whose mark the cache has lost; one run at a time. */
  rebuildMissing(): Promise<void> {
    this.#looking ??= this.#rebuildMissing().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #rebuildMissing(): Promise<void> {
    const { live } = this.#deps;
    for (const partition of this.#ours) {
      if (this.#stopped) return;
      if ((await live.get(markOf(partition))) !== undefined) continue;
      await this.#readWhole(partition);
      await live.set(markOf(partition), 'whole', availabilityLimits.refreshEveryMs);
      this.#counts.add('rebuilt', 1);
    }
  }

  async #readWhole(partition: number): Promise<void> {
    const { log, codecs } = this.#deps;
    const topic = codecs.hotelInventoryChanged.topic.name;
    const place = (await log.offsets(topic)).find((each) => each.partition === partition);
    if (place === undefined || place.earliest === place.end) return;
    let some: LogRecord[] = [];
    for await (const record of log.read(topic, partition, place.earliest)) {
      some.push(record);
      if (some.length < eventsAtOnce) continue;
      if (this.#stopped) return;
      await this.#apply(some);
      some = [];
    }
    await this.#apply(some);
  }

  async #apply(records: readonly LogRecord[]): Promise<void> {
    const events: InventoryChanged[] = [];
    for (const { value, offset } of records) {
      if (value === null) continue;
      try {
        events.push(this.#deps.codecs.hotelInventoryChanged.decode(value));
      } catch (error) {
        if (!(error instanceof UndecodableRecord)) throw error;
        this.#counts.add('undecodable', 1);
        this.#deps.logger.warn('skipped an inventory record that cannot be decoded', {
          group,
          offset,
          cause: error.message,
        });
      }
    }
    await this.#deps.availability.apply(events);
    this.#counts.add('applied', events.length);
  }
}
