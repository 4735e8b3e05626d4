import type { SqlSession } from '#platform/sql/sql.js';
import type { Attempt } from './hotels.js';

export interface Made {
  readonly hotelId: string;
  readonly roomId: string | null;
}

/**
 * Claims the key of `attempt` for what the transaction is about to create. A second call with the key waits
 * for the end of the first. It then returns the result of the first, or `key-used` if its request differs.
 */
export async function takeKey(
  tx: SqlSession,
  { caller, idempotencyKey }: Attempt,
  request: string,
  made: Made,
): Promise<'taken' | 'key-used' | Made> {
  if (idempotencyKey === undefined) return 'taken';
  const { rowCount } = await tx.query(
    `INSERT INTO operator_request (caller, idempotency_key, request, hotel_id, room_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [caller, idempotencyKey, request, made.hotelId, made.roomId],
  );
  if (rowCount === 1) return 'taken';
  const { rows } = await tx.query(
    'SELECT request, hotel_id, room_id FROM operator_request WHERE caller = $1 AND idempotency_key = $2',
    [caller, idempotencyKey],
  );
  const before = rows[0]!;
  if (before['request'] !== request) return 'key-used';
  return { hotelId: before['hotel_id'] as string, roomId: before['room_id'] as string | null };
}
