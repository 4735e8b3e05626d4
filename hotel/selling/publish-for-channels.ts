import type { EventLog } from '#platform/event-log/event-log.js';
import type { Sql, SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { HotelEvent } from '../outbox/hotel-event.js';
import { addDays } from '../reservations/stay-days.js';
import { type AskedDays, ariState } from './ari-state.js';
import { channelLimits } from './channel-limits.js';

export interface ChannelDeps {
  readonly sql: Sql;
  readonly log: Pick<EventLog, 'append'>;
  readonly codecs: Pick<TopicCodecs, 'hotelAriChanged'>;
  readonly now?: () => Date;
}

type Publish = (events: readonly HotelEvent[]) => Promise<void>;

/**
 * A publisher for the relay that also publishes deltas for channels: for each hotel with a feed, the days
 * that the events changed, as they stand. The state is read after the version of the hotel has risen, and the
 * relay keeps its events until this resolves; so whoever has a snapshot of version n and takes every delta
 * above n misses nothing. A repeated batch is published again with a higher version.
 */
export function publishForChannels(deps: ChannelDeps, publish: Publish): Publish {
  return async (events) => {
    await publish(events);
    const changed = changedDays(events);
    if (changed.size > 0) await publishDeltas(deps, changed);
  };
}

/** By hotel, then by room type. */
type ChangedDays = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

function changedDays(events: readonly HotelEvent[]): ChangedDays {
  const hotels = new Map<string, Map<string, Set<string>>>();
  for (const event of events) {
    if (event.kind !== 'inventory.changed') continue;
    const { hotelId, roomTypeId, dates } = event.body;
    const types = hotels.get(hotelId) ?? new Map<string, Set<string>>();
    const days = types.get(roomTypeId) ?? new Set<string>();
    for (const date of dates) {
      days.add(date);
      // The day after a night that closed to departure is shown as closed.
      days.add(addDays(date, 1));
    }
    hotels.set(hotelId, types.set(roomTypeId, days));
  }
  return hotels;
}

interface FeedRow extends SqlRow {
  readonly hotel_id: string;
  readonly version: bigint;
  readonly currency: string;
}

async function publishDeltas(deps: ChannelDeps, changed: ChangedDays): Promise<void> {
  const { sql, log, codecs, now = () => new Date() } = deps;
  const messages = await sql.transaction(async (tx) => {
    const feeds = await raiseVersions(tx, [...changed.keys()]);
    const found = [];
    for (const { hotel_id: hotelId, version, currency } of feeds) {
      const days = await ariState(tx, hotelId, await askedDays(tx, hotelId, changed.get(hotelId)!));
      for (let at = 0; at < days.length; at += channelLimits.daysInMessage)
        found.push({
          version: Number(version),
          hotelId,
          currency,
          days: days.slice(at, at + channelLimits.daysInMessage),
          changedMs: now().getTime(),
        });
    }
    return found;
  });
  if (messages.length === 0) return;
  await log.append(
    codecs.hotelAriChanged.topic.name,
    messages.map((message, index) => ({
      key: message.hotelId,
      value: codecs.hotelAriChanged.encode(message),
      headers: {
        ce_id: `hotel-ari/${message.hotelId}/${message.version}/${index}`,
        ce_source: 'hotel',
        'content-type': 'application/protobuf',
      },
    })),
  );
}

/** Locked until the state is read, so a higher version is never an older state. */
async function raiseVersions(tx: SqlSession, hotelIds: readonly string[]): Promise<readonly FeedRow[]> {
  const { rows: locked } = await tx.query(
    'SELECT FROM channel_feed WHERE hotel_id = ANY ($1) AND is_on ORDER BY hotel_id FOR UPDATE',
    [hotelIds],
  );
  if (locked.length === 0) return [];
  const { rows } = await tx.query<FeedRow>(
    `UPDATE channel_feed f SET version = f.version + 1 FROM hotel h
     WHERE f.hotel_id = ANY ($1) AND f.is_on AND h.hotel_id = f.hotel_id RETURNING f.hotel_id, f.version, h.currency`,
    [hotelIds],
  );
  return rows;
}

/** Where prices follow the occupancy of the hotel, a change of one type may change the prices of all. */
async function askedDays(
  tx: SqlSession,
  hotelId: string,
  changed: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<AskedDays> {
  const { rows } = await tx.query(
    `SELECT room_type_id FROM room_type
     WHERE hotel_id = $1 AND EXISTS (SELECT FROM rate_step s WHERE s.hotel_id = $1) ORDER BY 1`,
    [hotelId],
  );
  const all = new Set([...changed.values()].flatMap((days) => [...days]));
  const pairs =
    rows.length > 0
      ? rows.flatMap((row) => [...all].map((day) => [row['room_type_id'] as string, day] as const))
      : [...changed].flatMap(([type, days]) => [...days].map((day) => [type, day] as const));
  return { types: pairs.map(([type]) => type), days: pairs.map(([, day]) => day) };
}
