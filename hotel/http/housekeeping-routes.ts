import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-housekeeping.js';
import type { Hotels } from '../hotels/hotels.js';
import { type HouseRules, readHouseRules, writeHouseRules } from '../housekeeping/house-rules.js';
import { roomsToClean } from '../housekeeping/rooms-to-clean.js';
import { setRoomStatus } from '../housekeeping/set-room-status.js';
import { dayAtHotel } from '../rates/ari-version.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';

export interface HousekeepingRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

const headers = { 'cache-control': 'no-store' };

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
        body: {
          date,
          rooms: rooms.map(({ roomId: roomID, roomTypeId: roomTypeID, ...room }) => ({
            ...{ roomID, roomTypeID },
            ...room,
          })),
        },
      };
    }),
  ),
  route(contracts.putRoomHousekeeping, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const { status, reason = messages.housekeeping } = body;
      const place = { hotelId: params.id, roomId: params.room };
      const action = { action: 'set-room-status', subject: params.id, reason } as const;
      const entry = { ...action, staffId: identity.userId, detail: { roomID: params.room, status } };
      const outcome = await audited(sql, now(), entry, () =>
        sql.transaction((tx) => setRoomStatus(tx, place, status)),
      );
      switch (outcome.kind) {
        case 'changed':
        case 'unchanged':
          return { status: 204 };
        case 'unknown':
          return problem(problems.notFound, messages.noRoom);
        case 'refused':
          return problem(hotelProblems.roomNotChangeable, messages.roomIs(outcome.status));
      }
    }),
  ),
];
