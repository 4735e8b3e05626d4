/** Details of refused requests about hotels and reservations; `hotel-problems.ts` has their kinds. */

import type { OrdinaryReason } from '#schemas/hotel-actions.js';

export { badFields, badQuery } from '#platform/http/messages.js';
export const badBookingNumber = 'is no booking number; check each character';
export const singleHotels = 'Staff of single hotels have no access to this.';
export const noHotel = 'No hotel has this id.';
export const noRoom = 'This hotel has no room with this id.';
export const noRoomType = 'The hotel does not have this room type.';
export const unknownRoomType = 'is not a room type of this hotel';
export const noRatePlan = 'The room type does not have this rate plan.';
export const noReservation = 'No reservation has this id.';
export const badCursor = 'is not a cursor of your list';
export const databaseUnavailable = 'The database is not available. Retry the same request.';
export const badWait = 'The wait of Prefer must be whole seconds, at least 1.';
export const callersTimeOver = (seconds: number) =>
  `There was no answer within the ${seconds} s of Prefer. Retry the same request: it may have taken effect.`;
export const otherCoordinate = 'is required with the other';

// Reservations.
export const idUsed = 'You used this reservationID for a different request.';
export const paymentReversed =
  'The whole payment was refunded, or reversed by the bank of the guest in a dispute.';
export const reservationState = (status: string, rooms: number) =>
  `The reservation is ${status}, with ${rooms === 1 ? '1 room' : `${rooms} rooms`}.`;
export const stayIsNow = (firstNight: string, lastNight: string, rooms: number) =>
  `Somebody else has changed this stay or its rooms. Its nights are ${firstNight} to ${lastNight} now, ` +
  `with ${rooms === 1 ? '1 room' : `${rooms} rooms`}.`;

// Guests.
export const noGuest = 'The reservation has no guest: none was given, or the data was erased.';
export const notYourUser = 'This is not your user id.';
export const reservationOrUser = 'or userID is required, and not both';
export const badReason = (most: number) =>
  `must be text of 1 to ${most} characters without control characters`;
export const badBlockCode = 'must have 4 to 32 characters: A to Z, 0 to 9 and -';
export const housekeeping: OrdinaryReason = 'housekeeping';
export const roomIs = (status: string) => `The room is ${status.replaceAll('_', ' ')}.`;
export const roomIsNow = (status: string) =>
  `Somebody else has changed the room: it is ${status.replaceAll('_', ' ')} now.`;
export const badRoomCursor = 'is not a cursor of this list';
export const badPlanDay = 'must be a day from 2000-01-01 to 2999-12-31';
export const cursorOfOneList = 'needs the list that it is of';
export const noMoment = 'must be a moment that exists';
export const namedTwice = 'is in the list twice';
export const blockInThePast = 'must be today or later at the hotel';
export const badRelease = 'must be in the future, and before the end of the last night';
export const noBlock = 'The hotel has no such group block.';
export const sleeps = (people: number) => `The rooms sleep at most ${people}.`;

// Folios and invoices.
export const noInvoice = 'Nothing was invoiced yet. Request the invoice with POST.';
export const noExtra = 'The reservation has no such extra, or there is no such reservation.';
export const positiveDecimal = (currency: string) => `must be a positive decimal of ${currency}`;

// The body of a new reservation.
export const bodyRequired = 'A JSON body is required.';
export const notObject = 'The body must be a JSON object.';
export const missing = 'is missing';
export const notString = 'must be a string';
export const badRoomCount = (most: number) =>
  `must be a string with a whole number from "1" to "${most}", digits only`;
export const badAdults = (most: number) =>
  `must be a string with a whole number from "1" to "${most}", digits only`;
export const badReservationId = (most: number) => `must be 1 to ${most} visible characters without spaces`;
export const endBeforeStart = 'must not be before startDate';
export const tooManyNights = (nights: number, most: number) =>
  `gives ${nights} nights; the maximum is ${most}`;
export const roomIdSuperseded =
  'is superseded: send roomTypeID and roomCount; the room number is assigned later';
export const unknownField = 'is not a field of this operation';
export const badDay = 'must be a calendar day, YYYY-MM-DD';
export const badId = (most: number) => `must have 1 to ${most} characters`;

// Staff.
export const hotelOrUser = 'or userID is required';
export const noEndpoint = 'The hotel has no such endpoint.';
export const knownUrl = 'The hotel has an endpoint with this URL.';
export const tooManyEndpoints = (most: number) =>
  `The hotel has ${most} endpoints, and more are not possible.`;
export const tooManyStates = (most: number) =>
  `This endpoint has requested the state ${most} times in the last hour.`;
export const laterThanFrom = 'must be later than from';
/** In the audit list, where no reason is asked for. */
export const byStaff: OrdinaryReason = 'by staff';
export const badRange = (days: number) => `must be 0 to ${days} days after from`;
export const badRefund = 'must be a decimal between the amount already due and refundable';
export const paymentOf = (paymentId: string | null) => `The payment is ${paymentId}.`;
/** The reason in the audit log when the front desk gives none. */
export const frontDesk: OrdinaryReason = 'front desk';

// Rate plans, availability and restrictions.
export const beforeFrom = 'must not be before from';
export const overlaps = 'overlaps another range of the plan';
export const duplicate = 'is a duplicate';
export const badAmount = (currency: string) => `must be a decimal of ${currency}, negative or not`;
export const badPrice = (currency: string) => `must be a positive decimal of ${currency}`;
export const minAboveMax = 'must not be above maxStay';
export const notOfPlans = 'belongs to the room type: leave out ratePlanID';
export const nothingSet = 'must set at least one value';
export const tooManyCells = (most: number) =>
  `cover more than ${most} room types × days: send several requests`;
export const noPriceLeft = (planId: string, night: string) =>
  `The derived rate plan ${planId} would cost nothing or less on ${night}.`;
/** The reason in the audit log when a request has none. */
export const ratesOffice: OrdinaryReason = 'rates';

export const dirtyNeedsReason = 'is required with dirtyRooms';

// The waitlist.
export const waitlistFull = 'You have the maximum number of waitlist entries.';
export const noWaitlistEntry = 'You have no open waitlist entry with this id.';
