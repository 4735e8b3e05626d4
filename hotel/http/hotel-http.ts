import type { Route } from '#platform/http/http-types.js';
import { type AvailabilityRouteDeps, availabilityRoute } from './availability-route.js';
import { hotelRoutes } from './hotel-routes.js';
import { type ReservationRouteDeps, reservationRoutes } from './reservation-routes.js';
import { type StaffRouteDeps, staffRoutes } from './staff-routes.js';

export type HotelHttpDeps = AvailabilityRouteDeps & ReservationRouteDeps & StaffRouteDeps;

/** Every operation of hotels, for the public and the internal server; each takes those of its own listener. */
export function hotelHttp(deps: HotelHttpDeps): readonly Route[] {
  return [
    ...hotelRoutes(deps.hotels),
    availabilityRoute(deps),
    ...reservationRoutes(deps),
    ...staffRoutes(deps),
  ];
}
