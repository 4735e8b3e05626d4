import type { FieldError } from '#platform/http/problem.js';
import { parseJson } from '#platform/http/server/parse-json.js';
import type { UserId } from '#schemas/units.js';
import { type Guest, guestFaults } from '../guests/guest.js';
import { hotelLimits } from '../limits.js';
import type { ReserveRequest } from '../reservations/reservations.js';
import { isDay, nightsBetween } from '../reservations/stay-days.js';
import * as messages from './messages.js';

export type ParsedReservation =
  | { readonly kind: 'request'; readonly request: ReserveRequest; readonly guest?: Guest }
  /** Not a JSON object. */
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

const fields = ['startDate', 'endDate', 'hotelID', 'roomTypeID', 'roomCount', 'reservationID'] as const;
/** Fields beyond the specification; without them a room is sold at the rate of its type. */
const optionalFields = ['ratePlanID', 'adults', 'blockCode'] as const;
type Field = (typeof fields | typeof optionalFields)[number];

const idLengthMax = 64;
/** Text that PostgreSQL cannot store unchanged. */
const notStorable = /\0|\p{Cs}/u;
/** A reservationID is part of paths and logs, so it has no invisible characters. */
const invisible = /[\p{C}\p{Z}]/u;

/** Returns what is wrong with a string. */
const judges: Readonly<Record<Field, (text: string) => string | undefined>> = {
  startDate: dayFault,
  endDate: dayFault,
  hotelID: idFault,
  roomTypeID: idFault,
  roomCount: (text) =>
    /^[1-9][0-9]?$/.test(text) && Number(text) <= hotelLimits.roomCountMax
      ? undefined
      : messages.badRoomCount(hotelLimits.roomCountMax),
  reservationID: reservationIdFault,
  ratePlanID: idFault,
  blockCode: (text) => (/^[A-Z0-9-]{4,32}$/.test(text) ? undefined : messages.badBlockCode),
  adults: (text) =>
    /^[1-9]\d?$/.test(text) && Number(text) <= hotelLimits.adultsMax
      ? undefined
      : messages.badAdults(hotelLimits.adultsMax),
};

/**
 * The body of `POST /v1/reservations`: the fields of the specification, and a guest, a rate plan and adults
 * if given; each refused by name. Never throws.
 */
export function parseReservationRequest(bytes: Uint8Array, userId: UserId): ParsedReservation {
  if (bytes.length === 0) return { kind: 'malformed', detail: messages.bodyRequired };
  const json = parseJson(bytes);
  if (!json.ok) return { kind: 'malformed', detail: json.detail };
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return { kind: 'malformed', detail: messages.notObject };
  const body = json.value as Readonly<Record<string, unknown>>;
  const { guest } = body;
  const given = optionalFields.filter((field) => Object.hasOwn(body, field));
  const errors = [
    ...[...fields, ...given].flatMap((field) => faultOf(body, field)),
    ...(guest === undefined ? [] : guestFaults(guest, '/guest')),
    ...strangers(body),
  ];
  const { startDate, endDate } = body as Readonly<Record<Field, string>>;
  if (errors.length === 0) errors.push(...rangeFaults(startDate, endDate));
  if (errors.length > 0) return { kind: 'invalid', errors };
  const { hotelID, roomTypeID, roomCount, reservationID } = body as Readonly<Record<Field, string>>;
  const { ratePlanID, adults, blockCode } = body as Readonly<Partial<Record<Field, string>>>;
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
      ...(ratePlanID === undefined ? {} : { ratePlanId: ratePlanID }),
      ...(adults === undefined ? {} : { adults: Number(adults) }),
      ...(blockCode === undefined ? {} : { blockCode }),
    },
    ...(guest === undefined ? {} : { guest: guest as Guest }),
  };
}

/** What is wrong with two valid days together. */
export function rangeFaults(startDate: string, endDate: string): FieldError[] {
  const nights = nightsBetween(startDate, endDate);
  if (nights < 1) return [{ pointer: '/endDate', message: messages.endBeforeStart }];
  if (nights > hotelLimits.nightsMax)
    return [{ pointer: '/endDate', message: messages.tooManyNights(nights, hotelLimits.nightsMax) }];
  return [];
}

function faultOf(body: Readonly<Record<string, unknown>>, field: Field): FieldError[] {
  const pointer = `/${field}`;
  if (!Object.hasOwn(body, field)) return [{ pointer, message: messages.missing }];
  const value = body[field];
  if (typeof value !== 'string') return [{ pointer, message: messages.notString }];
  const fault = judges[field](value);
  return fault === undefined ? [] : [{ pointer, message: fault }];
}

/** At most as many as a person reads. */
const strangersShown = 10;

function strangers(body: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(body)
    .filter((name) => !([...fields, ...optionalFields, 'guest'] as readonly string[]).includes(name))
    .slice(0, strangersShown)
    .map((name) =>
      name === 'roomID'
        ? {
            pointer: '/roomID',
            message: messages.roomIdSuperseded,
          }
        : {
            pointer: `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`,
            message: messages.unknownField,
          },
    );
}

function dayFault(text: string): string | undefined {
  return isDay(text) ? undefined : messages.badDay;
}

function reservationIdFault(text: string): string | undefined {
  return text.length > hotelLimits.reservationIdMax || invisible.test(text)
    ? messages.badReservationId(hotelLimits.reservationIdMax)
    : idFault(text);
}

function idFault(text: string): string | undefined {
  return text === '' || text.length > idLengthMax || notStorable.test(text)
    ? messages.badId(idLengthMax)
    : undefined;
}
