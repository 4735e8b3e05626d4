import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import * as contracts from '#schemas/http/hotel-waitlist.js';
import type { UserId } from '#schemas/units.js';
import type { Waitlist, WaitlistEntry } from '../waitlist/waitlist.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import * as messages from './messages.js';
import { rangeFaults } from './parse-reservation.js';

export interface WaitlistRouteDeps {
  readonly waitlist: Waitlist;
  /** Calls that reserve, change or cancel, of one user in a minute. */
  readonly bookingsPerUserMax: number;
}

/** The caller's waitlist entries. */
export function waitlistRoutes({ waitlist, bookingsPerUserMax }: WaitlistRouteDeps): readonly Route[] {
  const booking = { rate: { name: 'bookings', limit: bookingsPerUserMax, windowS: 60 } };
  return [
    route(
      contracts.postWaitlistEntry,
      ({ body, identity }) => {
        const errors = rangeFaults(body.startDate, body.endDate);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        return catchUnavailable(async () => {
          const outcome = await waitlist.join({
            entryId: body.entryID,
            userId: identity.userId as UserId,
            hotelId: body.hotelID,
            roomTypeId: body.roomTypeID,
            startDate: body.startDate,
            endDate: body.endDate,
            roomCount: Number(body.roomCount),
          });
          switch (outcome.kind) {
            case 'joined':
              return { status: 201, body: waitlistView(outcome.entry) };
            case 'repeated':
              return {
                status: 200,
                headers: { 'idempotent-replayed': 'true' },
                body: waitlistView(outcome.entry),
              };
            case 'invalid':
              return problem(problems.invalid, outcome.problem);
            case 'taken':
              return problem(hotelProblems.idTaken);
            case 'unknown-room-type':
              return problem(problems.notFound, messages.noRoomType);
            case 'too-many':
              return problem(hotelProblems.tooManyHolds, messages.waitlistFull);
          }
        });
      },
      booking,
    ),
    route(contracts.listWaitlist, ({ identity }) =>
      catchUnavailable(async () => {
        const entries = await waitlist.list(identity.userId as UserId);
        return { status: 200, body: { entries: entries.map(waitlistView) } };
      }),
    ),
    route(
      contracts.deleteWaitlistEntry,
      ({ params, identity }) =>
        catchUnavailable(async () => {
          const withdrawn = await waitlist.withdraw(params.id, identity.userId as UserId);
          return withdrawn ? { status: 204 } : problem(problems.notFound, messages.noWaitlistEntry);
        }),
      booking,
    ),
  ];
}

/**
 * The reservation id is shown once it is an offer. Before that it stays secret, so that strangers cannot take
 * the offer.
 */
const waitlistView = (entry: WaitlistEntry): contracts.WaitlistView => ({
  entryID: entry.entryId,
  hotelID: entry.hotelId,
  roomTypeID: entry.roomTypeId,
  startDate: entry.startDate,
  endDate: entry.endDate,
  roomCount: String(entry.roomCount),
  status: entry.status,
  ...(entry.status === 'offered' ? { reservationID: entry.reservationId } : {}),
  createdAt: entry.createdAt.toISOString(),
});
