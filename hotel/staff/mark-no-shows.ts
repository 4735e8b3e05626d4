import type { Sql, SqlRow } from '#platform/sql/sql.js';
import { automatic, type OrdinaryReason } from '#schemas/hotel-actions.js';
import type { Stays } from '../reservations/stays.js';
import { audited } from './audited.js';

export interface NoShowDeps {
  readonly sql: Sql;
  readonly stays: Pick<Stays, 'markNoShow'>;
  readonly now: () => Date;
  /** Called with the error of a reservation; the others go on. */
  readonly onError: (reservationId: string, error: unknown) => void;
}

/** Reservations of one round; the next round takes the rest. */
const atOnce = 100;
const lateReason: OrdinaryReason = 'not arrived by the cut-off of the hotel';

/**
 * Marks the guests of hotels with a cut-off who have not come, each with an entry in the audit list. Stays
 * that ended earlier than yesterday are left to staff: a hotel that sets the rule says nothing about its
 * past.
 * Answers how many were marked. Any number of processes may call it at once.
 */
export async function markNoShows({ sql, stays, now, onError }: NoShowDeps): Promise<number> {
  const { rows } = await sql.query<SqlRow & { reservation_id: string }>(
    `SELECT r.reservation_id FROM hotel_house_rules u JOIN hotel h USING (hotel_id),
       LATERAL (SELECT $1::timestamptz AT TIME ZONE h.time_zone AS at) l,
       LATERAL (SELECT reservation_id, start_date FROM reservation r WHERE r.hotel_id = u.hotel_id
         AND r.start_date BETWEEN l.at::date - 31 AND l.at::date - 1 AND r.end_date >= l.at::date - 1
         AND r.status IN ('paid', 'payment_returned')) r
     WHERE u.no_show_at IS NOT NULL AND hotel_is_open(u.hotel_id) AND (r.start_date < l.at::date - 1 OR l.at::time >= u.no_show_at)
     ORDER BY r.start_date, r.reservation_id LIMIT ${atOnce}`,
    [now()],
  );
  let marked = 0;
  for (const { reservation_id: subject } of rows) {
    const entry = { action: 'no-show', subject, reason: lateReason } as const;
    try {
      const outcome = await audited(sql, now(), { ...entry, staffId: automatic }, () =>
        stays.markNoShow(subject),
      );
      if (outcome.kind === 'changed') marked += 1;
    } catch (error) {
      onError(subject, error);
    }
  }
  return marked;
}
