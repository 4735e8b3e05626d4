import type { SqlSession } from '#platform/sql/sql.js';

/** What a hotel decides about its own work. */
export interface HouseRules {
  /** `inspected`: guests get only rooms that somebody has looked at after cleaning. */
  readonly checkInNeeds: 'clean' | 'inspected';
  /**
   * `HH:MM` of the hotel on the day after arrival: then guests who have not come are no-shows by themselves,
   * and not before. Null: staff decide, on any later day.
   */
  readonly noShowAt: string | null;
}

export async function readHouseRules(sql: SqlSession, hotelId: string): Promise<HouseRules> {
  const { rows } = await sql.query(
    `SELECT check_in_needs, to_char(no_show_at, 'HH24:MI') AS no_show_at FROM hotel_house_rules
     WHERE hotel_id = $1`,
    [hotelId],
  );
  return {
    checkInNeeds: (rows[0]?.['check_in_needs'] ?? 'clean') as HouseRules['checkInNeeds'],
    noShowAt: (rows[0]?.['no_show_at'] ?? null) as string | null,
  };
}

export async function writeHouseRules(
  sql: SqlSession,
  hotelId: string,
  { checkInNeeds, noShowAt }: HouseRules,
): Promise<void> {
  await sql.query(
    `INSERT INTO hotel_house_rules (hotel_id, check_in_needs, no_show_at) VALUES ($1, $2, $3)
     ON CONFLICT (hotel_id) DO UPDATE SET check_in_needs = EXCLUDED.check_in_needs,
       no_show_at = EXCLUDED.no_show_at`,
    [hotelId, checkInNeeds, noShowAt],
  );
}
