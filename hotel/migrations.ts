import type { Migration } from '#platform/sql/sql.js';
import { createHotels } from './migrations/0001-create-hotels.js';
import { createInventory } from './migrations/0002-create-inventory.js';
import { createReservations } from './migrations/0003-create-reservations.js';
import { createOutbox } from './migrations/0004-create-outbox.js';
import { reserveRooms } from './migrations/0005-reserve-rooms.js';
import { changeCounts } from './migrations/0006-change-counts.js';
import { createWaitlist } from './migrations/0007-create-waitlist.js';
import { createOperatorRequests } from './migrations/0050-create-operator-requests.js';
import { createStaffActions } from './migrations/0051-create-staff-actions.js';
import { createPaymentAnswers } from './migrations/0052-create-payment-answers.js';
import { reserveByKeys } from './migrations/0053-reserve-by-keys.js';
import { reserveOne } from './migrations/0054-reserve-one.js';
import { dropHoldsRooms } from './migrations/0055-drop-holds-rooms.js';
import { lockUsers } from './migrations/0056-lock-users.js';
import { addPaymentReturned } from './migrations/0057-add-payment-returned.js';
import { followTheMoney } from './migrations/0058-follow-the-money.js';

/** All of the history `hotel`: `sql.migrate('hotel', hotelMigrations)`. */
export const hotelMigrations: readonly Migration[] = [
  createHotels,
  createInventory,
  createReservations,
  createOutbox,
  reserveRooms,
  changeCounts,
  createWaitlist,
  createOperatorRequests,
  createStaffActions,
  createPaymentAnswers,
  reserveByKeys,
  reserveOne,
  dropHoldsRooms,
  lockUsers,
  addPaymentReturned,
  followTheMoney,
];
