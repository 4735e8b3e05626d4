import { createHash, randomBytes } from 'node:crypto';
import type { Sql, SqlRow, SqlSession } from '#platform/sql/sql.js';
import { channelLimits } from './channel-limits.js';
import { type AskedState, noteWholeState } from './pending-days.js';

/** A request of a channel for the whole state, as accepted. */
export interface ChannelStateRequest extends AskedState {
  readonly requestId: string;
  /** Of room types. */
  readonly days: number;
  readonly requestedAt: Date;
}

export type RequestOutcome =
  | { readonly kind: 'accepted'; readonly request: ChannelStateRequest }
  /** The same one was made before, or an earlier one is not published yet. */
  | { readonly kind: 'known'; readonly request: ChannelStateRequest }
  | { readonly kind: 'too many'; readonly retryAfterS: number }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'no feed' }
  /** Its staff have deleted it meanwhile. */
  | { readonly kind: 'no endpoint' };

/** Who asks, and the id that the channel gave this request. */
export interface Asking {
  readonly hotelId: string;
  readonly endpointId: string;
  readonly webhookId: string;
}

/**
 * Accepts a request of a channel: the whole state is published as deltas, once for each request. Requests of
 * one endpoint wait for each other, so its limit holds however many come at a time.
 */
export function requestState(
  sql: Sql,
  { hotelId, endpointId, webhookId }: Asking,
  state: AskedState,
  now: Date,
): Promise<RequestOutcome> {
  const hash = createHash('sha256').update(webhookId).digest();
  return sql.transaction(async (tx): Promise<RequestOutcome> => {
    const { rows: endpoints } = await tx.query<SqlRow & { state: string }>(
      'SELECT state FROM channel_endpoint WHERE hotel_id = $1 AND endpoint_id = $2 FOR UPDATE',
      [hotelId, endpointId],
    );
    if (endpoints[0] === undefined) return { kind: 'no endpoint' };
    const known = await knownRequest(tx, endpointId, hash);
    if (known !== undefined) return { kind: 'known', request: known };
    if (endpoints[0].state !== 'active') return { kind: 'disabled' };
    const retryAfterS = await waitOf(tx, endpointId, now);
    if (retryAfterS !== undefined) return { kind: 'too many', retryAfterS };
    const noted = await noteWholeState(tx, hotelId, state);
    if (noted === undefined) return { kind: 'no feed' };
    await tx.query('DELETE FROM channel_request WHERE endpoint_id = $1 AND requested_at < $2', [
      endpointId,
      new Date(now.getTime() - channelLimits.requestKeptMs),
    ]);
    const requestId = `cr_${randomBytes(12).toString('hex')}`;
    await tx.query(
      `INSERT INTO channel_request (request_id, endpoint_id, hotel_id, webhook_hash, first_day, last_day,
         room_type_ids, days, last_stamp, requested_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[requestId, endpointId, hotelId, hash, state.from, state.to, state.roomTypeIds ?? null],
        ...[noted.days, noted.lastStamp, now],
      ],
    );
    return { kind: 'accepted', request: { ...state, requestId, days: noted.days, requestedAt: now } };
  });
}

/** The one with this id, or one whose days are not published yet. */
async function knownRequest(
  tx: SqlSession,
  endpointId: string,
  hash: Buffer,
): Promise<ChannelStateRequest | undefined> {
  const { rows } = await tx.query<Row>(
    `SELECT request_id, first_day, last_day, room_type_ids, days, requested_at
     FROM channel_request r WHERE endpoint_id = $1 AND (webhook_hash = $2 OR EXISTS (
       SELECT FROM channel_pending p WHERE p.hotel_id = r.hotel_id AND p.stamp <= r.last_stamp))
     ORDER BY webhook_hash = $2 DESC, requested_at DESC LIMIT 1`,
    [endpointId, hash],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    requestId: row.request_id,
    from: row.first_day,
    to: row.last_day,
    roomTypeIds: row.room_type_ids ?? undefined,
    days: row.days,
    requestedAt: row.requested_at,
  };
}

interface Row extends SqlRow {
  readonly request_id: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly room_type_ids: readonly string[] | null;
  readonly days: number;
  readonly requested_at: Date;
}

/** Seconds until the endpoint may ask again; undefined: now. */
async function waitOf(tx: SqlSession, endpointId: string, now: Date): Promise<number | undefined> {
  const { requestsInWindow, requestWindowMs } = channelLimits;
  const { rows } = await tx.query<SqlRow & { requested_at: Date }>(
    'SELECT requested_at FROM channel_request WHERE endpoint_id = $1 AND requested_at > $2 ORDER BY 1 DESC LIMIT $3',
    [endpointId, new Date(now.getTime() - requestWindowMs), requestsInWindow],
  );
  if (rows.length < requestsInWindow) return undefined;
  const oldest = rows.at(-1)!.requested_at.getTime();
  return Math.max(1, Math.ceil((oldest + requestWindowMs - now.getTime()) / 1_000));
}
