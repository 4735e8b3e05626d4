import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { TaxRule } from './tax-rule.js';

export interface HotelTaxes {
  readonly source: 'hotel' | 'country' | 'none';
  readonly rules: readonly TaxRule[];
}

/** The rules for new reservations of a hotel. */
export async function readTaxes(sql: SqlSession, hotelId: string): Promise<HotelTaxes> {
  const { rows } = await sql.query<{
    readonly source: 'hotel' | 'country';
    readonly rules: readonly TaxRule[];
  }>('SELECT source, rules FROM hotel_tax WHERE hotel_id = $1', [hotelId]);
  return rows[0] ?? { source: 'none', rules: [] };
}

export async function setTaxes(
  sql: SqlSession,
  hotelId: string,
  rules: readonly TaxRule[],
  by: { readonly operatorId: string; readonly now: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO hotel_tax (hotel_id, source, rules, updated_at, updated_by) VALUES ($1, 'hotel', $2, $3, $4)
     ON CONFLICT (hotel_id) DO UPDATE SET source = EXCLUDED.source, rules = EXCLUDED.rules,
       updated_at = EXCLUDED.updated_at, updated_by = EXCLUDED.updated_by`,
    [hotelId, JSON.stringify(rules), by.now, by.operatorId],
  );
}

/** Back to those of its country. */
export async function dropTaxes(sql: Sql, hotelId: string): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query('DELETE FROM hotel_tax WHERE hotel_id = $1', [hotelId]);
    await tx.query('SELECT use_country_taxes($1)', [hotelId]);
  });
}
