import * as ari from './hotel-ari.js';
import { getAvailability } from './hotel-availability.js';
import * as blocks from './hotel-blocks.js';
import * as channels from './hotel-channel-endpoints.js';
import { postChannelRequest } from './hotel-channel-request.js';
import { getHotelToday, getRoomPlan } from './hotel-desk.js';
import * as documents from './hotel-documents.js';
import * as folio from './hotel-folio.js';
import * as guests from './hotel-guests.js';
import * as housekeeping from './hotel-housekeeping.js';
import { getHotelPlaces } from './hotel-places.js';
import * as plans from './hotel-rate-plans.js';
import * as reservations from './hotel-reservations.js';
import * as staff from './hotel-staff.js';
import * as changes from './hotel-stay-changes.js';
import { getStayPrice } from './hotel-stay-prices.js';
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
  documents.getReservationReceipt,
  documents.getReservationCalendar,
  guests.getGuest,
  guests.putGuest,
  guests.deleteGuest,
  guests.deleteGuestData,
  folio.getFolio,
  folio.getInvoice,
  folio.postInvoice,
  changes.putReservationDates,
  changes.putReservationStay,
  changes.postStayQuote,
  changes.deleteSupplement,
  changes.putStaffStay,
  changes.postStaffStayQuote,
  getAvailability,
  plans.listOffers,
  getStayPrice,
  waitlist.postWaitlistEntry,
  waitlist.listWaitlist,
  waitlist.deleteWaitlistEntry,
  getHotelToday,
  getRoomPlan,
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
  channels.postChannelEndpoint,
  channels.listChannelEndpoints,
  channels.putChannelEndpoint,
  channels.deleteChannelEndpoint,
  channels.postChannelEndpointSecret,
  channels.listChannelAttempts,
  channels.postChannelReplay,
  channels.postChannelSnapshot,
  postChannelRequest,
  blocks.putGroupBlock,
  blocks.changeGroupBlock,
  blocks.getGroupBlock,
  blocks.listGroupBlocks,
  blocks.releaseGroupBlock,
  housekeeping.getHouseRules,
  housekeeping.putHouseRules,
  housekeeping.listRoomsToClean,
  housekeeping.listStaffRooms,
  housekeeping.putRoomHousekeeping,
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
  folio.postPayLink,
  folio.getStaffInvoice,
  folio.postStaffInvoice,
  guests.getStaffGuest,
  guests.putStaffGuest,
  guests.postGuestErasure,
  staff.listStaffActions,
];
