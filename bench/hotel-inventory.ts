import { readAvailability } from '#hotel/availability-cache/availability.js';
import { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { addDays, dayNumber } from '#hotel/reservations/stay-days.js';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import type { Sql } from '#platform/sql/sql.js';
import { appendResult, spread } from './append-result.js';
import { emptyReservations } from './hotel/hotel-database.js';
import { daysEach, fillDatabase, firstDay, roomTypes } from './hotel/inventory-databases.js';
import { staleness } from './hotel/staleness.js';
import { Missing } from './missing.js';
import { seeded } from './routing/seeded.js';

/**
 * Does the availability of three nights cost more among 73,000,000 counts than among 73,000? What does the
 * cache save, and how old is what it shows? LOAD=1 only creates the rows, which takes minutes and is not
 * timed.
 */
const address = process.env['SQL'];
if (address === undefined || !address.startsWith('postgres'))
  throw new Missing('Set SQL to a PostgreSQL server: infra/up postgres; set -a; . data/infra/env; set +a');
const hotels = Number(process.env['HOTELS'] ?? 5_000);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const reads = Number(process.env['READS'] ?? 4_000);
const random = seeded(1);
const pick = (below: number) => Math.floor(random() * below);

const progress = (rows: number) => console.error(`${rows.toLocaleString('en')} rows`);
const small = await fillDatabase(address, 'meridian_bench_inventory_small', 5, progress);
const large = await fillDatabase(address, `meridian_bench_inventory_${hotels}`, hotels, progress);
if (process.env['LOAD'] === '1') {
  await small.close();
  await large.close();
  process.exit(0);
}

const empty = MemoryLiveCache.withDefaults(() => performance.now());
const full = MemoryLiveCache.withDefaults(() => performance.now());
const cacheOf = (live: MemoryLiveCache) =>
  new AvailabilityCache(live, () => Date.parse(`${firstDay}T00:00:00Z`));
await fillCache();

async function fillCache(): Promise<void> {
  for (let hotel = 1; hotel <= 5; hotel += 1)
    for (let type = 1; type <= roomTypes; type += 1)
      await cacheOf(full).apply([
        {
          eventId: 1,
          hotelId: `h${hotel}`,
          roomTypeId: typeId(type),
          days: Array.from({ length: 300 }, (_, day) => dayNumber(addDays(firstDay, day))),
          totalInventory: new Array<number>(300).fill(10),
          totalReserved: new Array<number>(300).fill(0),
          changedMs: 0,
        },
      ]);
}

function typeId(type: number): string {
  return `t${String(type).padStart(2, '0')}`;
}

interface Reading {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

/** One after the other, so that a time is the time of one read; what comes back must be what was written. */
async function read(sql: Sql, among: number, live: MemoryLiveCache, days: number): Promise<Reading> {
  const cache = cacheOf(live);
  const times: number[] = [];
  const from = performance.now();
  for (let n = 0; n < reads; n += 1) {
    const startDate = addDays(firstDay, pick(days - 3));
    const began = performance.now();
    const outcome = await readAvailability(
      { sql, cache },
      `h${1 + pick(among)}`,
      typeId(1 + pick(roomTypes)),
      {
        startDate,
        endDate: addDays(startDate, 2),
      },
    );
    times.push(performance.now() - began);
    const expected = live === full ? 'cache' : 'database';
    if (outcome.kind !== 'nights' || outcome.source !== expected || outcome.nights.length !== 3)
      throw new Error(`void: ${JSON.stringify(outcome)}`);
    if (outcome.nights.some(({ rooms }) => rooms < 10)) throw new Error('void: rooms are missing');
  }
  const perSecond = (reads * 1_000) / (performance.now() - from);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond };
}

await read(small, 5, empty, daysEach);
await read(large, hotels, empty, daysEach);
await read(small, 5, full, 300);
const done: Array<{ readonly small: Reading; readonly large: Reading; readonly cached: Reading }> = [];
for (let round = 1; round <= rounds; round += 1) {
  done.push({
    small: await read(small, 5, empty, daysEach),
    large: await read(large, hotels, empty, daysEach),
    cached: await read(small, 5, full, 300),
  });
  console.error(`round ${round}: ${JSON.stringify(done.at(-1))}`);
}
const stale = await staleOnSmall();
const of = (pickOne: (round: (typeof done)[number]) => number) => spread(done.map(pickOne));
const { rows } = await large.query<{ bytes: bigint }>(
  `SELECT sum(pg_total_relation_size(inhrelid))::bigint AS bytes FROM pg_inherits WHERE inhparent = 'room_type_inventory'::regclass`,
);
const result = {
  rows: { small: 5 * roomTypes * daysEach, large: hotels * roomTypes * daysEach },
  largeGib: Number((Number(rows[0]!.bytes) / 2 ** 30).toFixed(2)),
  p99Ms: { small: of(({ small: one }) => one.p99Ms), large: of(({ large: one }) => one.p99Ms) },
  largeOverSmallP99: of((round) => round.large.p99Ms / round.small.p99Ms),
  readsPerSecond: {
    database: of(({ small: one }) => one.perSecond),
    cached: of(({ cached }) => cached.perSecond),
  },
  cachedOverDatabase: of((round) => round.cached.perSecond / round.small.perSecond),
  staleMs: { p50: stale(0.5), p99: stale(0.99) },
};
await small.close();
await large.close();
await empty.close();
await full.close();
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-inventory', result);
process.exit(0);

async function staleOnSmall(): Promise<(share: number) => number> {
  await emptyReservations(small);
  await small.query('UPDATE room_type_inventory SET total_reserved = 0 WHERE total_reserved > 0');
  await small.query('TRUNCATE hotel_outbox');
  await small.query(
    `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
     SELECT 'h1', 't01', '${firstDay}'::date + d, 10000 FROM generate_series(0, ${daysEach - 1}) d ON CONFLICT DO NOTHING`,
  );
  const waits = await staleness(
    small,
    'h1',
    Array.from({ length: 300 }, (_, day) => addDays(firstDay, day)),
  );
  const sorted = waits.toSorted((a, b) => a - b);
  return (share) => Number(sorted[Math.floor(share * (sorted.length - 1))]!.toPrecision(4));
}
