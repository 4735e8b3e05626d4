import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import * as contracts from '#schemas/http/hotel-staff.js';
import type { ChangeOutcome } from '../reservations/reservations.js';
import type { Stays } from '../reservations/stays.js';
import { audited, type StaffAction } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import * as messages from './messages.js';
import { changeAnswer } from './reservation-routes.js';
import { expectedOf } from './stay-change-routes.js';

export interface DeskRouteDeps {
  readonly sql: Sql;
  readonly stays: Stays;
  readonly now: () => Date;
}

/** The default reason in the audit list. */
const ordinary = messages.frontDesk;

/** The front desk, for staff on the internal listener: room assignment, check-in and check-out. */
export function deskRoutes({ sql, stays, now }: DeskRouteDeps): readonly Route[] {
  const moving = (
    contract: typeof contracts.postCheckOut | typeof contracts.postNoShow,
    action: StaffAction['action'],
    move: (reservationId: string) => Promise<ChangeOutcome>,
  ): Route =>
    route(contract, ({ params, body: { reason = ordinary }, identity }) =>
      catchUnavailable(async () => {
        const entry = { action, subject: params.id, reason, staffId: identity.userId };
        return changeAnswer(await audited(sql, now(), entry, () => move(params.id)));
      }),
    );
  return [
    route(
      contracts.postRoomAssignment,
      ({ params, body: { reason = ordinary, roomIDs, expected }, identity }) =>
        catchUnavailable(async () => {
          const entry = {
            action: 'assign-rooms',
            subject: params.id,
            reason,
            staffId: identity.userId,
            detail: { roomIDs: roomIDs ?? null },
          } as const;
          const outcome = await audited(sql, now(), entry, () =>
            stays.assignRooms(params.id, roomIDs, expectedOf(expected)),
          );
          if (outcome.kind === 'no-free-rooms') return problem(hotelProblems.noFreeRooms);
          if (outcome.kind !== 'assigned') return changeAnswer(outcome);
          return {
            status: 200,
            body: { rooms: outcome.rooms.map(({ roomId, number }) => ({ roomID: roomId, number })) },
          };
        }),
    ),
    route(contracts.postCheckIn, ({ params, body: { reason, dirtyRooms = false }, identity }) => {
      if (dirtyRooms && reason === undefined)
        return problem(problems.invalid, messages.badFields, {
          errors: [{ pointer: '/reason', message: messages.dirtyNeedsReason }],
        });
      const subject = params.id;
      const staffId = identity.userId;
      const entry = { action: 'check-in', subject, reason: reason ?? ordinary, staffId } as const;
      const detail = dirtyRooms ? { dirtyRooms } : {};
      return catchUnavailable(async () =>
        changeAnswer(
          await audited(sql, now(), { ...entry, detail }, () => stays.checkIn(subject, { dirtyRooms })),
        ),
      );
    }),
    moving(contracts.postCheckOut, 'check-out', (id) => stays.checkOut(id)),
    moving(contracts.postNoShow, 'no-show', (id) => stays.markNoShow(id)),
  ];
}
