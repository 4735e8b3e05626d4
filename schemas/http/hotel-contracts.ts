import { getAvailability } from './hotel-availability.js';
import * as folio from './hotel-folio.js';
import * as guests from './hotel-guests.js';
import { getHotelPlaces } from './hotel-places.js';
import * as reservations from './hotel-reservations.js';
import * as staff from './hotel-staff.js';
import * as taxes from './hotel-taxes.js';
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
  taxes.getHotelTaxes,
  taxes.putHotelTaxes,
  taxes.deleteHotelTaxes,
  getHotelPlaces,
  reservations.listReservations,
  reservations.getReservation,
  reservations.postReservation,
  reservations.deleteReservation,
  reservations.putReservationDates,
  getAvailability,
  guests.getGuest,
  guests.putGuest,
  guests.deleteGuest,
  guests.deleteGuestData,
  folio.getFolio,
  folio.getInvoice,
  folio.postInvoice,
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
  folio.getStaffFolio,
  folio.postExtra,
  folio.postExtraVoid,
  folio.getStaffInvoice,
  folio.postStaffInvoice,
  guests.getStaffGuest,
  guests.postGuestErasure,
  staff.listStaffActions,
];
