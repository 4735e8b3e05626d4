import { apiKeyContracts } from './api-keys.js';
import {
  getReservationPayment,
  getStaffReservationPayment,
  putCardConsent,
  putSavedCard,
} from './bookings.js';
import { postCapture, postVoid } from './captures.js';
import { postDevelopmentSession } from './development.js';
import { disputeContracts } from './disputes.js';
import { getAsyncApi } from './documents.js';
import { financeContracts } from './finance.js';
import { getAutocomplete, getGeocode } from './geocode.js';
import { hotelContracts } from './hotel-contracts.js';
import { deleteIncident, listIncidents, postIncident, putIncident } from './incidents.js';
import { getIsochrone, postIsochrone } from './isochrone.js';
import { deleteUserLocations, getUserLocations, postLocations } from './locations.js';
import { getDayStyle, getFleet, getStatus, getTileJson, getTraffic, getVectorTile } from './map.js';
import { mapTileContracts } from './map-tiles.js';
import { postMatch } from './match.js';
import { getMerchantAccounts, postMerchantAccount, postMerchantAccountRemoval } from './merchant-accounts.js';
import {
  deleteWebhookEndpoint,
  getWebhookAttempts,
  getWebhookEndpoints,
  postWebhookEndpoint,
  postWebhookReplay,
  postWebhookSecret,
  putWebhookEndpoint,
} from './merchant-webhooks.js';
import {
  getMerchantBalance,
  getMerchantEntries,
  getMerchantExport,
  getMerchantPayment,
  getMerchantPayments,
  getMerchantStatement,
} from './merchants.js';
import { getNavigation } from './nav.js';
import { postNavSteps } from './nav-steps.js';
import { getNominatimLookup, getNominatimReverse, getNominatimSearch } from './nominatim.js';
import { getOperations, getOperationsOutline } from './operations.js';
import {
  getOsrmMatch,
  getOsrmNearest,
  getOsrmRoute,
  getOsrmTable,
  getOsrmTile,
  getOsrmTrip,
  postOsrmMatch,
  postOsrmNearest,
  postOsrmRoute,
  postOsrmTable,
  postOsrmTrip,
} from './osrm.js';
import { deletePatterns, getDestinations, getPatterns, getUserNav, putPatterns } from './patterns.js';
import { getPaymentReturn } from './payment-return.js';
import { getPayment, getRefund, postCancellation, postPayment, postRefund, postReview } from './payments.js';
import { payoutScheduleContracts } from './payout-schedules.js';
import { payoutContracts } from './payouts.js';
import { getPhotonReverse, getPhotonSearch } from './photon.js';
import { postProviderWebhook, postPspWebhook } from './psp-webhooks.js';
import { postReport } from './reports.js';
import { reviewContracts } from './reviews.js';
import { getAcceptedRoads, listRoadProposals, postRoadReview } from './road-proposals.js';
import type { RouteContract } from './route-contract.js';
import { savedCardContracts } from './saved-cards.js';
import { getNavWithWork } from './search-work.js';
import { sellerFeeContracts } from './seller-fees.js';
import { getSignIn } from './sign-in.js';
import { getSimulationTruth } from './simulation.js';
import { getDatex2Feed, getDatex2Speeds, getWzdxFeed } from './traffic-feeds.js';

/** Every HTTP operation of the product: what is served and what OpenAPI documents are the same list. */
export const routeContracts: readonly RouteContract[] = [
  ...apiKeyContracts,
  postLocations,
  getUserLocations,
  deleteUserLocations,
  getNavWithWork,
  getNavigation,
  postNavSteps,
  getPatterns,
  putPatterns,
  deletePatterns,
  getDestinations,
  getUserNav,
  postMatch,
  getIsochrone,
  postIsochrone,
  listRoadProposals,
  postRoadReview,
  getAcceptedRoads,
  getOsrmMatch,
  getOsrmNearest,
  getOsrmRoute,
  getOsrmTable,
  getOsrmTile,
  getOsrmTrip,
  postOsrmMatch,
  postOsrmNearest,
  postOsrmRoute,
  postOsrmTable,
  postOsrmTrip,
  getGeocode,
  getAutocomplete,
  getNominatimSearch,
  getNominatimReverse,
  getNominatimLookup,
  getPhotonSearch,
  getPhotonReverse,
  getTraffic,
  getWzdxFeed,
  getDatex2Feed,
  getDatex2Speeds,
  postReport,
  postIncident,
  putIncident,
  listIncidents,
  deleteIncident,
  getFleet,
  getStatus,
  getOperations,
  getOperationsOutline,
  getSimulationTruth,
  getVectorTile,
  ...mapTileContracts,
  getTileJson,
  getDayStyle,
  postPayment,
  getPayment,
  postRefund,
  getRefund,
  postReview,
  postCancellation,
  postCapture,
  postVoid,
  getMerchantBalance,
  getMerchantEntries,
  getMerchantStatement,
  getMerchantPayments,
  getMerchantPayment,
  getMerchantExport,
  postWebhookEndpoint,
  getWebhookEndpoints,
  putWebhookEndpoint,
  deleteWebhookEndpoint,
  postWebhookSecret,
  getWebhookAttempts,
  postWebhookReplay,
  postMerchantAccount,
  getMerchantAccounts,
  postMerchantAccountRemoval,
  postPspWebhook,
  postProviderWebhook,
  getPaymentReturn,
  ...disputeContracts,
  ...savedCardContracts,
  ...payoutContracts,
  ...payoutScheduleContracts,
  ...sellerFeeContracts,
  ...reviewContracts,
  ...financeContracts,
  ...hotelContracts,
  getReservationPayment,
  putCardConsent,
  putSavedCard,
  getStaffReservationPayment,
  getAsyncApi,
  postDevelopmentSession,
  getSignIn,
];
