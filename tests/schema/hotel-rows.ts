import { addDays } from '#hotel/reservations/stay-days.js';
import type { Sql } from '#platform/sql/sql.js';

export const arrival = addDays(new Date().toISOString().slice(0, 10), 20);
/** What was reserved, to request it again. */
export const asked = {
  hotelId: 'opera',
  roomTypeId: 'double',
  startDate: arrival,
  endDate: arrival,
  roomCount: 2,
};

/** Rows in all tables of the schema of commit 54c4947. */
export async function fillHotel(sql: Sql): Promise<void> {
  await sql.query(`
    INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
      VALUES ('opera', 'Opera', 'Kungsgatan 1', 57.7, 11.97, 'Europe/Stockholm', 'SEK');
    INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ('opera', 'double', 'Double');
    INSERT INTO room (hotel_id, room_id, room_type_id, number)
      SELECT 'opera', 'room-' || n, 'double', n FROM generate_series(1, 9) n;
    INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
      SELECT 'opera', 'double', date '${arrival}' + d, 9 FROM generate_series(0, 9) d;
    INSERT INTO room_type_rate SELECT hotel_id, room_type_id, date, 100000 FROM room_type_inventory;
    INSERT INTO rate_step VALUES ('opera', 50, 120)`);
  for (const id of ['held', 'paid', 'cancelled']) await reserve(sql, id);
  await sql.query(
    `UPDATE reservation SET status = 'paid', paid_minor = price_minor, payment_id = reservation_id
     WHERE reservation_id <> 'held'`,
  );
  await sql.transaction(async (tx) => {
    await tx.query(
      `UPDATE reservation SET status = 'cancelled', refund_due_minor = 70000 WHERE reservation_id = 'cancelled'`,
    );
    await tx.query('SELECT change_counts($1, $2, $3, $4, $5)', [
      ...[[asked.hotelId], [asked.roomTypeId], [arrival], [arrival], [-asked.roomCount]],
    ]);
  });
  await sql.query(`
    INSERT INTO room_out_of_order SELECT hotel_id, room_id, '2030-01-01', '2030-01-02' FROM room LIMIT 1;
    INSERT INTO room_night SELECT hotel_id, room_id, '2030-01-03', 'paid' FROM room LIMIT 1;
    INSERT INTO waitlist_entry (entry_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count,
      reservation_id, created_at) VALUES ('e1', 'bob', 'opera', 'double', '2030-01-01', '2030-01-01', 1, 'r-e1', now());
    INSERT INTO operator_request VALUES ('staff', 'key', 'body', 'opera', NULL);
    INSERT INTO staff_action (at, staff_id, action, subject, reason) VALUES (now(), 'eva', 'check-in', 'paid', 'came');
    INSERT INTO payment_answer VALUES ('p-9', 'paid', 'paid-already', now())`);
}

async function reserve(sql: Sql, id: string): Promise<void> {
  const { rows } = await sql.query(
    `SELECT outcome FROM reserve_one($1, 'ada', $2, $3, $4, $5, $6, $7, now(), '15 minutes', 10)`,
    [id, ...Object.values(asked), JSON.stringify(Object.values(asked))],
  );
  if (rows[0]?.['outcome'] !== 'reserved') throw new Error(`${id}: ${JSON.stringify(rows)}`);
}
