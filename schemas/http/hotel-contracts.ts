import * as documents from './hotel-documents.js';
import { getHotelPlaces } from './hotel-places.js';
import * as reservations from './hotel-reservations.js';
import * as staff from './hotel-staff.js';
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
  reservations.putReservationDates,
  documents.getReservationReceipt,
  documents.getReservationCalendar,
  reservations.getAvailability,
  waitlist.postWaitlistEntry,
  waitlist.listWaitlist,
  waitlist.deleteWaitlistEntry,
  staff.searchReservations,
  staff.getStaffReservation,
  staff.searchHotels,
  staff.getHotelCalendar,
  staff.putHotelRates,
  staff.postStaffCancellation,
  staff.postStaffPaymentCancellation,
  staff.postStaffRefund,
  staff.postRoomAssignment,
  staff.postCheckIn,
  staff.postCheckOut,
  staff.postNoShow,
  staff.listStaffActions,
];
