import type { Hotel, HotelChange, HotelFacts, Room, RoomFacts } from './hotel.js';

/** The user of a request, and the key with which they may send it again. */
export interface Attempt {
  readonly caller: string;
  /** Absent: each call makes another one. */
  readonly idempotencyKey?: string;
}

export type CreateOutcome<Thing, Kinds extends string = never> =
  | { readonly kind: 'created'; readonly made: Thing }
  /** The same call came before; as it is now. */
  | { readonly kind: 'repeated'; readonly made: Thing }
  /** The key came before with another body, or what it made is gone. */
  | { readonly kind: 'key-used' }
  | { readonly kind: Kinds };

export type UpdateOutcome<Thing, Kinds extends string = never> =
  | { readonly kind: 'updated'; readonly now: Thing }
  /** It was so already; nothing changed. */
  | { readonly kind: 'unchanged'; readonly now: Thing }
  | { readonly kind: 'unknown' }
  /** It has changed since the version that the caller saw. */
  | { readonly kind: 'stale' }
  | { readonly kind: Kinds };

/** `status-move`: the states have no such move. */
type RoomRefusal = 'unknown-room-type' | 'number-used' | 'status-move';

/**
 * Hotels, room types and rooms: what seldom changes. Rooms count in `total_inventory` in the same transaction
 * in which they come, go, change their type or are out of order.
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
   * `keeps-meaning`: currency and time zone stay, since prices and days are written in them.
   * `keeps-room-types`: none can be taken away, since reservations name them; let its rooms go instead.
   */
  update(
    hotelId: string,
    change: HotelChange,
    ifVersion?: bigint,
  ): Promise<UpdateOutcome<Hotel, 'keeps-meaning' | 'keeps-room-types'>>;
  /** Only if the hotel has no present or future reservation; its rooms cannot be booked from then on. */
  delete(hotelId: string, ifVersion?: bigint): Promise<'deleted' | 'unknown' | 'stale' | 'reserved'>;
  /** A retired room is not there. */
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
   * Retires the room from today on, as it is in the hotel. Reservations stay; the type may then have more of
   * them than rooms.
   */
  deleteRoom(
    hotelId: string,
    roomId: string,
    ifVersion?: bigint,
  ): Promise<'deleted' | 'unknown' | 'stale' | 'status-move'>;
}
