import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getRoomPlan, type PlanStay, type RoomPlanView } from '#schemas/http/hotel-desk.js';
import type { Guests } from '../guests/guests.js';
import type { Hotels } from '../hotels/hotels.js';
import { hotelLimits } from '../limits.js';
import { dayAtHotel } from '../rates/ari-version.js';
import type { Reservation } from '../reservations/reservation.js';
import { addDays } from '../reservations/stay-days.js';
import { assignedRooms } from '../staff/assigned-rooms.js';
import { roomPlanOf } from '../staff/room-plan.js';
import { catchUnavailable } from './catch-unavailable.js';
import { deskStay } from './desk-stay.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { positionText, readPosition } from './room-position.js';

export interface RoomPlanRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly guests: Guests;
  readonly now: () => Date;
}

const nightsDefault = 14;
const roomsDefault = 50;

/** The room plan of the front desk. */
export const roomPlanRoute = ({ sql, hotels, guests, now }: RoomPlanRouteDeps): Route =>
  route(getRoomPlan, ({ params, query }) => {
    const { nights = nightsDefault, limit = roomsDefault, cursor } = query;
    const after = cursor === undefined ? undefined : readPosition(cursor);
    const errors = [
      ...(cursor !== undefined && after === undefined
        ? [{ pointer: '/query/cursor', message: messages.badRoomCursor }]
        : []),
      ...(query.from !== undefined && !/^2\d{3}-/.test(query.from)
        ? [{ pointer: '/query/from', message: messages.badPlanDay }]
        : []),
    ];
    if (errors.length > 0) return problem(problems.invalid, messages.badQuery, { errors });
    return catchUnavailable(async () => {
      const hotel = await hotels.get(params.id);
      if (hotel === undefined) return noHotel();
      const [first] = hotel.roomTypes;
      const wanted = query.roomTypeID ?? first?.roomTypeId;
      const type = hotel.roomTypes.find(({ roomTypeId }) => roomTypeId === wanted);
      if (type === undefined) return problem(problems.notFound, messages.noRoomType);
      const today = await dayAtHotel(sql, params.id, now());
      const { from = today } = query;
      const place = {
        ...{ hotelId: params.id, roomTypeId: type.roomTypeId },
        ...{ from, to: addDays(from, nights - 1) },
      };
      const { plan, rooms } = await sql.transaction(
        async (tx) => {
          const read = await roomPlanOf(tx, place, { after, limit });
          const ids = read.stays.map(({ reservationId }) => reservationId);
          return { plan: read, rooms: await assignedRooms(tx, ids) };
        },
        { isolation: 'repeatable read', attempts: hotelLimits.attemptsMax },
      );
      const ids = [...plan.stays, ...plan.unassigned].map(({ reservationId }) => reservationId);
      const names = await guests.names(ids);
      const view = (stay: Reservation): PlanStay => ({
        ...deskStay(stay, names),
        rooms: (rooms.get(stay.reservationId) ?? []).map(({ roomId: roomID, number }) => ({
          roomID,
          number,
        })),
      });
      const shown = plan.rooms.slice(0, limit);
      const body: RoomPlanView = {
        ...{ today, from, to: place.to, roomTypeID: type.roomTypeId, types: [...plan.types] },
        rooms: shown.map(({ roomId, closed, ...room }) => ({ roomID: roomId, ...room, closed: [...closed] })),
        stays: plan.stays.map(view),
        unassigned: plan.unassigned.map(view),
        ...(plan.rooms.length > limit ? { nextCursor: positionText(shown.at(-1)!) } : {}),
      };
      return { status: 200, headers: { 'cache-control': 'no-store' }, body };
    });
  });
