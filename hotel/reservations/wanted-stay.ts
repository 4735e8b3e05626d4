import { hotelLimits } from '../limits.js';
import type { Reservation } from './reservation.js';
import type { StayChange } from './reservations.js';
import { addDays, nightsBetween } from './stay-days.js';

/** A stay as it is to be after a change. */
export interface WantedStay {
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  readonly ratePlanId: string | null;
}

export const wantedStay = (found: Reservation, change: StayChange): WantedStay => ({
  hotelId: found.hotelId,
  roomTypeId: change.roomTypeId ?? found.roomTypeId,
  startDate: change.startDate ?? found.startDate,
  endDate: change.endDate ?? found.endDate,
  roomCount: change.roomCount ?? found.roomCount,
  ratePlanId: change.ratePlanId === undefined ? (found.ratePlan?.id ?? null) : change.ratePlanId,
});

export const roomsProblem = ({ roomCount }: WantedStay): string | undefined =>
  Number.isInteger(roomCount) && roomCount >= 1 && roomCount <= hotelLimits.roomCountMax
    ? undefined
    : `roomCount must be a whole number from 1 to ${hotelLimits.roomCountMax}.`;

/** Of the same type under the same plan: nights that stay keep their price, and the terms stay. */
export const isSameRate = (found: Reservation, wanted: WantedStay): boolean =>
  found.roomTypeId === wanted.roomTypeId && (found.ratePlan?.id ?? null) === wanted.ratePlanId;

export const isSame = (found: Reservation, wanted: WantedStay): boolean =>
  isSameRate(found, wanted) &&
  found.startDate === wanted.startDate &&
  found.endDate === wanted.endDate &&
  found.roomCount === wanted.roomCount;

/** Nights that are not sold again, so restrictions on selling do not concern them. */
export const soldBefore = (found: Reservation, wanted: WantedStay) =>
  isSameRate(found, wanted) && wanted.roomCount <= found.roomCount ? found : undefined;

/** The nights, first to last. */
export const daysOf = ({ startDate, endDate }: { readonly startDate: string; readonly endDate: string }) =>
  Array.from({ length: nightsBetween(startDate, endDate) }, (_, night) => addDays(startDate, night));
