import type { SqlSession } from '#platform/sql/sql.js';

/** What a hotel decides about its own work. */
export interface HouseRules {
  /** `inspected`: guests get only rooms that somebody has looked at after cleaning. */
  readonly checkInNeeds: 'clean' | 'inspected';
}

export async function readHouseRules(sql: SqlSession, hotelId: string): Promise<HouseRules> {
  const { rows } = await sql.query('SELECT check_in_needs FROM hotel_house_rules WHERE hotel_id = $1', [
    hotelId,
  ]);
  return { checkInNeeds: (rows[0]?.['check_in_needs'] ?? 'clean') as HouseRules['checkInNeeds'] };
}

export async function writeHouseRules(
  sql: SqlSession,
  hotelId: string,
  { checkInNeeds }: HouseRules,
): Promise<void> {
  await sql.query(
    `INSERT INTO hotel_house_rules (hotel_id, check_in_needs) VALUES ($1, $2)
     ON CONFLICT (hotel_id) DO UPDATE SET check_in_needs = EXCLUDED.check_in_needs`,
    [hotelId, checkInNeeds],
  );
}
