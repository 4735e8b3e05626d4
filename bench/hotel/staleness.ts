import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { dayNumber } from '#hotel/reservations/stay-days.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import type { Sql } from '#platform/sql/sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { startHotelAvailability } from '#processors/hotel-availability/start-hotel-availability.js';
import { topics } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';

/**
 * Milliseconds from the answer to a reservation until the cache shows its count, over the complete path:
 * outbox, relay, embedded log, consumer group, cache. One after the other, each on a day of its own.
 */
export async function staleness(
  sql: Sql,
  hotelId: string,
  days: readonly string[],
): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-staleness-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log') });
  await log.createTopics(topics);
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const live = MemoryLiveCache.withDefaults(() => performance.now());
  const cache = new AvailabilityCache(live, Date.now);
  const relay = new OutboxRelay({ sql, publish: publishToLog(log, codecs), holder: randomUUID() });
  relay.start();
  const logger = silentLogger;
  const feeder = await startHotelAvailability({
    ...{ log, codecs, live, availability: cache, logger },
    metrics: createMetrics({ processMetrics: false }),
  });
  await feeder.ready;
  const reservations = new PostgresReservations({ sql, holdsPerUserMax: 1_000_000 });
  const waits: number[] = [];
  for (const day of days) {
    const outcome = await reservations.reserve({
      reservationId: randomUUID(),
      userId: 'bench' as UserId,
      hotelId,
      roomTypeId: 't01',
      startDate: day,
      endDate: day,
      roomCount: 1,
    });
    if (outcome.kind !== 'reserved') throw new Error(`void: ${outcome.kind} instead of reserved`);
    const from = performance.now();
    while ((await cache.read(hotelId, 't01', [dayNumber(day)]))?.[0]?.totalReserved !== 1) {
      if (performance.now() - from > 10_000)
        throw new Error('void: a count did not reach the cache in ten seconds');
      await delay(1);
    }
    waits.push(performance.now() - from);
  }
  await reservations.close();
  await feeder.close();
  await relay.close();
  await live.close();
  await log.close();
  await registry.close();
  await rm(folder, { recursive: true, force: true });
  return waits;
}
