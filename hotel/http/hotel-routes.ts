import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import * as contracts from '#schemas/http/hotels.js';
import { hotelFaults, roomFaults } from '../hotels/check-facts.js';
import type { Hotel, Room } from '../hotels/hotel.js';
import type { Hotels } from '../hotels/hotels.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hasVersion, tagOf, versionAsked } from './entity-tag.js';
import { hotelProblems } from './hotel-problems.js';
import { hotelChange, hotelFacts, hotelView, roomFacts, roomView } from './hotel-views.js';
import { type AttemptOutcome, attemptOf } from './idempotency-key.js';
import * as messages from './messages.js';

/** Browsers keep what seldom changes for some seconds, shared caches for a minute. */
const kept = { 'cache-control': 'public, max-age=10, s-maxage=60' } as const;

/** Hotels and rooms: all clients may read them, operators change them. */
export function hotelRoutes(hotels: Hotels): readonly Route[] {
  return [
    route(contracts.getHotel, (request) =>
      catchUnavailable(async () => {
        const hotel = await hotels.get(request.params.id);
        return hotel === undefined
          ? noHotel()
          : cached(hotel, hotelView(hotel), request.header('if-none-match'));
      }),
    ),
    route(contracts.postHotel, (request) =>
      attempting(attemptOf(request), async (attempt) => {
        const facts = hotelFacts(request.body);
        const errors = hotelFaults(facts);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const outcome = await hotels.create(facts, attempt);
        if (outcome.kind === 'key-used') return problem(hotelProblems.keyUsed);
        const { made } = outcome;
        return created(outcome.kind, made, hotelView(made), `/v1/hotels/${encodeURIComponent(made.hotelId)}`);
      }),
    ),
    route(contracts.putHotel, (request) =>
      catchUnavailable(async () => {
        const errors = hotelFaults(hotelFacts(request.body));
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const outcome = await hotels.update(
          request.params.id,
          hotelChange(request.body),
          versionAsked(request.header('if-match')),
        );
        switch (outcome.kind) {
          case 'updated':
          case 'unchanged':
            return changed(outcome.now, hotelView(outcome.now));
          case 'unknown':
            return noHotel();
          case 'stale':
            return problem(hotelProblems.stale);
          case 'keeps-meaning':
            return problem(hotelProblems.keepsMeaning);
          case 'keeps-room-types':
            return problem(hotelProblems.keepsRoomTypes);
        }
      }),
    ),
    route(contracts.deleteHotel, (request) =>
      catchUnavailable(async () => {
        const outcome = await hotels.delete(request.params.id, versionAsked(request.header('if-match')));
        switch (outcome) {
          case 'deleted':
            return { status: 204 };
          case 'unknown':
            return noHotel();
          case 'stale':
            return problem(hotelProblems.stale);
          case 'reserved':
            return problem(hotelProblems.hotelReserved);
        }
      }),
    ),
    route(contracts.getRoom, (request) =>
      catchUnavailable(async () => {
        const room = await hotels.getRoom(request.params.id, request.params.roomId);
        return room === undefined ? noRoom() : cached(room, roomView(room), request.header('if-none-match'));
      }),
    ),
    route(contracts.postRoom, (request) =>
      attempting(attemptOf(request), async (attempt) => {
        const facts = roomFacts(request.body);
        const errors = roomFaults(facts);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const outcome = await hotels.createRoom(request.params.id, facts, attempt);
        switch (outcome.kind) {
          case 'created':
          case 'repeated': {
            const { made } = outcome;
            const path = `/v1/hotels/${encodeURIComponent(made.hotelId)}/rooms/${encodeURIComponent(made.roomId)}`;
            return created(outcome.kind, made, roomView(made), path);
          }
          case 'key-used':
            return problem(hotelProblems.keyUsed);
          case 'unknown-hotel':
            return noHotel();
          case 'unknown-room-type':
            return noRoomType();
          case 'number-used':
            return problem(hotelProblems.numberUsed);
        }
      }),
    ),
    route(contracts.putRoom, (request) =>
      catchUnavailable(async () => {
        const facts = roomFacts(request.body);
        const errors = roomFaults(facts);
        if (errors.length > 0) return problem(problems.invalid, messages.badFields, { errors });
        const ifVersion = versionAsked(request.header('if-match'));
        const outcome = await hotels.updateRoom(request.params.id, request.params.roomId, facts, ifVersion);
        switch (outcome.kind) {
          case 'updated':
          case 'unchanged':
            return changed(outcome.now, roomView(outcome.now));
          case 'unknown':
            return noRoom();
          case 'unknown-room-type':
            return noRoomType();
          case 'stale':
            return problem(hotelProblems.stale);
          case 'number-used':
            return problem(hotelProblems.numberUsed);
          case 'status-move':
            return problem(hotelProblems.statusMove);
        }
      }),
    ),
    route(contracts.deleteRoom, (request) =>
      catchUnavailable(async () => {
        const outcome = await hotels.deleteRoom(
          request.params.id,
          request.params.roomId,
          versionAsked(request.header('if-match')),
        );
        switch (outcome) {
          case 'deleted':
            return { status: 204 };
          case 'unknown':
            return noRoom();
          case 'stale':
            return problem(hotelProblems.stale);
          case 'status-move':
            return problem(hotelProblems.statusMove);
        }
      }),
    ),
  ];
}

export const noHotel = () => problem(problems.notFound, messages.noHotel);
const noRoom = () => problem(problems.notFound, messages.noRoom);
const noRoomType = () =>
  problem(problems.invalid, messages.badFields, {
    errors: [{ pointer: '/roomTypeID', message: messages.unknownRoomType }],
  });

function cached({ version }: Hotel | Room, body: object, ifNoneMatch: string | undefined): HttpAnswer {
  const headers = { ...kept, etag: tagOf(version) };
  return hasVersion(ifNoneMatch, version) ? { status: 304, headers } : { status: 200, headers, body };
}

const changed = ({ version }: Hotel | Room, body: object): HttpAnswer => ({
  status: 200,
  headers: { etag: tagOf(version) },
  body,
});

function created(
  kind: 'created' | 'repeated',
  { version }: Hotel | Room,
  body: object,
  location: string,
): HttpAnswer {
  const headers = { etag: tagOf(version), location };
  return kind === 'created'
    ? { status: 201, headers, body }
    : { status: 200, headers: { ...headers, 'idempotent-replayed': 'true' }, body };
}

function attempting(
  outcome: AttemptOutcome,
  work: (attempt: Extract<AttemptOutcome, { readonly ok: true }>['attempt']) => Promise<HttpAnswer>,
): HttpAnswer | Promise<HttpAnswer> {
  return outcome.ok ? catchUnavailable(() => work(outcome.attempt)) : outcome.refusal;
}
