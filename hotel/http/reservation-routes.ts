import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-reservations.js';
import type { UserId } from '#schemas/units.js';
import { type Guest, isSameGuest, sleepsAtMost } from '../guests/guest.js';
import type { Guests } from '../guests/guests.js';
import type { Hotels } from '../hotels/hotels.js';
import type { Reservation } from '../reservations/reservation.js';
import type {
  ChangeStayOutcome,
  Reservations,
  ReserveOutcome,
  ReserveRequest,
} from '../reservations/reservations.js';
import { catchUnavailable } from './catch-unavailable.js';
import { datesProblem, dearerProblem, restrictedProblem } from './failed-dates.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { parseReservationRequest } from './parse-reservation.js';
import { cursorOf, readCursor } from './reservation-cursor.js';
import { quoteView, reservationView, roomNumbersOf } from './reservation-view.js';

export interface ReservationRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly guests: Guests;
  readonly reservations: Reservations;
  /** Calls that reserve, change or cancel, of one user in a minute. */
  readonly bookingsPerUserMax: number;
}

const pageDefault = 20;

/** The customer's own reservations. Those of others are answered with 404. */
export function reservationRoutes(deps: ReservationRouteDeps): readonly Route[] {
  const { sql, reservations, bookingsPerUserMax } = deps;
  const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax, windowS: 60 } };
  const reserveFor = (guest: Guest, request: ReserveRequest) => reserveWithGuest(deps, guest, request);
  return [
    route(contracts.listReservations, ({ query, identity }) =>
      catchUnavailable(async () => {
        const userId = identity.userId as UserId;
        const limit = query.limit ?? pageDefault;
        const last = query.cursor === undefined ? undefined : readCursor(query.cursor);
        const before = last === undefined ? undefined : await reservations.get(last, { userId });
        if (query.cursor !== undefined && before === undefined) return foreignCursor();
        const page = await reservations.list(userId, {
          // One more row than requested shows whether there are more.
          limit: limit + 1,
          ...(before === undefined ? {} : { before }),
        });
        const shown = page.slice(0, limit);
        return {
          status: 200,
          body: {
            reservations: shown.map((each) => reservationView(each)),
            ...(page.length > limit ? { nextCursor: cursorOf(shown.at(-1)!.reservationId) } : {}),
          },
        };
      }),
    ),
    route(contracts.getReservation, ({ params, identity }) =>
      catchUnavailable(async () => {
        const userId = identity.userId as UserId;
        const found = await reservations.get(params.id, { userId });
        if (found === undefined) return noReservation();
        return { status: 200, body: reservationView(found, await roomNumbersOf(sql, found.reservationId)) };
      }),
    ),
    route(
      contracts.postReservation,
      ({ body, identity }) => {
        const parsed = parseReservationRequest(body, identity.userId as UserId);
        switch (parsed.kind) {
          case 'malformed':
            return problem(problems.malformed, parsed.detail);
          case 'invalid':
            return wrongFields(parsed.errors);
          case 'request': {
            const { request, guest } = parsed;
            return catchUnavailable(() =>
              guest === undefined
                ? reservations.reserve(request).then(reserveAnswer)
                : reserveFor(guest, request),
            );
          }
        }
      },
      booking,
    ),
    route(
      contracts.deleteReservation,
      ({ params, query, identity }) =>
        catchUnavailable(async () => {
          const userId = identity.userId as UserId;
          return changeAnswer(await reservations.cancel(params.id, { userId }, query));
        }),
      booking,
    ),
  ];
}

/**
 * The guest is sealed before it leaves this process, and stored with the reservation or not at all. A hotel
 * or room type that is not known is refused by the reservation itself.
 */
async function reserveWithGuest(
  { hotels, guests, reservations }: ReservationRouteDeps,
  guest: Guest,
  request: ReserveRequest,
): Promise<HttpAnswer> {
  const hotel = await hotels.get(request.hotelId);
  const type = hotel?.roomTypes.find(({ roomTypeId }) => roomTypeId === request.roomTypeId);
  const sleeps = type === undefined ? undefined : sleepsAtMost(type.capacity, request.roomCount);
  if (sleeps !== undefined && guest.guests > sleeps)
    return problem(hotelProblems.tooManyGuests, messages.sleeps(sleeps));
  const outcome = await reservations.reserve({
    ...request,
    guest: guests.seal(request.reservationId, guest),
  });
  if (outcome.kind !== 'repeated') return reserveAnswer(outcome);
  const stored = await guests.get(outcome.reservation);
  const isSame = stored !== undefined && isSameGuest(stored, guest);
  return reserveAnswer(isSame ? outcome : { kind: 'differs' });
}

