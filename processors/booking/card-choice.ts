import type { SqlSession } from '#platform/sql/sql.js';
import { bookingLimits } from './limits.js';

/** A guest, and the reservation that they are about to make. */
export interface Choosing {
  readonly reservationId: string;
  readonly userId: string;
}

/**
 * Records that the guest agrees that the provider keeps the card that pays for a reservation. False if the
 * reservation has a payment already, which asks for no such card. A repeated call has no further effect; of
 * several choices the last one counts.
 */
export const agreeToKeepCard = (sql: SqlSession, choosing: Choosing, now: Date): Promise<boolean> =>
  choose(sql, choosing, null, now);

/** As above, that a card which the guest saved earlier pays for the reservation. */
export const chooseSavedCard = (
  sql: SqlSession,
  choosing: Choosing,
  cardId: string,
  now: Date,
): Promise<boolean> => choose(sql, choosing, cardId, now);

async function choose(
  sql: SqlSession,
  { reservationId, userId }: Choosing,
  cardId: string | null,
  now: Date,
): Promise<boolean> {
  const { choicesKeptMax, choicesKeptMs } = bookingLimits;
  await sql.query(
    `DELETE FROM booking_card_choice WHERE user_id = $1 AND (chosen_at < $3 OR reservation_id IN (
       SELECT reservation_id FROM booking_card_choice WHERE user_id = $1 ORDER BY chosen_at DESC OFFSET $2))`,
    [userId, choicesKeptMax - 1, new Date(now.getTime() - choicesKeptMs)],
  );
  await sql.query(
    `INSERT INTO booking_card_choice (reservation_id, user_id, card_id, chosen_at)
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM booking_payment WHERE reservation_id = $1)
     ON CONFLICT (reservation_id, user_id) DO UPDATE SET card_id = $3, chosen_at = $4`,
    [reservationId, userId, cardId, now],
  );
  const { rowCount } = await sql.query(
    `SELECT FROM booking_card_choice
     WHERE reservation_id = $1 AND user_id = $2 AND card_id IS NOT DISTINCT FROM $3`,
    [reservationId, userId, cardId],
  );
  return rowCount === 1;
}
