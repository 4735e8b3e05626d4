import { join } from 'node:path';
import { type Recount, recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import type { HotelServers } from '#hotel/sharding/hotel-servers.js';
import { paymentMigrations } from '#payment/migrations.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { CommandFailed, exitCode } from '../exit.js';
import { closeHotelServers, openHotelServers } from '../open/open-hotel-servers.js';
import { readSettings } from '../read-settings.js';

/**
 * Compares three records: the counts of rooms, the reservations, the money. The share is the least of the
 * three.
 */
export async function showPaymentProof(): Promise<void> {
  const config = readSettings();
  const sql = await openSql(config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`);
  let servers: HotelServers = new Map();
  try {
    await sql.migrate('hotel', hotelMigrations);
    await sql.migrate('payment', paymentMigrations);
    await sql.migrate('booking', bookingMigrations);
    servers = await openHotelServers(config, silentLogger, sql);
    const elsewhere = [...servers.values()].slice(1);
    const proof = await sql.transaction((tx) => prove(tx, elsewhere), { isolation: 'repeatable read' });
    console.log(
      JSON.stringify(proof, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item), 2),
    );
    if (proof.share < 1) throw new CommandFailed('Not everything is proven.', exitCode.failed);
  } finally {
    await closeHotelServers(servers);
    await sql.close();
  }
}

/** `elsewhere`: the other servers of hotels. */
async function prove(tx: SqlSession, elsewhere: readonly Sql[]) {
  let rooms = await recount(tx);
  for (const server of elsewhere) rooms = bothCounts(rooms, await recount(server));
  const bookings = await proveBookings(tx, elsewhere);
  const money = await proveMoney(tx);
  const wrong = rooms.oversold.length + rooms.miscounted.length + rooms.lost.length;
  const share = (good: number, all: number) => (all === 0 ? 1 : good / all);
  const shares = {
    rooms: share(rooms.days - Math.min(wrong, rooms.days), rooms.days),
    bookings: share(bookings.proven, bookings.proven + bookings.unproven.length),
    money: money.share,
  };
  return { share: Math.min(...Object.values(shares)), shares, rooms, bookings, money };
}

const bothCounts = (a: Recount, b: Recount): Recount => ({
  oversold: [...a.oversold, ...b.oversold],
  miscounted: [...a.miscounted, ...b.miscounted],
  misfilled: [...a.misfilled, ...b.misfilled],
  lost: [...a.lost, ...b.lost],
  days: a.days + b.days,
});
