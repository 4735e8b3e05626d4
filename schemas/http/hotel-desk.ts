import { type Static, Type } from 'typebox';
import { roomStatuses } from './hotel-housekeeping.js';
import { reservationStatuses } from './hotel-reservations.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const hotelPath = Type.Object({ id });
const management = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;
const noHotel = { description: 'No hotel has this id.' };

/** What a list of the desk says of each stay. */
const stay = {
  reservationID: Type.String(),
  guestName: Type.Optional(
    Type.String({ description: 'Of the first guest; absent: none was given, or it was erased.' }),
  ),
  status: oneOf(reservationStatuses),
  roomTypeID: Type.String(),
  roomCount: Type.String({ description: 'A string holding an integer.' }),
  startDate: day,
  endDate: day,
};

export const todayLists = ['arrivals', 'departures', 'in-house'] as const;

const TodayStay = Type.Object(
  {
    ...stay,
    rooms: Type.Array(Type.Object({ number: Type.String(), status: oneOf(roomStatuses) }, closed), {
      description: 'Those that were assigned, by number.',
    }),
    currency: Type.String({ description: 'ISO 4217.' }),
    balance: Type.String({
      description: 'Of the folio, decimal: above zero the guest owes it, below zero the hotel does.',
    }),
  },
  closed,
);
export type TodayStay = Static<typeof TodayStay>;

export const getHotelToday = {
  ...management,
  operationId: 'getHotelToday',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/today',
  summary: 'Who arrives, leaves and stays today, with guest, rooms and balance; newest reservation first',
  description:
    'Arrivals are paid stays of today that have not checked in, also those of an earlier first night. ' +
    'Departures are checked in and have no night from today on; the others that are checked in are in house.',
  params: hotelPath,
  query: Type.Object(
    {
      list: Type.Optional(
        Type.Union(oneOf(todayLists).anyOf, {
          description: 'Only this one. Without it, the first page of each.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Stays of each list. Default 50.' }),
      ),
      cursor: Type.Optional(
        Type.String({ pattern: '^\\d{1,18}$', description: 'The nextCursor of this `list`.' }),
      ),
    },
    closed,
  ),
  responses: {
    200: {
      description: 'By the clocks of the hotel.',
      schema: Type.Object(
        {
          date: day,
          lists: Type.Array(
            Type.Object(
              {
                list: oneOf(todayLists),
                total: Type.Integer({ description: 'Stays on all pages together.' }),
                stays: Type.Array(TodayStay),
                nextCursor: Type.Optional(
                  Type.String({ description: 'Present when there are more; send it as cursor with `list`.' }),
                ),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    },
    404: noHotel,
  },
} as const satisfies RouteContract;

const PlanRange = Type.Object({ from: day, to: day }, closed);
const PlanRoom = Type.Object(
  {
    roomID: Type.String(),
    number: Type.String(),
    floor: Type.Integer(),
    status: oneOf(roomStatuses),
    closed: Type.Array(PlanRange, {
      description: 'Out of order, or not yet in service; both days inclusive. By first day.',
    }),
  },
  closed,
);
const PlanStay = Type.Object(
  {
    ...stay,
    rooms: Type.Array(Type.Object({ roomID: Type.String(), number: Type.String() }, closed), {
      description: 'All its rooms, also those on other pages; none: they were not assigned yet.',
    }),
  },
  closed,
);
export type PlanRoom = Static<typeof PlanRoom>;
export type PlanStay = Static<typeof PlanStay>;

const RoomPlanView = Type.Object(
  {
    today: day,
    from: day,
    to: day,
    roomTypeID: Type.String(),
    types: Type.Array(
      Type.Object(
        {
          roomTypeID: Type.String(),
          rooms: Type.Integer({ description: 'That are not retired.' }),
          unassigned: Type.Integer({ description: 'Paid stays of these nights that have no rooms yet.' }),
        },
        closed,
      ),
      { description: 'All room types of the hotel, by id.' },
    ),
    rooms: Type.Array(PlanRoom, { description: 'A page of the rooms of `roomTypeID`.' }),
    stays: Type.Array(PlanStay, { description: 'Those with a night in one of these rooms, by first night.' }),
    unassigned: Type.Array(PlanStay, {
      description: 'Of `roomTypeID`, by first night: the first 100; `types` says how many there are.',
    }),
    nextCursor: Type.Optional(Type.String({ description: 'Present when the type has more rooms.' })),
  },
  closed,
);
export type RoomPlanView = Static<typeof RoomPlanView>;

export const getRoomPlan = {
  ...management,
  operationId: 'getRoomPlan',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/room-plan',
  summary: 'Which stay has which room on which nights, one room type at a time',
  params: hotelPath,
  query: Type.Object(
    {
      roomTypeID: Type.Optional(
        Type.String({ ...id, description: 'Without it, the first one of the hotel.' }),
      ),
      from: Type.Optional(Type.String({ ...day, description: 'First night. Default: today at the hotel.' })),
      nights: Type.Optional(Type.Integer({ minimum: 1, maximum: 31, description: 'Default 14.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Rooms. Default 50.' })),
      cursor: Type.Optional(
        Type.String({ maxLength: 400, description: 'The nextCursor of the previous page.' }),
      ),
    },
    closed,
  ),
  responses: {
    200: { description: 'By the clocks of the hotel. Cancelled stays have no rooms.', schema: RoomPlanView },
    404: { description: 'No hotel has this id, or it has no such room type.' },
  },
} as const satisfies RouteContract;
