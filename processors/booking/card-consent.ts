import type { SqlSession } from '#platform/sql/sql.js';
import { bookingLimits } from './limits.js';

/** A guest, and the reservation that they are about to make. */
export interface Agreeing {
  readonly reservationId: string;
  readonly userId: string;
}

/**
 * Records that the guest agrees that the provider keeps the card that pays for a reservation. False if the
 * reservation has a payment already, which asks for no such card. A repeated call has no further effect.
 */
export async function agreeToKeepCard(
  sql: SqlSession,
  { reservationId, userId }: Agreeing,
  now: Date,
): Promise<boolean> {
  const { consentsKeptMax, consentsKeptMs } = bookingLimits;
  await sql.query(
    `DELETE FROM booking_card_consent WHERE user_id = $1 AND (agreed_at < $3 OR reservation_id IN (
       SELECT reservation_id FROM booking_card_consent WHERE user_id = $1 ORDER BY agreed_at DESC OFFSET $2))`,
    [userId, consentsKeptMax - 1, new Date(now.getTime() - consentsKeptMs)],
  );
  await sql.query(
    `INSERT INTO booking_card_consent (reservation_id, user_id, agreed_at)
     SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM booking_payment WHERE reservation_id = $1)
     ON CONFLICT DO NOTHING`,
    [reservationId, userId, now],
  );
  const { rowCount } = await sql.query(
    'SELECT FROM booking_card_consent WHERE reservation_id = $1 AND user_id = $2',
    [reservationId, userId],
  );
  return rowCount === 1;
}
