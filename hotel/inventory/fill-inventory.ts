import type { Sql, SqlRow } from '#platform/sql/sql.js';
import { hotelLimits } from '../limits.js';

/** Hotels in one transaction: few, so that the job never keeps a change of rooms waiting. */
const hotelsAtOnce = 20;

export interface FillOptions {
  readonly now?: Date;
  readonly daysAhead?: number;
  /** Called after each step with the rows added so far and the hotels done. */
  readonly onProgress?: (done: { readonly hotels: number; readonly rows: number }) => void;
  readonly signal?: AbortSignal;
}

/**
 * The daily job: adds the days between the newest one of each room type and `daysAhead` (730) days from
 * today, in the hotel's time zone. It catches up on missed days. Running twice, in parallel or after a kill
 * has the same effect as once, because each step is complete and existing rows stay. Returns the number of
 * added rows.
 */
export async function fillInventory(sql: Sql, options: FillOptions = {}): Promise<number> {
  let rows = 0;
  let hotels = 0;
  let after = '';
  for (;;) {
    options.signal?.throwIfAborted();
    const step = await sql.query<SqlRow & { hotel_id: string }>(
      'SELECT hotel_id FROM hotel WHERE hotel_id > $1 AND deleted_at IS NULL AND hotel_is_open(hotel_id) ORDER BY hotel_id LIMIT $2',
      [after, hotelsAtOnce],
    );
    const ids = step.rows.map((row) => row.hotel_id);
    if (ids.length === 0) return rows;
    const added = await sql.transaction(
      (tx) =>
        tx.query<SqlRow & { n: bigint }>('SELECT fill_inventory($1, $2, $3) AS n', [
          ids,
          options.now ?? new Date(),
          options.daysAhead ?? hotelLimits.daysAhead,
        ]),
      { attempts: hotelLimits.attemptsMax },
    );
    rows += Number(added.rows[0]!.n);
    hotels += ids.length;
    after = ids.at(-1)!;
    options.onProgress?.({ hotels, rows });
  }
}
