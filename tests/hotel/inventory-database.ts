import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { PostgresReservations, type ReservationOptions } from '#hotel/reservations/postgres-reservations.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { openDatabase } from '../shared-postgres.js';

export interface HotelDatabase {
  readonly sql: Sql;
  readonly address: string;
  readonly clock: { now: Date };
  /**
   * Creates a hotel of one room type with `total` rooms on every day of `days` from `firstDay`, at 100.00 a
   * night; returns its id, which is `hotelId` if given.
   */
  hotel(options?: Partial<HotelOptions>): Promise<string>;
  reservations(options?: Partial<ReservationOptions>): PostgresReservations;
  counts(hotelId: string): Promise<readonly number[]>;
  /** Fails unless every count equals the reservations and nothing is oversold. */
  prove(): Promise<void>;
  dispose(): Promise<void>;
}

export interface HotelOptions {
  readonly total: number;
  readonly firstDay: string;
  readonly days: number;
  readonly timeZone: string;
  readonly hotelId: string;
}

/** A real database for one test file. The clock stays at noon of 1 June 2027 until a test moves it. */
export async function openHotelDatabase(
  connectionsMax = 16,
  statementTimeoutMs = 30_000,
  open = openDatabase,
): Promise<HotelDatabase> {
  const database = await open('hotel', hotelMigrations, { connectionsMax, statementTimeoutMs });
  const { sql, address } = database;
  const clock = { now: new Date('2027-06-01T12:00:00Z') };
  let hotels = 0;
  const opened: PostgresReservations[] = [];
  return {
    sql,
    address,
    clock,
    async hotel({
      total = 10,
      firstDay = '2027-07-01',
      days = 10,
      timeZone = 'Europe/Stockholm',
      hotelId = `hotel-${hotels + 1}`,
    } = {}) {
      hotels += 1;
      await sql.query(
        `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency) VALUES ($1, 'Opera', 'Kungsgatan 1', 57.7, 11.97, $2, 'SEK')`,
        [hotelId, timeZone],
      );
      await sql.query(
        `INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'double', 'Double')`,
        [hotelId],
      );
      await sql.query(
        `INSERT INTO room (hotel_id, room_id, room_type_id, number) SELECT $1, 'room-' || n, 'double', n::text FROM generate_series(1, $2) n`,
        [hotelId, total],
      );
      const series = `FROM generate_series(0, $2 - 1) d`;
      await sql.query(
        `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory) SELECT $1, 'double', $3::date + d, $4 ${series}`,
        [hotelId, days, firstDay, total],
      );
      await sql.query(
        `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor) SELECT $1, 'double', $3::date + d, 10000 ${series}`,
        [hotelId, days, firstDay],
      );
      return hotelId;
    },
    reservations(options = {}) {
      const made = new PostgresReservations({ sql, now: () => clock.now, ...options });
      opened.push(made);
      return made;
    },
    async counts(hotelId) {
      const { rows } = await sql.query<{ total_reserved: number }>(
        'SELECT total_reserved FROM room_type_inventory WHERE hotel_id = $1 ORDER BY date',
        [hotelId],
      );
      return rows.map((row) => row.total_reserved);
    },
    async prove() {
      const proof = await recount(sql);
      expect(proof).toMatchObject({ oversold: [], miscounted: [], lost: [] });
    },
    async dispose() {
      for (const one of opened) await one.close();
      await database.dispose();
    },
  };
}

/** A valid request for the nights of 1 to 3 July 2027; each call has another user and id. */
export function requestFor(hotelId: string, given: Partial<ReserveRequest> = {}): ReserveRequest {
  return {
    reservationId: randomUUID(),
    userId: `user-${randomUUID()}` as UserId,
    hotelId,
    roomTypeId: 'double',
    startDate: '2027-07-01',
    endDate: '2027-07-03',
    roomCount: 1,
    ...given,
  };
}
