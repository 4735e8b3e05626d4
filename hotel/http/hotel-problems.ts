import type { ProblemKind } from '#platform/http/problem.js';

const conflict = { status: 409 } as const;

/** Refusals of hotels and reservations, in addition to those of every operation. */
export const hotelProblems = {
  stale: {
    code: 'stale-version',
    status: 412,
    title: 'The resource has changed',
    advice: 'Read it again, review the changes, and send your change with the new ETag as If-Match.',
  },
  keyUsed: {
    code: 'idempotency-key-used',
    status: 422,
    title: 'The Idempotency-Key was used for a different request',
    advice: 'Use a new key for each resource that you create. Reuse a key only with the same body.',
  },
  hotelReserved: {
    ...conflict,
    code: 'hotel-has-reservations',
    title: 'The hotel has current or future reservations',
    advice: 'Cancel them or wait until they end. Nothing was changed.',
  },
  keepsMeaning: {
    ...conflict,
    code: 'hotel-keeps-its-meaning',
    title: 'The currency and the time zone of a hotel cannot be changed',
    advice: 'Prices and dates of reservations depend on them. Add a new hotel instead.',
  },
  keepsRoomTypes: {
    ...conflict,
    code: 'hotel-keeps-its-room-types',
    title: 'A room type cannot be removed',
    advice:
      'Reservations refer to it. Send all room types of the hotel, and retire the rooms of the type instead.',
  },
  numberUsed: {
    ...conflict,
    code: 'room-number-used',
    title: 'The hotel already has a room with this number',
    advice: 'Use another number, or update the existing room.',
  },
  statusMove: {
    ...conflict,
    code: 'status-move-refused',
    title: 'The status change of the room is not allowed',
    advice:
      'An occupied room must become dirty, then available. See docs/hotel-states.md for all transitions.',
  },
  insufficient: {
    ...conflict,
    code: 'insufficient-inventory',
    title: 'Not enough rooms are available',
    advice:
      '`dates` lists the nights that are sold out. Nothing was reserved. You can retry later with ' +
      'the same reservationID.',
  },
  notBookable: {
    ...conflict,
    code: 'not-bookable',
    title: 'These dates are not on sale',
    advice: '`dates` lists the nights that are not on sale. Nothing was reserved.',
  },
  noRate: {
    ...conflict,
    code: 'no-rate',
    title: 'These dates have no price yet',
    advice: '`dates` lists the nights without a rate. Nothing was reserved.',
  },
  past: {
    code: 'stay-in-the-past',
    status: 422,
    title: 'The stay starts in the past',
    advice: 'The first day can be today at the earliest, in the time zone of the hotel.',
  },
  idTaken: {
    code: 'reservation-id-taken',
    status: 422,
    title: 'This reservationID cannot be used',
    advice: 'It was used for a different request. Create a new one each time a customer opens the form.',
  },
  tooManyHolds: {
    ...conflict,
    code: 'too-many-holds',
    title: 'You have too many unpaid reservations',
    advice: 'Pay or cancel one of your reservations, or wait until one expires.',
  },
  notBooked: {
    code: 'reservation-not-paid',
    status: 409,
    title: 'The reservation is not paid yet',
    advice: 'Receipt and calendar file exist once the reservation was paid.',
  },
  notChangeable: {
    ...conflict,
    code: 'reservation-not-changeable',
    title: 'The reservation does not allow this change',
    advice:
      'Its status does not allow it. See docs/hotel-states.md for all transitions. Nothing was changed.',
  },
  needsSecond: {
    ...conflict,
    code: 'refund-needs-second-person',
    title: 'A refund of this amount needs a second person',
    advice:
      'Request it with POST /v1/payments/{payment_order_id}/refunds; another person then approves it ' +
      'there. Nothing was changed.',
  },
  noFreeRooms: {
    ...conflict,
    code: 'no-free-rooms',
    title: 'The rooms are not available on all nights',
    advice: 'Choose other rooms of the type, or move another reservation first. Nothing was changed.',
  },
  dearer: {
    ...conflict,
    code: 'dates-cost-more',
    title: 'These dates cost more than the amount paid',
    advice: 'Make a new reservation for them and cancel this one. Nothing was changed.',
  },
} as const satisfies Record<string, ProblemKind>;
