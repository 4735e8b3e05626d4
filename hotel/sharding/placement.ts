import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '#platform/batcher/batcher.js';
import { type Sql, type SqlRow, SqlUnavailable } from '#platform/sql/sql.js';
import { hotelNamedBy } from '#schemas/reservation-id.js';
import { hotelLimits } from '../limits.js';
import { home, isElsewhere } from './hotel-servers.js';
import { shardingLimits } from './limits.js';

export interface Place {
  readonly server: string;
  /** The hotel is being moved: it can be read here, not changed. */
  readonly isPaused: boolean;
}

interface Claim {
  readonly reservationId: string;
  readonly hotelId: string;
}

const atHome: Place = { server: home, isPaused: false };

/**
 * Where hotels are, as the directory says: at most `staleMs` ago. A move lets nobody change the hotel for
 * longer than that, so no process reads rows of the old server after the new one has changed them.
 */
export class Placement {
  readonly #directory: Sql;
  readonly #staleMs: number;
  readonly #waitMs: number;
  /** Hotels that are or were elsewhere. */
  readonly #places = new Map<string, Place>();
  readonly #hotels = new Map<string, string>();
  readonly #claiming: Batcher<Claim, string>;
  readonly #finding: Batcher<string, string | undefined>;
  #version = 0n;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(directory: Sql, options: { readonly staleMs?: number; readonly waitMs?: number } = {}) {
    this.#directory = directory;
    this.#staleMs = options.staleMs ?? shardingLimits.staleMs;
    this.#waitMs = options.waitMs ?? shardingLimits.waitMs;
    const { batchMax, readsAtOnce: atOnce } = hotelLimits;
    // One at a time: what waits meanwhile shares the next flush.
    this.#claiming = new Batcher((claims) => this.#claimAll(claims), { atOnce: 1, batchMax });
    this.#finding = new Batcher((ids) => this.#findAll(ids), { atOnce, batchMax });
  }

  async placeOf(hotelId: string): Promise<Place> {
    const age = performance.now() - this.#readAtMs;
    if (age > this.#staleMs) await this.refresh();
    // Earlier than needed, so that no request waits for it.
    else if (age > this.#staleMs / 2) this.refresh().catch(() => {});
    return this.#places.get(hotelId) ?? atHome;
  }

  /** Reads what has changed in the directory since the last time. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** `work` on the server of the hotel, from which it may only read. */
  async read<Result>(hotelId: string, work: (server: string) => Promise<Result>): Promise<Result> {
    return work((await this.placeOf(hotelId)).server);
  }

  /**
   * `work` on the server of the hotel. It waits while the hotel is being moved, and begins again when a
   * database refuses it, so it must not count what it does before its first change.
   */
  async change<Result>(hotelId: string, work: (server: string) => Promise<Result>): Promise<Result> {
    const untilMs = performance.now() + this.#waitMs;
    for (;;) {
      const { server, isPaused } = await this.placeOf(hotelId);
      try {
        if (!isPaused) return await work(server);
      } catch (error) {
        if (!isElsewhere(error)) throw error;
      }
      if (performance.now() > untilMs)
        throw new SqlUnavailable(`The hotel ${hotelId} is being moved to another server.`);
      await delay(shardingLimits.lookMs);
      await this.refresh();
    }
  }

  /**
   * The hotel that the id is for, from now on: the given one, or the one that it was used for before. Before
   * a reservation is made, so that every server has other ids.
   */
  async claim(reservationId: string, hotelId: string): Promise<string> {
    return this.#hotels.get(reservationId) ?? this.#claiming.call({ reservationId, hotelId });
  }

  /** Undefined: if there is such a reservation, its hotel has never left `home`. */
  async hotelOf(reservationId: string): Promise<string | undefined> {
    return (
      hotelNamedBy(reservationId) ?? this.#hotels.get(reservationId) ?? this.#finding.call(reservationId)
    );
  }

  async #read(): Promise<void> {
    const readAtMs = performance.now();
    const { rows } = await this.#directory.query(
      'SELECT hotel_id, server, is_paused, version FROM hotel_place WHERE version > $1 ORDER BY version',
      [this.#version],
    );
    for (const row of rows) {
      this.#places.set(row['hotel_id'] as string, {
        server: row['server'] as string,
        isPaused: row['is_paused'] as boolean,
      });
      this.#version = row['version'] as bigint;
    }
    this.#readAtMs = readAtMs;
  }

  async #claimAll(claims: readonly Claim[]): Promise<readonly string[]> {
    // In order of the ids, so that two batches never wait for each other in a ring. Reservations that were
    // made here before there were several servers have their ids, too. The update writes only where an id is
    // used again; without it, the row of another transaction would not be returned.
    const { rows } = await this.#directory.query(
      `INSERT INTO reservation_place AS p (reservation_id, hotel_id)
       SELECT a.id, coalesce((SELECT r.hotel_id FROM reservation r WHERE r.reservation_id = a.id), a.hotel)
       FROM (SELECT DISTINCT ON (id COLLATE "C") id, hotel FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u (id, hotel, place)
         ORDER BY id COLLATE "C", place) a
       ON CONFLICT (reservation_id) DO UPDATE SET hotel_id = p.hotel_id RETURNING reservation_id, hotel_id`,
      [claims.map(({ reservationId }) => reservationId), claims.map(({ hotelId }) => hotelId)],
    );
    const found = this.#remember(rows);
    return claims.map(({ reservationId }) => found.get(reservationId)!);
  }

  async #findAll(ids: readonly string[]): Promise<ReadonlyArray<string | undefined>> {
    const { rows } = await this.#directory.query(
      'SELECT reservation_id, hotel_id FROM reservation_place WHERE reservation_id = ANY ($1)',
      [ids],
    );
    const found = this.#remember(rows);
    return ids.map((id) => found.get(id));
  }

  #remember(rows: readonly SqlRow[]): ReadonlyMap<string, string> {
    const found = new Map(rows.map((row) => [row['reservation_id'] as string, row['hotel_id'] as string]));
    for (const [id, hotelId] of found) {
      if (this.#hotels.size >= shardingLimits.rememberedMax)
        this.#hotels.delete(this.#hotels.keys().next().value!);
      this.#hotels.set(id, hotelId);
    }
    return found;
  }
}
