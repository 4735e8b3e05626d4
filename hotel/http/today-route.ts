import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getHotelToday, type TodayStay, todayLists } from '#schemas/http/hotel-desk.js';
import { paymentsOfReservation, type ReadPayments, readBalances } from '../folio/read-folio.js';
import type { Guests } from '../guests/guests.js';
import type { Hotels } from '../hotels/hotels.js';
import { moneyText } from '../hotels/money-text.js';
import { hotelLimits } from '../limits.js';
import { dayAtHotel } from '../rates/ari-version.js';
import type { Reservation } from '../reservations/reservation.js';
import { assignedRooms } from '../staff/assigned-rooms.js';
import { todayOf } from '../staff/today.js';
import { catchUnavailable } from './catch-unavailable.js';
import { deskStay } from './desk-stay.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';

export interface TodayRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly guests: Guests;
  readonly now: () => Date;
  /** If payments are in the same database. */
  readonly readPayments?: ReadPayments;
}

const pageDefault = 50;

/** Today's stays of a hotel, each with all that a row of the front desk shows. */
export const todayRoute = ({
  sql,
  hotels,
  guests,
  now,
  readPayments = paymentsOfReservation,
}: TodayRouteDeps): Route =>
  route(getHotelToday, ({ params, query: { list, cursor, limit = pageDefault } }) => {
    if (cursor !== undefined && list === undefined)
      return problem(problems.invalid, messages.badQuery, {
        errors: [{ pointer: '/query/cursor', message: messages.cursorOfOneList }],
      });
    return catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      const today = await dayAtHotel(sql, params.id, now());
      const lists = list === undefined ? todayLists : [list];
      const before = cursor === undefined ? undefined : BigInt(cursor);
      const place = { hotelId: params.id, today };
      const { pages, balances, rooms } = await sql.transaction(
        async (tx) => {
          const found = await todayOf(tx, place, lists, { before, limit });
          const shown = [...found].map(([of, page]) => ({ of, ...page, shown: page.found.slice(0, limit) }));
          const stays = shown.flatMap((page) => page.shown);
          return {
            pages: shown,
            balances: await readBalances(tx, stays, readPayments),
            rooms: await assignedRooms(
              tx,
              stays.map(({ reservationId }) => reservationId),
            ),
          };
        },
        { isolation: 'repeatable read', attempts: hotelLimits.attemptsMax },
      );
      const names = await guests.names([...balances.keys()]);
      const view = (stay: Reservation): TodayStay => {
        const { reservationId: id, currency } = stay;
        return {
          ...deskStay(stay, names),
          rooms: (rooms.get(id) ?? []).map(({ number, status }) => ({ number, status })),
          ...{ currency, balance: moneyText(balances.get(id)!, currency) },
        };
      };
      return {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          date: today,
          lists: pages.map(({ of, total, found, shown }) => ({
            ...{ list: of, total, stays: shown.map(view) },
            ...(found.length > limit ? { nextCursor: String(shown.at(-1)!.sequence) } : {}),
          })),
        },
      };
    });
  });