export const noReservation = () => problem(problems.notFound, messages.noReservation);

const foreignCursor = () =>
  problem(problems.invalid, messages.badQuery, {
    errors: [{ pointer: '/query/cursor', message: messages.badCursor }],
  });

export const wrongFields = (errors: readonly { readonly pointer: string; readonly message: string }[]) =>
  problem(problems.invalid, messages.badFields, { errors });

function reserveAnswer(outcome: ReserveOutcome): HttpAnswer {
  switch (outcome.kind) {
    case 'reserved':
    case 'repeated': {
      const { reservation } = outcome;
      const location = `/v1/reservations/${encodeURIComponent(reservation.reservationId)}`;
      const body = reservationView(reservation);
      return outcome.kind === 'reserved'
        ? { status: 201, headers: { location }, body }
        : { status: 200, headers: { location, 'idempotent-replayed': 'true' }, body };
    }
    case 'differs':
      return problem(hotelProblems.idTaken, messages.idUsed);
    case 'taken':
      return problem(hotelProblems.idTaken);
    case 'unknown-hotel':
      return noHotel();
    case 'unknown-room-type':
      return problem(problems.notFound, messages.noRoomType);
    case 'too-many-holds':
      return problem(hotelProblems.tooManyHolds);
    case 'unknown-rate-plan':
      return problem(problems.notFound, messages.noRatePlan);
    case 'too-many-adults':
      return problem(hotelProblems.tooManyAdults);
    case 'unknown-block':
      return problem(problems.notFound, messages.noBlock);
    case 'block-released':
      return problem(hotelProblems.blockReleased);
    case 'block-full':
      return datesProblem(hotelProblems.blockFull, outcome.dates);
    case 'stop-sell':
    case 'closed-to-arrival':
    case 'closed-to-departure':
    case 'minimum-stay':
    case 'maximum-stay':
      return restrictedProblem(outcome);
    case 'busy':
      return problem(problems.overloaded, undefined, { retryAfterS: 1 });
    case 'insufficient':
    case 'not-bookable':
    case 'no-rate':
    case 'past':
    case 'invalid':
      return stayAnswer(outcome);
  }
}

export const sentenceOf = ({ status, roomCount }: Reservation) =>
  status === 'payment_returned' ? messages.paymentReversed : messages.reservationState(status, roomCount);

const changedBeforeProblem = ({ startDate, endDate, roomCount }: Reservation) =>
  problem(hotelProblems.stayChangedBefore, messages.stayIsNow(startDate, endDate, roomCount));

/** What is wrong with the nights. */
function stayAnswer(
  outcome: Extract<
    ReserveOutcome,
    { readonly kind: 'insufficient' | 'not-bookable' | 'no-rate' | 'past' | 'invalid' }
  >,
): HttpAnswer {
  switch (outcome.kind) {
    case 'insufficient':
      return datesProblem(hotelProblems.insufficient, outcome.dates);
    case 'not-bookable':
      return datesProblem(hotelProblems.notBookable, outcome.dates);
    case 'no-rate':
      return datesProblem(hotelProblems.noRate, outcome.dates);
    case 'past':
      return problem(hotelProblems.past);
    case 'invalid':
      return problem(problems.invalid, outcome.problem);
  }
}

export function changeAnswer(outcome: ChangeStayOutcome): HttpAnswer {
  switch (outcome.kind) {
    case 'changed':
    case 'unchanged':
      return { status: 200, body: reservationView(outcome.reservation) };
    case 'unknown':
      return noReservation();
    case 'refused':
      return problem(hotelProblems.notChangeable, sentenceOf(outcome.reservation));
    case 'changed-before':
      return changedBeforeProblem(outcome.reservation);
    case 'to-pay':
      return { status: 202, body: reservationView(outcome.reservation) };
    case 'dearer':
      return dearerProblem(outcome);
    case 'quoted':
      return { status: 200, body: quoteView(outcome) };
    case 'unknown-room-type':
      return problem(problems.notFound, messages.noRoomType);
    case 'unknown-rate-plan':
      return problem(problems.notFound, messages.noRatePlan);
    case 'too-many-adults':
      return problem(hotelProblems.tooManyAdults);
    case 'too-many-guests':
      return problem(hotelProblems.tooManyGuests, messages.sleeps(outcome.sleeps));
    case 'stop-sell':
    case 'closed-to-arrival':
    case 'closed-to-departure':
    case 'minimum-stay':
    case 'maximum-stay':
      return restrictedProblem(outcome);
    case 'insufficient':
    case 'not-bookable':
    case 'no-rate':
    case 'past':
    case 'invalid':
      return stayAnswer(outcome);
  }
}
