import type { HttpAnswer, HttpRequest, Route } from '#platform/http/http-types.js';
import { SqlUnavailable } from '#platform/sql/sql.js';
import { postGuestErasure } from '#schemas/http/hotel-guests.js';
import { postReservation } from '#schemas/http/hotel-reservations.js';
import { postWaitlistEntry } from '#schemas/http/hotel-waitlist.js';
import { isStorable } from '../reservations/request-problem.js';
import { home, isElsewhere } from '../sharding/hotel-servers.js';
import type { Placement } from '../sharding/placement.js';
import { catchUnavailable } from './catch-unavailable.js';
import { kept } from './kept-request.js';

const ofHotel = /^\/v1\/(?:staff\/)?hotels\/\{(\w+)\}/;
const ofReservation = /^\/v1\/(?:staff\/)?reservations\/\{(\w+)\}/;

/** What says which hotel a request is about. */
interface Subject {
  readonly hotelId?: string | undefined;
  readonly reservationId?: string | undefined;
}

/**
 * The operations of each server as one: a request goes to the server of its hotel, and waits while that hotel
 * is being moved. Lists over all hotels, and what is about none, are those of `home`.
 *
 * `routes`: by the name of the server, all in the same order.
 */
export function routeByHotel(
  placement: Placement,
  routes: ReadonlyMap<string, readonly Route[]>,
): readonly Route[] {
  return routes.get(home)!.map((route, index) => {
    const subjectOf = subjectIn(route) ?? (() => ({}));
    const isRead = route.contract.method === 'GET';
    return {
      ...route,
      handle(given: HttpRequest) {
        const subject = subjectOf(given);
        const request = kept(given);
        const at = (server: string) => answered(routes.get(server)![index]!, request);
        return catchUnavailable(async () => {
          const hotelId = await hotelOf(placement, subject);
          if (hotelId === undefined) return at(home).catch(moving);
          return isRead ? placement.read(hotelId, at) : placement.change(hotelId, at);
        });
      },
    };
  });
}

function subjectIn({ contract }: Route): ((request: HttpRequest) => Subject) | undefined {
  const { path, operationId } = contract;
  const hotel = ofHotel.exec(path)?.[1];
  if (hotel !== undefined) return ({ params }) => ({ hotelId: textIn(params, hotel) });
  const reservation = ofReservation.exec(path)?.[1];
  if (reservation !== undefined) return ({ params }) => ({ reservationId: textIn(params, reservation) });
  switch (operationId) {
    case postReservation.operationId:
      return ({ body }) => ({ hotelId: textIn(parsed(body), 'hotelID') });
    case postWaitlistEntry.operationId:
      return ({ body }) => ({ hotelId: textIn(body, 'hotelID') });
    case postGuestErasure.operationId:
      return ({ body }) => ({ reservationId: textIn(body, 'reservationID') });
    default:
      return undefined;
  }
}

async function hotelOf(
  placement: Placement,
  { hotelId, reservationId }: Subject,
): Promise<string | undefined> {
  if (reservationId === undefined) return hotelId;
  return isStorable(reservationId) ? placement.hotelOf(reservationId) : undefined;
}

/** What the handler refuses is no object here. */
function parsed(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(body as Uint8Array).toString());
  } catch {
    return undefined;
  }
}

function textIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'string' ? found : undefined;
}

/** Of a request that is about several hotels, or one that we do not know. */
function moving(error: unknown): never {
  throw isElsewhere(error) ? new SqlUnavailable('A hotel is being moved to another server.') : error;
}

async function answered(route: Route, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await route.handle(request);
  if (typeof answer === 'function') throw new Error(`${route.contract.operationId} answers late.`);
  return answer;
}
