import type { SqlSession } from '#platform/sql/sql.js';
import type { TaxRule } from './tax-rule.js';

export interface HotelTaxes {
  readonly source: 'hotel' | 'country' | 'none';
  readonly rules: readonly TaxRule[];
}

/** The rules for new reservations of a hotel; the trigger `reservation_taxes` chooses in the same way. */
export async function readTaxes(
  sql: SqlSession,
  { hotelId, country }: { readonly hotelId: string; readonly country?: string },
): Promise<HotelTaxes> {
  const { rows } = await sql.query<{
    readonly source: 'hotel' | 'country';
    readonly rules: readonly TaxRule[];
  }>(
    `SELECT 'hotel' AS source, rules FROM hotel_tax WHERE hotel_id = $1
     UNION ALL SELECT 'country', rules FROM country_tax WHERE country = $2
       AND NOT EXISTS (SELECT FROM hotel_tax WHERE hotel_id = $1)`,
    [hotelId, country ?? null],
  );
  return rows[0] ?? { source: 'none', rules: [] };
}

export async function setTaxes(
  sql: SqlSession,
  hotelId: string,
  rules: readonly TaxRule[],
  by: { readonly operatorId: string; readonly now: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO hotel_tax (hotel_id, rules, updated_at, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (hotel_id) DO UPDATE SET rules = EXCLUDED.rules, updated_at = EXCLUDED.updated_at, updated_by = EXCLUDED.updated_by`,
    [hotelId, JSON.stringify(rules), by.now, by.operatorId],
  );
}

export async function dropTaxes(sql: SqlSession, hotelId: string): Promise<void> {
  await sql.query('DELETE FROM hotel_tax WHERE hotel_id = $1', [hotelId]);
}
