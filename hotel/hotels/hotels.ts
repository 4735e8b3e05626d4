import type { Hotel, HotelChange, HotelFacts, Room, RoomFacts } from './hotel.js';

/** The user of a request, and its idempotency key. */
export interface Attempt {
  readonly caller: string;
  /** Absent: each call makes another one. */
  readonly idempotencyKey?: string;
}

export type CreateOutcome<Thing, Kinds extends string = never> =
  | { readonly kind: 'created'; readonly made: Thing }
  /** A repeated call; the current state. */
  | { readonly kind: 'repeated'; readonly made: Thing }
  /** The key was used with another body, or what it created was deleted. */
  | { readonly kind: 'key-used' }
  | { readonly kind: Kinds };

export type UpdateOutcome<Thing, Kinds extends string = never> =
  | { readonly kind: 'updated'; readonly now: Thing }
  /** No change was needed. */
  | { readonly kind: 'unchanged'; readonly now: Thing }
  | { readonly kind: 'unknown' }
  /** It has changed since the version that the caller saw. */
  | { readonly kind: 'stale' }
  | { readonly kind: Kinds };

/** `status-move`: the states have no such move. */
type RoomRefusal = 'unknown-room-type' | 'number-used' | 'status-move';

/**
 * Hotels, room types and rooms: what seldom changes. `total_inventory` changes in the same transaction in
 * which rooms are added, retired, change their type or are out of order.
 *
 * ```ts
 * const outcome = await hotels.create(facts, { caller: 'olle', idempotencyKey: 'k1' });
 * if (outcome.kind === 'created') await hotels.createRoom(outcome.made.hotelId, room, { caller: 'olle' });
 * ```
 */
export interface Hotels {
  get(hotelId: string): Promise<Hotel | undefined>;
  create(facts: HotelFacts, attempt: Attempt): Promise<CreateOutcome<Hotel>>;
  /**
   * `keeps-meaning`: currency and time zone cannot change, because prices and days depend on them.
   * `keeps-room-types`: none can be removed, because reservations refer to them; retire its rooms instead.
   */
  update(
    hotelId: string,
    change: HotelChange,
    ifVersion?: bigint,
  ): Promise<UpdateOutcome<Hotel, 'keeps-meaning' | 'keeps-room-types'>>;
  /** Only if the hotel has no present or future reservation; its rooms cannot be booked from then on. */
  delete(hotelId: string, ifVersion?: bigint): Promise<'deleted' | 'unknown' | 'stale' | 'reserved'>;
  /** A retired room is not found. */
  getRoom(hotelId: string, roomId: string): Promise<Room | undefined>;
  createRoom(
    hotelId: string,
    facts: RoomFacts,
    attempt: Attempt,
  ): Promise<CreateOutcome<Room, 'unknown-hotel' | Exclude<RoomRefusal, 'status-move'>>>;
  updateRoom(
    hotelId: string,
    roomId: string,
    facts: RoomFacts,
    ifVersion?: bigint,
  ): Promise<UpdateOutcome<Room, RoomRefusal>>;
  /**
   * Retires the room from today on, in the hotel's time zone. Reservations stay; the type may then have more
   * of them than rooms.
   */
  deleteRoom(
    hotelId: string,
    roomId: string,
    ifVersion?: bigint,
  ): Promise<'deleted' | 'unknown' | 'stale' | 'status-move'>;
}
