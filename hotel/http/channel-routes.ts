import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { type AriSnapshotView, getHotelAri, putChannelFeed } from '#schemas/http/hotel-ari.js';
import type { Hotels } from '../hotels/hotels.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { ariDayView } from '../selling/ari-day-view.js';
import { type AriSnapshot, ariSnapshot, setChannelFeed } from '../selling/channel-feed.js';
import { channelLimits } from '../selling/channel-limits.js';
import { audited } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';

export interface ChannelRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

/** What channels that sell the rooms of a hotel start from. */
export const channelRoutes = ({ sql, hotels, now }: ChannelRouteDeps): readonly Route[] => [
  route(getHotelAri, ({ params, query }) => {
    const days = nightsBetween(query.from, query.to);
    if (days < 1 || days > channelLimits.daysMax)
      return problem(problems.invalid, messages.badQuery, {
        errors: [{ pointer: '/query/to', message: messages.badRange(channelLimits.daysMax - 1) }],
      });
    return catchUnavailable(async () => {
      const hotel = await hotels.get(params.id);
      if (hotel === undefined) return noHotel();
      const { from, to, cursor: after } = query;
      const snapshot = await ariSnapshot(sql, hotel, { from, to, after });
      if (snapshot === undefined) return problem(hotelProblems.noFeed);
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: view(snapshot, hotel.currency) };
    });
  }),
  route(putChannelFeed, ({ params, body: { reason, enabled }, identity }) =>
    catchUnavailable(async () => {
      if ((await hotels.get(params.id)) === undefined) return noHotel();
      const action = {
        action: 'set-channel-feed',
        subject: params.id,
        reason,
        staffId: identity.userId,
      } as const;
      await audited(sql, now(), { ...action, detail: { enabled } }, async () => {
        await sql.transaction((tx) => setChannelFeed(tx, params.id, enabled));
        return { kind: 'changed' };
      });
      return { status: 204 };
    }),
  ),
];

const view = ({ version, days, next }: AriSnapshot, currency: string): AriSnapshotView => ({
  version: String(version),
  currency,
  days: days.map((day) => ariDayView(day, currency)),
  ...(next === undefined ? {} : { nextCursor: next }),
});
