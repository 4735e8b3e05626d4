import type { ProblemKind } from '#platform/http/problem.js';
import { channelProblems } from './channel-problems.js';

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
  ...channelProblems,
  unknownPlan: {
    ...conflict,
    code: 'unknown-rate-plan',
    title: 'A room type does not have this rate plan, or the plan derives its prices',
    advice:
      'Add the plan to each room type, and set prices only of plans with own prices. Nothing was changed.',
  },
  unknownBase: {
    ...conflict,
    code: 'unknown-base-plan',
    title: 'The rate plan is derived from a plan that the room type does not have',
    advice: 'Add that plan first. Nothing was changed.',
  },
  planCircle: {
    ...conflict,
    code: 'rate-plan-circle',
    title: 'The rate plan would be derived from itself',
    advice: 'Derive it from a plan that does not depend on it. Nothing was changed.',
  },
  tooManyPlans: {
    ...conflict,
    code: 'too-many-rate-plans',
    title: 'The room type has the maximum number of rate plans',
    advice: 'Delete a plan first. Nothing was changed.',
  },
  planInUse: {
    ...conflict,
    code: 'rate-plan-in-use',
    title: 'Another rate plan is derived from this one',
    advice: 'Change or delete that plan first. Nothing was changed.',
  },
  noPriceLeft: {
    ...conflict,
    code: 'no-price-left',
    title: 'A derived rate plan would cost nothing or less',
    advice: '`dates` has the first such night. Change the amount or the price. Nothing was changed.',
  },
  stayBounds: {
    ...conflict,
    code: 'minimum-above-maximum-stay',
    title: 'The minimum stay would be above the maximum stay',
    advice: 'Set both in one update. Nothing was changed.',
  },
  stopSell: {
    ...conflict,
    code: 'stop-sell',
    title: 'The hotel does not sell these dates now',
    advice: '`dates` lists the nights. Choose other dates, another room type or another rate plan.',
  },
  closedToArrival: {
    ...conflict,
    code: 'closed-to-arrival',
    title: 'The hotel accepts no arrival on this day',
    advice: 'Choose another first night. Nothing was reserved.',
  },
  closedToDeparture: {
    ...conflict,
    code: 'closed-to-departure',
    title: 'The hotel accepts no departure on this day',
    advice: 'Choose another last night. Nothing was reserved.',
  },
  minimumStay: {
    ...conflict,
    code: 'minimum-stay',
    title: 'The stay is shorter than the hotel accepts for this arrival',
    advice: '`nights` is the minimum. Nothing was reserved.',
  },
  maximumStay: {
    ...conflict,
    code: 'maximum-stay',
    title: 'The stay is longer than the hotel accepts for this arrival',
    advice: '`nights` is the maximum. Nothing was reserved.',
  },
  roomNotChangeable: {
    ...conflict,
    code: 'room-not-changeable',
    title: 'The room does not allow this status now',
    advice:
      'Rooms with a guest become dirty at check-out. A dirty room is cleaned before it is inspected. ' +
      'Nothing was changed.',
  },
  roomChangedBefore: {
    ...conflict,
    code: 'room-changed-before',
    title: 'Somebody else has changed the room',
    advice: 'The detail has its status now. Look at the room again, then send that status as `from`.',
  },
  stayChangedBefore: {
    ...conflict,
    code: 'stay-changed-before',
    title: 'Somebody else has changed the stay',
    advice: 'Look at the stay again, then send it as `expected` as it is now. Nothing was changed.',
  },
  blockReleased: {
    ...conflict,
    code: 'group-block-released',
    title: 'The time to book with this group code is over',
    advice: 'The rooms are on sale for everybody again. Reserve without `blockCode`.',
  },
  blockFull: {
    ...conflict,
    code: 'group-block-full',
    title: 'The group block does not hold enough rooms on all nights',
    advice: '`dates` lists the nights, also those outside of the block. Nothing was reserved.',
  },
  blockDiffers: {
    ...conflict,
    code: 'group-block-differs',
    title: 'This group block exists with other values',
    advice: 'Change it with POST …/change, or create another one with a new id and code.',
  },
  blockClosed: {
    ...conflict,
    code: 'group-block-closed',
    title: 'The group block is released already',
    advice: 'A released block holds no rooms. Create another one with a new id and code.',
  },
  blockCodeUsed: {
    ...conflict,
    code: 'group-code-used',
    title: 'Another group block of the hotel has this code',
    advice: 'Choose another code; codes of released blocks are not used again. Nothing was changed.',
  },
  tooManyBlocks: {
    ...conflict,
    code: 'too-many-group-blocks',
    title: 'The hotel has the maximum number of open group blocks',
    advice: 'Release one that is no longer needed. Nothing was changed.',
  },
  tooManyAdults: {
    code: 'too-many-adults',
    status: 422,
    title: 'The room type is too small for this number of adults',
    advice: 'Its `capacity` is the maximum. Choose another room type or more rooms.',
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
  tooManyGuests: {
    code: 'too-many-guests',
    status: 422,
    title: 'The rooms do not sleep so many guests',
    advice: 'Reserve more rooms, or a room type with a higher capacity. Nothing was changed.',
  },
  guestsChangePrice: {
    ...conflict,
    code: 'guests-change-price',
    title: 'Another number of guests changes the price',
    advice:
      'The hotel has a tax by persons. Make a new reservation with the right number, or ask the hotel. ' +
      'Nothing was changed.',
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
  notInvoiceable: {
    ...conflict,
    code: 'reservation-not-paid',
    title: 'Nobody has paid for the reservation',
    advice: 'Extras and invoices belong to paid reservations. Nothing was changed.',
  },
  folioFull: {
    ...conflict,
    code: 'folio-full',
    title: 'The folio has the maximum number of entries',
    advice: 'Post one extra for several things. Nothing was changed.',
  },
  entryIdUsed: {
    ...conflict,
    code: 'entry-id-used',
    title: 'This entryID belongs to another entry',
    advice: 'Make a new id for each extra. Send the same one again only with the same body.',
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
    title: 'The changed stay costs more than the amount paid',
    advice:
      'Show `difference` to the guest, and send it with the change as agreed. The change is made once the ' +
      'difference is paid. Nothing was changed.',
  },
  nothingOpen: {
    ...conflict,
    code: 'nothing-open',
    title: 'No extras are open',
    advice: 'All extras of the folio are paid. Nothing was changed.',
  },
  changeWaits: {
    ...conflict,
    code: 'change-waits',
    title: 'A change of the stay waits to be paid',
    advice: 'A guest pays one amount at a time. Try again once it is paid or has expired.',
  },
} as const satisfies Record<string, ProblemKind>;
