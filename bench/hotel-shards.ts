import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recount } from '#hotel/inventory/recount.js';
import { hotelLimits } from '#hotel/limits.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { becomeServers } from '#hotel/sharding/hotel-servers.js';
import { moveHotel } from '#hotel/sharding/move-hotel.js';
import { Placement } from '#hotel/sharding/placement.js';
import { ShardedReservations } from '#hotel/sharding/sharded-reservations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { newReservationId } from '#schemas/reservation-id.js';
import type { UserId } from '#schemas/units.js';
import { appendResult, spread } from './append-result.js';
import { waitsForTheDisk } from './fresh-database.js';
import { worldCpu } from './payment/world-cpu.js';

/**
 * What does a reservation cost, in CPU seconds of the program and of all processes of PostgreSQL, with half
 * of the hotels on a second server, compared with one server? In turns, on three servers of PostgreSQL that
 * this program starts: one alone, and two together. Afterwards everything is counted again.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const perRound = Number(process.env['RESERVATIONS'] ?? 4_000);
const callers = Number(process.env['CALLERS'] ?? 64);
/** Ids that do not name their hotel: with two servers, each is noted in the directory first. */
const free = process.env['IDS'] === 'free';
const hotels = 40;
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-shards-'));

async function openServer(name: string): Promise<Sql> {
  const sql = await openSql(`embedded:${join(folder, name)}`);
  await waitsForTheDisk(sql);
  await sql.migrate('hotel', hotelMigrations);
  return sql;
}

async function addHotels(sql: Sql): Promise<void> {
  await sql.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
     SELECT 'h' || n, 'Hotel', 'Street', 57, 12, 'Europe/Stockholm', 'SEK' FROM generate_series(1, ${hotels}) n`,
  );
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name) SELECT hotel_id, 'double', 'Double' FROM hotel`,
  );
  const days = `FROM hotel, generate_series(0, 59) d`;
  await sql.query(
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT hotel_id, 'double', DATE '2099-07-01' + d, 1000000 ${days}`,
  );
  await sql.query(
    `INSERT INTO room_type_rate SELECT hotel_id, 'double', DATE '2099-07-01' + d, 10000 ${days}`,
  );
}

const [alone, main, b] = [await openServer('alone'), await openServer('main'), await openServer('b')];
await addHotels(alone);
await addHotels(main);
const servers = new Map([
  ['main', main],
  ['b', b],
]);
await becomeServers(servers);
const relay = new OutboxRelay({ sql: main, publish: async () => {}, holder: 'bench' });
relay.start();
for (let n = 2; n <= hotels; n += 2) {
  const { kind } = await moveHotel({ servers, staleMs: 300, graceMs: 0 }, `h${n}`, 'b');
  if (kind !== 'moved') throw new Error(`void: a hotel was not moved: ${kind}`);
}
await relay.close();

const holdsPerUserMax = 1_000_000;
const one = new PostgresReservations({ sql: alone, holdsPerUserMax });
const two = new ShardedReservations(
  new Placement(main),
  new Map(
    [...servers].map(([name, sql]) => [
      name,
      new PostgresReservations({
        sql,
        holdsPerUserMax,
        isOneOfMany: true,
        writers: hotelLimits.writers / servers.size,
      }),
    ]),
  ),
  main,
  holdsPerUserMax,
);
const cpuOf = await Promise.all([alone, main, b].map((sql) => worldCpu(sql)));
const cpuSeconds = () =>
  cpuOf.reduce((sum, of) => sum + of([]), 0) +
  process.cpuUsage().user / 1e6 +
  process.cpuUsage().system / 1e6;

let acknowledged = 0;
/** Milliseconds of CPU for a reservation. */
async function cost(reservations: Reservations): Promise<number> {
  // What an earlier round left to the background is over.
  for (const sql of [alone, main, b]) {
    await sql.query('TRUNCATE hotel_outbox');
    await sql.query('CHECKPOINT');
    // As autovacuum does in a minute: without statistics, plans are those for empty tables.
    await sql.query('ANALYZE');
  }
  const from = cpuSeconds();
  let turn = 0;
  const series = randomUUID();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (turn < perRound) {
        turn += 1;
        const hotelId = `h${1 + (turn % hotels)}`;
        const { kind } = await reservations.reserve({
          reservationId: free ? randomUUID() : newReservationId(hotelId),
          // Each four times, as people do who compare.
          userId: `guest-${series}-${turn % 1_000}` as UserId,
          hotelId,
          roomTypeId: 'double',
          startDate: '2099-07-01',
          endDate: '2099-07-03',
          roomCount: 1,
        });
        if (kind !== 'reserved') throw new Error(`void: a reservation was ${kind}`);
      }
    }),
  );
  return ((cpuSeconds() - from) * 1_000) / perRound;
}

await cost(one);
await cost(two);
acknowledged = perRound;
const ratios: number[] = [];
const ofOne: number[] = [];
const ofTwo: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const first = round % 2 === 0;
  const [a, c] = first
    ? [await cost(one), await cost(two)]
    : await cost(two).then(async (later) => [await cost(one), later]);
  acknowledged += perRound;
  ofOne.push(a!);
  ofTwo.push(c!);
  ratios.push(c! / a!);
  console.error(`round ${round + 1}: ${a!.toFixed(3)} and ${c!.toFixed(3)} ms`);
}

const stored: number[] = [];
for (const sql of [alone, main, b]) {
  const { oversold, miscounted, lost } = await recount(sql);
  if (oversold.length + miscounted.length + lost.length > 0) throw new Error('void: counts differ');
  const { rows } = await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM reservation');
  stored.push(Number(rows[0]!.n));
}
if (stored[0] !== acknowledged || stored[1]! + stored[2]! !== acknowledged || stored[2] === 0)
  throw new Error(`void: ${acknowledged} were acknowledged, ${stored.join(', ')} are stored`);
await two.close();
await one.close();
for (const sql of [alone, main, b]) await sql.close();
rmSync(folder, { recursive: true, force: true });

const result = {
  reservations: perRound,
  callers,
  hotels,
  ids: free ? 'free' : 'named',
  oneMs: spread(ofOne),
  twoMs: spread(ofTwo),
  cpuTwoOverOne: spread(ratios),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('hotel-shards', result);
process.exit();
