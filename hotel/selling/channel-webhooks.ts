import type { SqlTransaction } from '#platform/sql/sql.js';
import { lockEndpoints, type NewEvent, storeEvents } from '#platform/webhooks/store-events.js';
import type { WebhookTables } from '#platform/webhooks/webhook-tables.js';
import { channelEventTypes } from '#schemas/http/hotel-channel-endpoints.js';
import type { AriChanged } from '#schemas/messages.js';
import { ariDayView } from './ari-day-view.js';

/** Endpoints of channels belong to a hotel; all its deltas keep their order. */
export const channelTables: WebhookTables = {
  endpoint: 'channel_endpoint',
  event: 'channel_event',
  delivery: 'channel_delivery',
  attempt: 'channel_attempt',
  owner: 'hotel_id',
  subject: 'subject',
  isHere: 'hotel_is_open(e.hotel_id)',
  disabledByOwner: 'by staff of the hotel',
};

/**
 * Stores deltas for the endpoints of their hotel, in the transaction that raised its version: each is stored
 * once, in the order of the versions. A hotel without endpoints costs one look-up.
 */
export async function storeDeltas(
  tx: SqlTransaction,
  hotelId: string,
  deltas: readonly AriChanged[],
  now: Date,
): Promise<void> {
  if (deltas.length === 0) return;
  const { rows: some } = await tx.query('SELECT FROM channel_endpoint WHERE hotel_id = $1 LIMIT 1', [
    hotelId,
  ]);
  if (some.length === 0) return;
  await lockEndpoints(channelTables, tx, [hotelId]);
  const { rows } = await tx.query<{ readonly last: bigint }>(
    `UPDATE channel_feed SET webhook_sequence = webhook_sequence + $2 WHERE hotel_id = $1
     RETURNING webhook_sequence AS last`,
    [hotelId, deltas.length],
  );
  const before = Number(rows[0]!.last) - deltas.length;
  const events = deltas.map((delta, at) => eventOf(delta, before + at + 1, now));
  await storeEvents(channelTables, tx, events, now);
}

function eventOf({ hotelId, version, currency, days }: AriChanged, sequence: number, now: Date): NewEvent {
  const id = `ari/${hotelId}/${sequence}`;
  const [type] = channelEventTypes;
  const body = JSON.stringify({
    id,
    type,
    timestamp: now.toISOString(),
    data: {
      hotelID: hotelId,
      sequence,
      version: String(version),
      currency,
      days: days.map((day) => ariDayView(day, currency)),
    },
  });
  return { id, owner: hotelId, subject: hotelId, type, body, occurredAt: now };
}
