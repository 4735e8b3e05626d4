import { join } from 'node:path';
import { recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { paymentMigrations } from '#payment/migrations.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { SqlSession } from '#platform/sql/sql.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

/**
 * Compares three records: the counts of rooms, the reservations, the money. The share is the least of the
 * three.
 */
export async function showPaymentProof(): Promise<void> {
  const config = readSettings();
  const sql = await openSql(config.SQL ?? `embedded:${join(config.MERIDIAN_DATA, 'sql')}`);
  try {
    await sql.migrate('hotel', hotelMigrations);
    await sql.migrate('payment', paymentMigrations);
    await sql.migrate('booking', bookingMigrations);
    const proof = await sql.transaction(prove, { isolation: 'repeatable read' });
    console.log(
      JSON.stringify(proof, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item), 2),
    );
    if (proof.share < 1) throw new CommandFailed('Not everything is proven.', exitCode.failed);
  } finally {
    await sql.close();
  }
}

async function prove(tx: SqlSession) {
  const rooms = await recount(tx);
  const bookings = await proveBookings(tx);
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
