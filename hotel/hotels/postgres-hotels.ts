import { randomUUID } from 'node:crypto';
import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { createHotel, deleteHotel, updateHotel } from './change-hotel.js';
import { createRoom, deleteRoom, updateRoom } from './change-room.js';
import type { HotelChange, HotelFacts, RoomFacts } from './hotel.js';
import { findHotel, findRoom } from './hotel-rows.js';
import type { Attempt, Hotels } from './hotels.js';

export interface HotelsOptions {
  readonly sql: Sql;
  readonly now?: () => Date;
  readonly newId?: () => string;
}

const uniqueViolation = '23505';
/** Raised by the trigger for undocumented status changes. */
const undocumentedMove = 'MH001';

/** Hotels on the schema of `hotelMigrations`. */
export class PostgresHotels implements Hotels {
  readonly #sql: Sql;
  readonly #now: () => Date;
  readonly #newId: () => string;

  constructor({ sql, now = () => new Date(), newId = randomUUID }: HotelsOptions) {
    this.#sql = sql;
    this.#now = now;
    this.#newId = newId;
  }

  get(hotelId: string) {
    return findHotel(this.#sql, hotelId);
  }

  create(facts: HotelFacts, attempt: Attempt) {
    return this.#sql.transaction((tx) => createHotel(tx, this.#now(), this.#newId(), facts, attempt));
  }

  update(hotelId: string, change: HotelChange, ifVersion?: bigint) {
    return this.#sql.transaction((tx) => updateHotel(tx, this.#now(), hotelId, change, ifVersion));
  }

  delete(hotelId: string, ifVersion?: bigint) {
    return this.#sql.transaction((tx) => deleteHotel(tx, this.#now(), hotelId, ifVersion));
  }

  getRoom(hotelId: string, roomId: string) {
    return findRoom(this.#sql, hotelId, roomId);
  }

  createRoom(hotelId: string, facts: RoomFacts, attempt: Attempt) {
    const place = { hotelId, newId: this.#newId() };
    return this.#changeRoom((tx) => createRoom(tx, this.#now(), place, facts, attempt), {
      [uniqueViolation]: { kind: 'number-used' },
    });
  }

  updateRoom(hotelId: string, roomId: string, facts: RoomFacts, ifVersion?: bigint) {
    return this.#changeRoom((tx) => updateRoom(tx, this.#now(), { hotelId, roomId }, facts, ifVersion), {
      [uniqueViolation]: { kind: 'number-used' as const },
      [undocumentedMove]: { kind: 'status-move' as const },
    });
  }

  deleteRoom(hotelId: string, roomId: string, ifVersion?: bigint) {
    return this.#changeRoom((tx) => deleteRoom(tx, this.#now(), { hotelId, roomId }, ifVersion), {
      [undocumentedMove]: 'status-move' as const,
    });
  }

  /** `refusals`: the outcome for each SQLSTATE of a constraint. */
  async #changeRoom<Outcome>(
    work: (tx: SqlSession) => Promise<Outcome>,
    refusals: Readonly<Record<string, Outcome>>,
  ): Promise<Outcome> {
    try {
      return await this.#sql.transaction(work);
    } catch (error) {
      const refusal = refusals[sqlState(error) ?? ''];
      if (refusal === undefined) throw error;
      return refusal;
    }
  }
}
