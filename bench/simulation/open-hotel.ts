import type { Sql } from '#platform/sql/sql.js';

/** Nights that the hotel sells, from the first of July 2027. */
export const nights = 5;
const rooms = 6;
const priceMinor = 10_000;

/** One hotel with one type of room and few of them, so that guests meet. */
export async function openHotel(sql: Sql): Promise<void> {
  await sql.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
     VALUES ('opera', 'Opera', 'Kungsgatan 1', 57.7, 11.97, 'Europe/Stockholm', 'EUR')`,
  );
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ('opera', 'double', 'Double')`,
  );
  await sql.query(
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT 'opera', 'double', '2027-07-01'::date + d, $2 FROM generate_series(0, $1 - 1) d`,
    [nights, rooms],
  );
  await sql.query(
    `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
     SELECT 'opera', 'double', '2027-07-01'::date + d, $2 FROM generate_series(0, $1 - 1) d`,
    [nights, priceMinor],
  );
}
