import { setTimeout as delay } from 'node:timers/promises';
import type { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { availabilityLimits } from '#hotel/availability-cache/limits.js';
import type { EventLog, LogRecord } from '#platform/event-log/event-log.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { batches } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { InventoryChanged } from '#schemas/messages.js';
import { Counts } from '../counts.js';
import type { Running } from '../start-group.js';

const outcomes = ['applied', 'undecodable', 'rebuilt'] as const;

type Outcome = (typeof outcomes)[number];

export interface HotelAvailabilityDeps {
  readonly log: EventLog;
  readonly codecs: Pick<TopicCodecs, 'hotelInventoryChanged' | 'deadLetter'>;
  readonly live: LiveCache;
  readonly availability: AvailabilityCache;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How often each partition checks its mark; `availabilityLimits.lookEveryMs` when absent. */
  readonly lookEveryMs?: number;
}

const group = 'hotel-availability';
const markOf = (partition: number) => `rooms-fed:${partition}`;
const eventsAtOnce = 200;

/**
 * Group `hotel-availability`: copies the counts of rooms from the topic into the live cache. It has no state
 * but the cache.
 */
export async function startHotelAvailability(deps: HotelAvailabilityDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'hotel_availability_outcomes_total',
    'Events applied to the cache, undecodable ones skipped during a rebuild, and rebuilt partitions.',
    outcomes,
  );
  const { log, codecs, logger, metrics, availability } = deps;
  const processor = await startProcessor(
    {
      group,
      startAt: 'earliest',
      inputs: [
        batches(codecs.hotelInventoryChanged, async (records) => {
          await availability.apply(records.map(({ message }) => message));
          counts.add('applied', records.length);
          return ok;
        }),
      ],
    },
    { log, deadLetters: codecs.deadLetter, logger, gauges: metricsGauges(metrics, group) },
  );
  const rebuilder = new Rebuilder(deps, counts, processor);
  return {
    ready: processor.ready.then(() => rebuilder.untilWhole()),
    stats: () => counts.all(),
    async close() {
      rebuilder.stop();
      await processor.close();
    },
  };
}

/** Reads a partition again from its start if the cache has lost its entries. */
class Rebuilder {
  readonly #deps: HotelAvailabilityDeps;
  readonly #counts: Counts<Outcome>;
  readonly #processor: Processor;
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  #looking: Promise<void> | undefined;

  constructor(deps: HotelAvailabilityDeps, counts: Counts<Outcome>, processor: Processor) {
    this.#deps = deps;
    this.#counts = counts;
    this.#processor = processor;
    const { logger, lookEveryMs = availabilityLimits.lookEveryMs } = deps;
    this.#timer = setInterval(() => {
      this.rebuildMissing().catch((error: unknown) =>
        logger.warn('the availability cache could not be read', { group, error }),
      );
    }, lookEveryMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  /** Resolves when every partition of ours has its mark, however long the cache is unavailable. */
  async untilWhole(): Promise<void> {
    const { lookEveryMs = availabilityLimits.lookEveryMs, logger } = this.#deps;
    while (!this.#stopped) {
      try {
        await this.rebuildMissing();
        return;
      } catch (error) {
        logger.warn('the availability cache cannot be filled yet', { group, error });
      }
      await delay(lookEveryMs);
    }
  }

  /** Reads every partition of ours again if the cache has lost its mark; one run at a time. */
  rebuildMissing(): Promise<void> {
    this.#looking ??= this.#rebuildMissing().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #rebuildMissing(): Promise<void> {
    const { live, codecs } = this.#deps;
    for (const partition of this.#processor.partitions(codecs.hotelInventoryChanged.topic.name)) {
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

  /** An undecodable record is in the dead letters already. */
  async #apply(records: readonly LogRecord[]): Promise<void> {
    const events: InventoryChanged[] = [];
    for (const { value } of records) {
      if (value === null) continue;
      try {
        events.push(this.#deps.codecs.hotelInventoryChanged.decode(value));
      } catch (error) {
        if (!(error instanceof UndecodableRecord)) throw error;
        this.#counts.add('undecodable', 1);
      }
    }
    await this.#deps.availability.apply(events);
    this.#counts.add('applied', events.length);
  }
}
