import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { mayManage } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import { parseJson } from '#platform/http/server/parse-json.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-guests.js';
import type { UserId } from '#schemas/units.js';
import { type Guest, guestFaults } from '../guests/guest.js';
import type { Guests, PutGuestOutcome } from '../guests/guests.js';
import type { Actor, Reservations } from '../reservations/reservations.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import * as messages from './messages.js';
import { noReservation, sentenceOf } from './reservation-routes.js';

export interface GuestRouteDeps {
  readonly sql: Sql;
  readonly reservations: Reservations;
  readonly guests: Guests;
  readonly now: () => Date;
  /** Calls that reserve, change or cancel, of one user in a minute. */
  readonly bookingsPerUserMax: number;
}

const staff = { staff: true } as const;

/** Personal data of guests, for the customer who booked and for staff; no cache stores an answer. */
export function guestRoutes(deps: GuestRouteDeps): readonly Route[] {
  const { sql, reservations, guests, now, bookingsPerUserMax } = deps;
  const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax, windowS: 60 } };
  const show = async (reservationId: string, actor: Actor): Promise<HttpAnswer> => {
    const found = await reservations.get(reservationId, actor);
    if (found === undefined) return noReservation();
    const guest = await guests.get(found);
    if (guest === undefined) return problem(problems.notFound, messages.noGuest);
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { ...guest } };
  };
  return [
    route(contracts.getGuest, ({ params, identity }) =>
      catchUnavailable(() => show(params.id, { userId: identity.userId as UserId })),
    ),
    route(
      contracts.putGuest,
      ({ params, body, identity }) => {
        const json = parseJson(body);
        if (!json.ok) return problem(problems.malformed, json.detail);
        const errors = guestFaults(json.value);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const guest = json.value as Guest;
        return catchUnavailable(async () => {
          const actor = { userId: identity.userId as UserId };
          return putAnswer(await guests.put(params.id, actor, guest, now()));
        });
      },
      booking,
    ),
    route(contracts.deleteGuest, ({ params, identity }) =>
      catchUnavailable(async () => {
        const found = await reservations.get(params.id, { userId: identity.userId as UserId });
        if (found === undefined) return noReservation();
        await guests.erase({ reservationId: found.reservationId });
        return { status: 204 };
      }),
    ),
    route(contracts.deleteGuestData, ({ params, identity }) =>
      catchUnavailable(async () => {
        if (params.id !== identity.userId) return problem(problems.notFound, messages.notYourUser);
        await guests.erase({ userId: identity.userId });
        return { status: 204 };
      }),
    ),
    route(contracts.getStaffGuest, ({ params }) => catchUnavailable(() => show(params.id, staff))),
    route(contracts.putStaffGuest, ({ params, body, identity }) => {
      const json = parseJson(body);
      if (!json.ok) return problem(problems.malformed, json.detail);
      const { guest, reason, errors } = staffGuestOf(json.value);
      if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
      // The list of actions says nothing of the guest, because it is never erased.
      const entry = { action: 'set-guest', subject: params.id, reason, staffId: identity.userId } as const;
      return catchUnavailable(async () =>
        putAnswer(await audited(sql, now(), entry, () => guests.put(params.id, staff, guest, now()))),
      );
    }),
    route(contracts.postGuestErasure, ({ body: { reason, reservationID, userID }, identity }) => {
      if ((reservationID === undefined) === (userID === undefined))
        return problem(problems.invalid, messages.badFields, {
          errors: [{ pointer: '/reservationID', message: messages.reservationOrUser }],
        });
      const of = userID === undefined ? { reservationId: reservationID! } : { userId: userID };
      const subject = userID ?? reservationID!;
      const action = { action: 'erase-guest', subject, reason, staffId: identity.userId } as const;
      return catchUnavailable(async () => {
        if (identity.properties !== undefined) {
          // The reservations of a user can be in other hotels.
          if (reservationID === undefined) return problem(problems.forbidden, messages.singleHotels);
          const found = await reservations.get(reservationID, staff);
          if (found === undefined || !mayManage(identity, found.hotelId)) return noReservation();
        }
        const { erased } = await audited(sql, now(), action, async () => ({
          kind: 'erased',
          erased: await guests.erase(of),
        }));
        return { status: 200, body: { erased } };
      });
    }),
  ];
}

function putAnswer(outcome: PutGuestOutcome): HttpAnswer {
  switch (outcome.kind) {
    case 'changed':
      return { status: 204 };
    case 'unknown':
      return noReservation();
    case 'refused':
      return problem(hotelProblems.notChangeable, sentenceOf(outcome.reservation));
    case 'too-many-guests':
      return problem(hotelProblems.tooManyGuests, messages.sleeps(outcome.sleeps));
    case 'changes-price':
      return problem(hotelProblems.guestsChangePrice);
  }
}

const reasonMax = 500;
const isReason = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= reasonMax && !/[\p{Cc}\p{Cs}]/u.test(value);

/** Read here, not by a schema, so that no answer repeats what is personal. */
function staffGuestOf(value: unknown) {
  const { guest, reason = messages.frontDesk, ...rest } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const errors = [
    ...guestFaults(guest, '/guest'),
    ...(isReason(reason) ? [] : [{ pointer: '/reason', message: messages.badReason(reasonMax) }]),
    ...(Object.keys(rest).length > 0 ? [{ pointer: '', message: messages.unknownField }] : []),
  ];
  return { guest: guest as Guest, reason: reason as string, errors };
}
