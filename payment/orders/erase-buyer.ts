import type { SqlSession } from '#platform/sql/sql.js';

/**
 * Erases the shop's information about a buyer in every payment event that a caller submitted. Amounts,
 * accounts and states stay: the books must be kept. Answers with the number of changed events.
 */
export async function eraseBuyerInfo(session: SqlSession, caller: string): Promise<number> {
  const { rowCount } = await session.query(
    'UPDATE payment_events SET buyer_info = NULL WHERE caller = $1 AND buyer_info IS NOT NULL',
    [caller],
  );
  return rowCount;
}
