import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { Restricted } from './reservations.js';

interface RefusalRow extends SqlRow {
  readonly refusal: Restricted['kind'] | null;
  readonly dates: readonly string[];
  readonly nights: number | null;
}

/**
 * The first restriction that stands against a stay. The result is certain only while its nights are locked.
 * `sold`: a stay that is being changed, whose nights, arrival and departure are not sold again.
 */
export async function stayRefusal(
  sql: SqlSession,
  stay: {
    readonly hotelId: string;
    readonly roomTypeId: string;
    readonly ratePlanId?: string | null | undefined;
    readonly startDate: string;
    readonly endDate: string;
  },
  sold?: { readonly startDate: string; readonly endDate: string },
): Promise<Restricted | undefined> {
  const { rows } = await sql.query<RefusalRow>(
    `SELECT refusal, dates, nights FROM stay_refusal($1, $2, $3, $4::date, $5::date, $6::date, $7::date)`,
    [
      ...[stay.hotelId, stay.roomTypeId, stay.ratePlanId ?? null, stay.startDate, stay.endDate],
      ...[sold?.startDate ?? null, sold?.endDate ?? null],
    ],
  );
  const { refusal, dates, nights } = rows[0]!;
  if (refusal === null) return undefined;
  return { kind: refusal, dates, ...(nights === null ? {} : { nights }) };
}
