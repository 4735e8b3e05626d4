import type { ProblemKind } from '#platform/http/problem.js';

const conflict = { status: 409 } as const;

/** What hotels and reservations refuse, beyond what every operation may. */
export const hotelProblems = {
  stale: {
    code: 'stale-version',
    status: 412,
    title: 'It has changed since you read it',
    advice: 'Read it again, look at what changed, and send your change with the new ETag as If-Match.',
  },
  keyUsed: {
    code: 'idempotency-key-used',
    status: 422,
    title: 'The Idempotency-Key was used for something else',
    advice: 'Make a new key for each thing you want to make, and send it again only with the very same body.',
  },
  hotelReserved: {
    ...conflict,
    code: 'hotel-has-reservations',
    title: 'The hotel has reservations under way or to come',
    advice: 'Cancel them or wait until they are over; nothing was changed.',
  },
  keepsMeaning: {
    ...conflict,
    code: 'hotel-keeps-its-meaning',
    title: 'Currency and time zone of a hotel stay',
    advice: 'Prices and days of reservations are written in them. Add another hotel instead.',
  },
  keepsRoomTypes: {
    ...conflict,
    code: 'hotel-keeps-its-room-types',
    title: 'A room type cannot be taken away',
    advice:
      'Reservations name it. Send all room types that the hotel has, and take away the rooms of the type instead.',
  },
  numberUsed: {
    ...conflict,
    code: 'room-number-used',
    title: 'The hotel has a room of this number',
    advice: 'Give the room another number, or change the one that there is.',
  },
  statusMove: {
    ...conflict,
    code: 'status-move-refused',
    title: 'The room does not go from its status to this one',
    advice:
      'An occupied room becomes dirty first, a dirty one available; docs/hotel-states.md has all moves.',
  },
  insufficient: {
    ...conflict,
    code: 'insufficient-inventory',
    title: 'There are not so many rooms left',
    advice:
      '`dates` names the nights that are full. Nothing was reserved; the same reservationID may be sent again later.',
  },
  notBookable: {
    ...conflict,
    code: 'not-bookable',
    title: 'These dates cannot be booked',
    advice: '`dates` names the nights that are not on sale. Nothing was reserved.',
  },
  noRate: {
    ...conflict,
    code: 'no-rate',
    title: 'These dates have no price yet',
    advice: '`dates` names the nights without a rate. Nothing was reserved.',
  },
  past: {
    code: 'stay-in-the-past',
    status: 422,
    title: 'The stay begins in the past',
    advice: 'The first day is today at the earliest, as it is in the hotel.',
  },
  idTaken: {
    code: 'reservation-id-taken',
    status: 422,
    title: 'This reservationID cannot be used',
    advice: 'It was used for another request. Make a new one each time a customer opens the form.',
  },
  tooManyHolds: {
    ...conflict,
    code: 'too-many-holds',
    title: 'You keep as many unpaid rooms as one may',
    advice: 'Pay or cancel one of your reservations, or wait until one expires.',
  },
  notChangeable: {
    ...conflict,
    code: 'reservation-not-changeable',
    title: 'The reservation cannot be changed so',
    advice: 'Its status does not allow it; docs/hotel-states.md has all moves. Nothing was changed.',
  },
  needsSecond: {
    ...conflict,
    code: 'refund-needs-second-person',
    title: 'A second person must agree to a refund of so much',
    advice:
      'Ask for it by POST /v1/payments/{payment_order_id}/refunds; another person then approves it there. ' +
      'Nothing was changed.',
  },
  noFreeRooms: {
    ...conflict,
    code: 'no-free-rooms',
    title: 'The rooms are not free on all nights',
    advice: 'Name other rooms of the type, or move another reservation first. Nothing was changed.',
  },
  dearer: {
    ...conflict,
    code: 'dates-cost-more',
    title: 'These dates cost more than what was paid',
    advice: 'Make a new reservation for them and cancel this one. Nothing was changed.',
  },
} as const satisfies Record<string, ProblemKind>;
