import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { AriDay } from '#schemas/messages.js';
import type { Hotel } from '../hotels/hotel.js';
import { lockFeed } from '../rates/ari-version.js';
import { daysOf } from '../reservations/wanted-stay.js';
import { ariState } from './ari-state.js';
import { channelLimits } from './channel-limits.js';

/**
 * Starts or ends the feed of a hotel, in the caller's transaction. When an ended feed starts again, channels
 * take a snapshot first.
 */
export async function setChannelFeed(tx: SqlSession, hotelId: string, isEnabled: boolean): Promise<void> {
  await lockFeed(tx, hotelId, 'alone');
  if (isEnabled)
    await tx.query(
      'INSERT INTO channel_feed (hotel_id) VALUES ($1) ON CONFLICT (hotel_id) DO UPDATE SET is_on = true',
      [hotelId],
    );
  else await tx.query('UPDATE channel_feed SET is_on = false WHERE hotel_id = $1', [hotelId]);
}

export interface AriSnapshot {
  /** Deltas above it are not in the snapshot, or are in it already; none is missing. */
  readonly version: bigint;
  readonly days: readonly AriDay[];
  /** The room type from which the next page goes on. */
  readonly next?: string;
}

/**
 * Everything that may be sold from `from` to `to`, a page of whole room types from `after` on. The version is
 * read before the state, so what changes meanwhile comes again as a delta. Undefined without a feed.
 */
export async function ariSnapshot(
  sql: Sql,
  hotel: Hotel,
  { from, to, after }: { readonly from: string; readonly to: string; readonly after?: string | undefined },
): Promise<AriSnapshot | undefined> {
  const { rows } = await sql.query('SELECT version FROM channel_feed WHERE hotel_id = $1 AND is_on', [
    hotel.hotelId,
  ]);
  if (rows[0] === undefined) return undefined;
  const dates = daysOf({ startDate: from, endDate: to });
  const types = hotel.roomTypes
    .map(({ roomTypeId }) => roomTypeId)
    .filter((type) => after === undefined || type > after);
  const shown = types.slice(0, Math.max(1, Math.floor(channelLimits.cellsInPage / dates.length)));
  const days = await ariState(sql, hotel.hotelId, {
    types: shown.flatMap((type) => dates.map(() => type)),
    days: shown.flatMap(() => dates),
  });
  return {
    version: rows[0]['version'] as bigint,
    days,
    ...(shown.length < types.length ? { next: shown.at(-1)! } : {}),
  };
}
