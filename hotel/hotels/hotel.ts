import type { roomStatuses } from '#schemas/http/hotel-housekeeping.js';

/** The fields of a room type that operators set. Ids are unique within their hotel. */
export interface RoomType {
  readonly roomTypeId: string;
  readonly name: string;
  /** Guests. */
  readonly capacity: number;
  readonly beds: number;
  /** Cancelling is free until this many hours before check-in. */
  readonly freeCancelHours: number;
  /** The part of the price that is kept on a later cancellation. */
  readonly lateCancelPercent: number;
}

/** The fields of a hotel that operators set. */
export interface HotelFacts {
  readonly name: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  /** IANA name; days of stays are days of this zone. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 3166-1, two letters; it decides which taxes are usual. */
  readonly country?: string;
  /** `HH:MM` of the hotel. */
  readonly checkInTime: string;
  readonly checkOutTime: string;
  readonly amenities: readonly string[];
  /** In order of their ids. */
  readonly roomTypes: readonly RoomType[];
}

/** A change by operators. If room types are absent, they stay unchanged. */
export type HotelChange = Omit<HotelFacts, 'roomTypes'> & Partial<Pick<HotelFacts, 'roomTypes'>>;

export interface Hotel extends HotelFacts {
  readonly hotelId: string;
  /** Rises by one with each change. */
  readonly version: bigint;
}

/** The documented states, docs/hotel-states.md. */
export type RoomStatus = (typeof roomStatuses)[number];

/** Days on which a room cannot be let, `YYYY-MM-DD`, both inclusive. */
export interface OutOfOrder {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** The fields of a room that operators set. */
export interface RoomFacts {
  readonly roomTypeId: string;
  readonly number: string;
  readonly floor: number;
  readonly status: RoomStatus;
  /** In order of their first days. */
  readonly outOfOrder: readonly OutOfOrder[];
}

export interface Room extends RoomFacts {
  readonly hotelId: string;
  readonly roomId: string;
  readonly version: bigint;
}
