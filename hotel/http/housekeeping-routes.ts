import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-housekeeping.js';
import type { Hotels } from '../hotels/hotels.js';
import { type HouseRules, readHouseRules, writeHouseRules } from '../housekeeping/house-rules.js';
import { roomsOfHotel } from '../housekeeping/rooms-of-hotel.js';
import { roomsToClean } from '../housekeeping/rooms-to-clean.js';
import { setRoomStatus } from '../housekeeping/set-room-status.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';
import { positionText, readPosition } from './room-position.js';

export interface HousekeepingRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

const headers = { 'cache-control': 'no-store' };
const pageDefault = 100;

/** Which rooms to clean, what was cleaned, and what a hotel decides about it. */
export const housekeepingRoutes = ({ sql, hotels, now }: HousekeepingRouteDeps): readonly Route[] => [
  route(contracts.getHouseRules, ({ params }) =>
    catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      return { status: 200, headers, body: await readHouseRules(sql, params.id) };
    }),
  ),
  route(contracts.putHouseRules, ({ params, body: { reason, ...given }, identity }) =>
    catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      const rules: HouseRules = given;
      const entry = { action: 'set-house-rules', subject: params.id, reason } as const;
      await audited(sql, now(), { ...entry, staffId: identity.userId, detail: { rules } }, async () => {
        await writeHouseRules(sql, params.id, rules);
        return { kind: 'changed' };
      });
      return { status: 200, headers, body: await readHouseRules(sql, params.id) };
    }),
  ),
  route(contracts.listRoomsToClean, ({ params, query }) =>
    catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      const date = query.date ?? (await dayAtHotel(sql, params.id, now()));
      const rooms = await roomsToClean(sql, params.id, date);
      return {
        status: 200,
        headers,
        body: { date, rooms: rooms.map(roomView) },
      };
    }),
  ),
  route(contracts.listStaffRooms, ({ params, query }) => {
    const {
      cursor,
      limit = pageDefault,
      toClean = false,
      status,
      roomTypeID: roomTypeId,
      floor,
      number,
    } = query;
    const after = cursor === undefined ? undefined : readPosition(cursor);
    if (cursor !== undefined && after === undefined)
      return problem(problems.invalid, messages.badQuery, {
        errors: [{ pointer: '/query/cursor', message: messages.badRoomCursor }],
      });
    return catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      const date = query.date ?? (await dayAtHotel(sql, params.id, now()));
      const filter = { day: date, toClean, status, roomTypeId, floor, number };
      const { rooms, next, ...rest } = await roomsOfHotel(sql, params.id, filter, { after, limit });
      const more = next === undefined ? {} : { nextCursor: positionText(next) };
      return { status: 200, headers, body: { date, rooms: rooms.map(roomView), ...more, ...rest } };
    });
  }),
  route(contracts.putRoomHousekeeping, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const { status, from, reason = messages.housekeeping } = body;
      const place = { hotelId: params.id, roomId: params.room };
      const action = { action: 'set-room-status', subject: params.id, reason } as const;
      const entry = { ...action, staffId: identity.userId, detail: { roomID: params.room, status } };
      const outcome = await audited(sql, now(), entry, () =>
        sql.transaction((tx) => setRoomStatus(tx, place, status, from)),
      );
      switch (outcome.kind) {
        case 'changed':
        case 'unchanged':
          return { status: 204 };
        case 'unknown':
          return problem(problems.notFound, messages.noRoom);
        case 'refused':
          return problem(hotelProblems.roomNotChangeable, messages.roomIs(outcome.status));
        case 'changed-before':
          return problem(hotelProblems.roomChangedBefore, messages.roomIsNow(outcome.status));
      }
    }),
  ),
];

const roomView = <Room extends { readonly roomId: string; readonly roomTypeId: string }>({
  roomId: roomID,
  roomTypeId: roomTypeID,
  ...room
}: Room) => ({ roomID, roomTypeID, ...room });
