import { parseJson } from '#platform/http/parse-json.js';
import type { FieldError } from '#platform/http/problem.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import type { ReserveRequest } from '../reservations/reservations.js';
import { isDay, nightsBetween } from '../reservations/stay-days.js';

export type ParsedReservation =
  | { readonly kind: 'request'; readonly request: ReserveRequest }
  /** No JSON object at all. */
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

const fields = ['startDate', 'endDate', 'hotelID', 'roomTypeID', 'roomCount', 'reservationID'] as const;
type Field = (typeof fields)[number];

const idLengthMax = 64;
/** What PostgreSQL cannot keep as it came. */
const notStorable = /\0|\p{Cs}/u;
/** A reservationID is part of paths and logs: nothing invisible in it. */
const invisible = /[\p{C}\p{Z}]/u;

/** Says of a string what is wrong with it. */
const judges: Readonly<Record<Field, (text: string) => string | undefined>> = {
  startDate: dayFault,
  endDate: dayFault,
  hotelID: idFault,
  roomTypeID: idFault,
  roomCount: (text) =>
    /^[1-9][0-9]?$/.test(text) && Number(text) <= hotelLimits.roomCountMax
      ? undefined
      : `must be a string holding a whole number from "1" to "${hotelLimits.roomCountMax}", digits only`,
  reservationID: (text) =>
    text.length > hotelLimits.reservationIdMax || invisible.test(text)
      ? `must be 1 to ${hotelLimits.reservationIdMax} visible characters without blanks`
      : idFault(text),
};

/** The body of `POST /v1/reservations`: exactly the fields of the specification, each refused by name. Never throws. */
export function parseReservationRequest(bytes: Uint8Array, userId: UserId): ParsedReservation {
  if (bytes.length === 0) return { kind: 'malformed', detail: 'A JSON body is needed.' };
  const json = parseJson(bytes);
  if (!json.ok) return { kind: 'malformed', detail: json.detail };
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return { kind: 'malformed', detail: 'The body must be a JSON object.' };
  const body = json.value as Readonly<Record<string, unknown>>;
  const errors = [...fields.flatMap((field) => faultOf(body, field)), ...strangers(body)];
  const { startDate, endDate } = body as Readonly<Record<Field, string>>;
  if (errors.length === 0) errors.push(...rangeFaults(startDate, endDate));
  if (errors.length > 0) return { kind: 'invalid', errors };
  const { hotelID, roomTypeID, roomCount, reservationID } = body as Readonly<Record<Field, string>>;
  return {
    kind: 'request',
    request: {
      reservationId: reservationID,
      userId,
      hotelId: hotelID,
      roomTypeId: roomTypeID,
      startDate,
      endDate,
      roomCount: Number(roomCount),
    },
  };
}

/** What two good days are together. */
export function rangeFaults(startDate: string, endDate: string): FieldError[] {
  const nights = nightsBetween(startDate, endDate);
  if (nights < 1) return [{ pointer: '/endDate', message: 'must not be before startDate' }];
  if (nights > hotelLimits.nightsMax)
    return [
      { pointer: '/endDate', message: `makes ${nights} nights; at most ${hotelLimits.nightsMax} are taken` },
    ];
  return [];
}

function faultOf(body: Readonly<Record<string, unknown>>, field: Field): FieldError[] {
  const pointer = `/${field}`;
  if (!Object.hasOwn(body, field)) return [{ pointer, message: 'is missing' }];
  const value = body[field];
  if (typeof value !== 'string') return [{ pointer, message: 'must be a string' }];
  const fault = judges[field](value);
  return fault === undefined ? [] : [{ pointer, message: fault }];
}

/** Not more of them than a person reads. */
const strangersShown = 10;

function strangers(body: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(body)
    .filter((name) => !(fields as readonly string[]).includes(name))
    .slice(0, strangersShown)
    .map((name) =>
      name === 'roomID'
        ? {
            pointer: '/roomID',
            message: 'is superseded: send roomTypeID and roomCount, the room number is assigned later',
          }
        : {
            pointer: `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`,
            message: 'is not a field of this operation',
          },
    );
}

function dayFault(text: string): string | undefined {
  return isDay(text) ? undefined : 'must be a day of the calendar as YYYY-MM-DD';
}

function idFault(text: string): string | undefined {
  return text === '' || text.length > idLengthMax || notStorable.test(text)
    ? `must have 1 to ${idLengthMax} characters`
    : undefined;
}
