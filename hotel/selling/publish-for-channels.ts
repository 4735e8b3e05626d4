import type { EventLog } from '#platform/event-log/event-log.js';
import type { Sql, SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { HotelEvent } from '../outbox/hotel-event.js';
import { type AskedDays, ariState } from './ari-state.js';
import { channelLimits } from './channel-limits.js';
import { storeDeltas } from './channel-webhooks.js';
import { forgetPending, hotelsPending, notePending, type PendingDay, pendingDays } from './pending-days.js';

export interface ChannelDeps {
  readonly sql: Sql;
  readonly log: Pick<EventLog, 'append'>;
  readonly codecs: Pick<TopicCodecs, 'hotelAriChanged'>;
  readonly now?: () => Date;
  /** The deltas of a hotel could not be published; they are tried again. */
  readonly onError?: (hotelId: string, error: unknown) => void;
}

type Publish = (events: readonly HotelEvent[]) => Promise<void>;

/**
 * Publishes deltas for channels: for each hotel with a feed, the days that changed, as they stand. The relay
 * keeps its events until their days are noted, and a day is noted until its delta is in the log. The state is
 * read after the version of the hotel has risen. So whoever has a snapshot of version n and takes every delta
 * above n misses nothing, and what cannot be published of one hotel holds back no event and no other hotel. A
 * repeated delta has a higher version.
 */
export class ChannelPublisher {
  readonly #deps: ChannelDeps;
  /** Hotels whose last delta failed, and when they are tried again. */
  readonly #failed = new Map<string, { readonly times: number; readonly untilMs: number }>();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
  }

  /** A publisher for the relay: `publish`, and then the days are noted for channels. */
  after(publish: Publish): Publish {
    return async (events) => {
      await publish(events);
      if ((await notePending(this.#deps.sql, events)) > 0) this.wake();
    };
  }

  /** Publishes soon, one round after the other. */
  wake(): void {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for the round in progress; what is left is published by another process, or at the next start. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { sql, onError } = this.#deps;
    while (this.#again) {
      this.#again = false;
      const waiting = await hotelsPending(sql).catch((error: unknown) => {
        onError?.('', error);
        return [];
      });
      for (const hotelId of waiting) await this.#publishHotel(hotelId);
    }
  }

  async #publishHotel(hotelId: string): Promise<void> {
    const before = this.#failed.get(hotelId);
    if (before !== undefined && performance.now() < before.untilMs) return;
    try {
      const isWhole = await publishDeltas(this.#deps, hotelId);
      this.#failed.delete(hotelId);
      if (!isWhole) this.#again = true;
    } catch (error) {
      const times = (before?.times ?? 0) + 1;
      const waitMs = Math.min(channelLimits.retryMs * 2 ** (times - 1), channelLimits.retryMsMax);
      this.#failed.set(hotelId, { times, untilMs: performance.now() + waitMs });
      this.#deps.onError?.(hotelId, error);
    }
  }
}

/** False if more days wait than one round takes. */
async function publishDeltas(deps: ChannelDeps, hotelId: string): Promise<boolean> {
  const { sql, log, codecs, now = () => new Date() } = deps;
  const pending = await pendingDays(sql, hotelId);
  const messages = await sql.transaction(async (tx) => {
    const feed = await raiseVersion(tx, hotelId);
    if (feed === undefined) return [];
    const days = await ariState(tx, hotelId, await askedDays(tx, hotelId, pending));
    const { daysInMessage } = channelLimits;
    const deltas = Array.from({ length: Math.ceil(days.length / daysInMessage) }, (_, index) => ({
      version: Number(feed.version),
      hotelId,
      currency: feed.currency,
      days: days.slice(index * daysInMessage, (index + 1) * daysInMessage),
      changedMs: now().getTime(),
    }));
    await storeDeltas(tx, hotelId, deltas, now());
    return deltas;
  });
  if (messages.length > 0)
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
  await forgetPending(sql, hotelId, pending);
  return pending.length < channelLimits.pendingAtOnce;
}

interface FeedRow extends SqlRow {
  readonly version: bigint;
  readonly currency: string;
}

/**
 * Locked until the state is read, so a higher version is never an older state. Undefined: the feed has ended.
 */
async function raiseVersion(tx: SqlSession, hotelId: string): Promise<FeedRow | undefined> {
  const { rows } = await tx.query<FeedRow>(
    `UPDATE channel_feed f SET version = f.version + 1 FROM hotel h
     WHERE f.hotel_id = $1 AND f.is_on AND h.hotel_id = f.hotel_id RETURNING f.version, h.currency`,
    [hotelId],
  );
  return rows[0];
}

/** Where prices follow the occupancy of the hotel, a change of one type may change the prices of all. */
async function askedDays(
  tx: SqlSession,
  hotelId: string,
  pending: readonly PendingDay[],
): Promise<AskedDays> {
  const { rows } = await tx.query(
    `SELECT room_type_id FROM room_type
     WHERE hotel_id = $1 AND EXISTS (SELECT FROM rate_step s WHERE s.hotel_id = $1) ORDER BY 1`,
    [hotelId],
  );
  const all = new Set(pending.map(({ day }) => day));
  const pairs =
    rows.length > 0
      ? rows.flatMap((row) => [...all].map((day) => [row['room_type_id'] as string, day] as const))
      : pending.map(({ roomTypeId, day }) => [roomTypeId, day] as const);
  return { types: pairs.map(([type]) => type), days: pairs.map(([, day]) => day) };
}
