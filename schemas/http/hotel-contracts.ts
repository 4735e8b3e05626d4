import * as ari from './hotel-ari.js';
import { getAvailability } from './hotel-availability.js';
import { getHotelPlaces } from './hotel-places.js';
import * as plans from './hotel-rate-plans.js';
import * as reservations from './hotel-reservations.js';
import * as staff from './hotel-staff.js';
import * as changes from './hotel-stay-changes.js';
import * as waitlist from './hotel-waitlist.js';
import * as hotels from './hotels.js';
import type { RouteContract } from './route-contract.js';

/** Every operation of hotels, reservations and their management. */
export const hotelContracts: readonly RouteContract[] = [
  hotels.getHotel,
  hotels.postHotel,
  hotels.putHotel,
  hotels.deleteHotel,
  hotels.getRoom,
  hotels.postRoom,
  hotels.putRoom,
  hotels.deleteRoom,
  getHotelPlaces,
  reservations.listReservations,
  reservations.getReservation,
  reservations.postReservation,
  reservations.deleteReservation,
  changes.putReservationDates,
  changes.putReservationStay,
  getAvailability,
  plans.listOffers,
  waitlist.postWaitlistEntry,
  waitlist.listWaitlist,
  waitlist.deleteWaitlistEntry,
  staff.searchReservations,
  staff.getStaffReservation,
  staff.searchHotels,
  staff.getHotelCalendar,
  staff.putHotelRates,
  plans.listRatePlans,
  plans.putRatePlan,
  plans.deleteRatePlan,
  plans.putAdultPrices,
  ari.updateHotelAri,
  ari.getHotelAri,
  ari.putChannelFeed,
  staff.postStaffCancellation,
  staff.postStaffPaymentCancellation,
  staff.postStaffRefund,
  staff.postRoomAssignment,
  staff.postCheckIn,
  staff.postCheckOut,
  staff.postNoShow,
  staff.listStaffActions,
];
