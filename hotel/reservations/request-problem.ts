import { hotelNamedBy } from '#schemas/reservation-id.js';
import { hotelLimits } from '../limits.js';
import type { ReserveRequest } from './reservations.js';
import { isDay, nightsBetween } from './stay-days.js';

/** Whether PostgreSQL stores the text unchanged: it refuses NUL, and half of a surrogate pair is replaced. */
export const isStorable = (text: string) => !/\0|\p{Surrogate}/u.test(text);

/** A sentence when the request is malformed, for every caller; undefined when it is valid. */
export function requestProblem(request: ReserveRequest): string | undefined {
  const { reservationId, userId, hotelId, roomTypeId, roomCount } = request;
  for (const text of [reservationId, userId, hotelId, roomTypeId]) {
    if (text === '' || !isStorable(text)) return 'Ids must have at least one character and no NUL.';
  }
  if (reservationId.length > hotelLimits.reservationIdMax) {
    return `reservationID can have at most ${hotelLimits.reservationIdMax} characters.`;
  }
  if ((hotelNamedBy(reservationId) ?? hotelId) !== hotelId) {
    return 'This reservationID names another hotel before its last "~".';
  }
  if (!Number.isInteger(roomCount) || roomCount < 1 || roomCount > hotelLimits.roomCountMax) {
    return `roomCount must be a whole number from 1 to ${hotelLimits.roomCountMax}.`;
  }
  return planProblem(request) ?? stayProblem(request.startDate, request.endDate);
}

function planProblem({ ratePlanId, adults }: ReserveRequest): string | undefined {
  if (ratePlanId !== undefined && (ratePlanId === '' || !isStorable(ratePlanId)))
    return 'Ids must have at least one character and no NUL.';
  if (
    (adults ?? null) !== null &&
    !(Number.isInteger(adults) && adults! >= 1 && adults! <= hotelLimits.adultsMax)
  )
    return `adults must be a whole number from 1 to ${hotelLimits.adultsMax}.`;
  return undefined;
}

/** The same for the dates alone. */
export function stayProblem(startDate: string, endDate: string): string | undefined {
  if (!isDay(startDate)) return 'startDate must be a calendar day, YYYY-MM-DD.';
  if (!isDay(endDate)) return 'endDate must be a calendar day, YYYY-MM-DD.';
  const nights = nightsBetween(startDate, endDate);
  if (nights < 1) return 'endDate must not be before startDate.';
  if (nights > hotelLimits.nightsMax) return `A stay can be at most ${hotelLimits.nightsMax} nights.`;
  return undefined;
}
