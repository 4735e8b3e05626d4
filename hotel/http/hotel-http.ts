import type { Route } from '#platform/http/http-types.js';
import { withoutCardData } from '#platform/http/response/without-card-data.js';
import { type AriRouteDeps, ariRoutes } from './ari-routes.js';
import { type AvailabilityRouteDeps, availabilityRoute } from './availability-route.js';
import { type BlockRouteDeps, blockRoutes } from './block-routes.js';
import { type ChannelEndpointRouteDeps, channelEndpointRoutes } from './channel-endpoint-routes.js';
import { type ChannelRequestRouteDeps, channelRequestRoutes } from './channel-request-routes.js';
import { type ChannelRouteDeps, channelRoutes } from './channel-routes.js';
import { type DeskRouteDeps, deskRoutes } from './desk-routes.js';
import { documentRoutes } from './document-routes.js';
import { type FolioRouteDeps, folioRoutes } from './folio-routes.js';
import { type GuestRouteDeps, guestRoutes } from './guest-routes.js';
import { hotelRoutes } from './hotel-routes.js';
import { type HousekeepingRouteDeps, housekeepingRoutes } from './housekeeping-routes.js';
import { type PlacesRouteDeps, placesRoute } from './places-route.js';
import { type RatePlanRouteDeps, ratePlanRoutes } from './rate-plan-routes.js';
import { type ReservationRouteDeps, reservationRoutes } from './reservation-routes.js';
import { type RoomPlanRouteDeps, roomPlanRoute } from './room-plan-route.js';
import { type StaffRouteDeps, staffRoutes } from './staff-routes.js';
import { type StayChangeRouteDeps, stayChangeRoutes } from './stay-change-routes.js';
import { stayPriceRoute } from './stay-price-route.js';
import { taxRoutes } from './tax-routes.js';
import { type TodayRouteDeps, todayRoute } from './today-route.js';
import { type WaitlistRouteDeps, waitlistRoutes } from './waitlist-routes.js';
import { withinProperties } from './within-properties.js';

export type HotelHttpDeps = AriRouteDeps &
  AvailabilityRouteDeps &
  BlockRouteDeps &
  ChannelEndpointRouteDeps &
  ChannelRequestRouteDeps &
  ChannelRouteDeps &
  DeskRouteDeps &
  FolioRouteDeps &
  GuestRouteDeps &
  HousekeepingRouteDeps &
  RatePlanRouteDeps &
  PlacesRouteDeps &
  ReservationRouteDeps &
  RoomPlanRouteDeps &
  StaffRouteDeps &
  StayChangeRouteDeps &
  TodayRouteDeps &
  WaitlistRouteDeps & {
    /** `internal`: operations of operators do not exist on the public listener. */
    readonly operatorListener: 'both' | 'internal';
  };

/** All operations of hotels. The public and the internal server each serve those of their own listener. */
export function hotelHttp(deps: HotelHttpDeps): readonly Route[] {
  const routes = [
    ...withoutCardData([
      ...hotelRoutes(deps.hotels),
      ...taxRoutes(deps),
      availabilityRoute(deps),
      stayPriceRoute(deps),
      ...ratePlanRoutes(deps),
      ...ariRoutes(deps),
      ...channelRoutes(deps),
      ...channelEndpointRoutes(deps),
      ...channelRequestRoutes(deps),
      ...blockRoutes(deps),
      ...housekeepingRoutes(deps),
      ...reservationRoutes(deps),
      ...stayChangeRoutes(deps),
      ...guestRoutes(deps),
      ...folioRoutes(deps),
      ...documentRoutes(deps),
      ...waitlistRoutes(deps),
      todayRoute(deps),
      roomPlanRoute(deps),
      ...staffRoutes(deps),
      ...deskRoutes(deps),
    ]),
    // Nothing of it is stored, and coordinates have many digits.
    placesRoute(deps),
  ];
  const guarded = withinProperties(routes, deps.reservations);
  return deps.operatorListener === 'both' ? guarded : guarded.map(insideForOperators);
}

function insideForOperators(route: Route): Route {
  const { scopes } = route.contract;
  if (typeof scopes === 'string' || !scopes.includes('operator')) return route;
  return { ...route, contract: { ...route.contract, listener: 'internal' } };
}
