import type { Route } from '#platform/http/http-types.js';
import { type Identity, mayManage } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import { postGuestErasure } from '#schemas/http/hotel-guests.js';
import { listStaffActions, searchHotels, searchReservations } from '#schemas/http/hotel-staff.js';
import type { Reservations } from '../reservations/reservations.js';
import { catchUnavailable } from './catch-unavailable.js';
import { noHotel } from './hotel-routes.js';
import { kept } from './kept-request.js';
import { singleHotels } from './messages.js';
import { noReservation } from './reservation-routes.js';

/** They leave out other hotels themselves. */
const limited: readonly string[] = [searchReservations, searchHotels, listStaffActions, postGuestErasure].map(
  ({ operationId }) => operationId,
);
const ofHotel = /^\/v1\/(?:staff\/)?hotels\/\{(\w+)\}/;
const ofReservation = /^\/v1\/staff\/reservations\/\{(\w+)\}/;

/**
 * The operations of staff and operators. Whoever is limited to hotels (`property:{id}`) finds nothing of
 * others. The path says which hotel or reservation an operation is about; one that does not say it is
 * refused to them.
 */
export const withinProperties = (
  routes: readonly Route[],
  reservations: Pick<Reservations, 'get'>,
): readonly Route[] => routes.map((route) => (isForStaff(route) ? guarded(route, reservations) : route));

const isForStaff = ({ contract: { scopes } }: Route): boolean =>
  typeof scopes !== 'string' && (scopes.includes('desk') || scopes.includes('operator'));

function guarded(route: Route, reservations: Pick<Reservations, 'get'>): Route {
  const { contract, handle } = route;
  if (limited.includes(contract.operationId)) return route;
  const hotel = ofHotel.exec(contract.path)?.[1];
  const reservation = ofReservation.exec(contract.path)?.[1];
  const idOf = (params: unknown, name: string) => (params as Readonly<Record<string, string>>)[name]!;
  return {
    ...route,
    handle(request) {
      const identity = request.identity as Identity;
      if (identity.properties === undefined) return handle(request);
      if (hotel !== undefined)
        return mayManage(identity, idOf(request.params, hotel)) ? handle(request) : noHotel();
      if (reservation === undefined) return problem(problems.forbidden, singleHotels);
      const later = kept(request);
      return catchUnavailable(async () => {
        // A reservation never changes its hotel.
        const found = await reservations.get(idOf(request.params, reservation), { staff: true });
        if (found === undefined || !mayManage(identity, found.hotelId)) return noReservation();
        const answer = await handle(later);
        if (typeof answer === 'function') throw new Error(`${contract.operationId} answers late.`);
        return answer;
      });
    },
  };
}
