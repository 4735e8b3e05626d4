import { Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Reason, recorded in the audit log.',
});
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const common = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;
const noHotel = { description: 'No hotel has this id.' };
export const roomStatuses = [
  'available',
  'inspected',
  'occupied',
  'dirty',
  'out_of_order',
  'retired',
] as const;
const hotelPath = Type.Object({ id });

const HouseRulesView = Type.Object(
  {
    checkInNeeds: oneOf(['clean', 'inspected'] as const),
    noShowAt: Type.Union([Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }), Type.Null()], {
      description:
        'HH:MM of the hotel on the day after arrival. From then on guests who have not come are no-shows ' +
        'by themselves: the penalty is kept and the remaining nights are released. Staff cannot do it ' +
        'earlier. null, the default: staff decide, from the day after arrival on.',
    }),
  },
  {
    ...closed,
    description:
      '`checkInNeeds` `inspected`: guests get only rooms that were inspected after cleaning. ' +
      'Default `clean`.',
  },
);

export const getHouseRules = {
  ...common,
  operationId: 'getHouseRules',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/house-rules',
  summary: 'What the hotel decides about its own work',
  params: hotelPath,
  responses: { 200: { description: 'The rules.', schema: HouseRulesView }, 404: noHotel },
} as const satisfies RouteContract;

export const putHouseRules = {
  ...common,
  operationId: 'putHouseRules',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/house-rules',
  summary: 'Set what the hotel decides about its own work',
  params: hotelPath,
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object({ ...HouseRulesView.properties, reason }, closed),
  },
  responses: { 200: { description: 'The rules.', schema: HouseRulesView }, 404: noHotel },
} as const satisfies RouteContract;

const kind = oneOf(['departure', 'stay-over', 'inspection'] as const);
const room = {
  roomID: Type.String(),
  roomTypeID: Type.String(),
  number: Type.String(),
  floor: Type.Integer(),
  status: oneOf(roomStatuses),
  arrival: Type.Boolean({ description: 'true: guests arrive in this room on this day.' }),
};

export const listRoomsToClean = {
  ...common,
  operationId: 'listRoomsToClean',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/housekeeping',
  summary: 'The rooms to clean on a day, in the order of the work',
  description:
    'First rooms whose guests leave or have left, before all those in which others arrive; then rooms ' +
    'whose guests stay; then rooms to inspect, if check-in needs it. Within each by floor and number.',
  params: hotelPath,
  query: Type.Object({ date: Type.Optional(day) }, closed),
  responses: {
    200: {
      description: 'The rooms; today at the hotel unless `date` is given.',
      schema: Type.Object({
        date: day,
        rooms: Type.Array(
          Type.Object({
            ...room,
            kind,
          }),
        ),
      }),
    },
    404: noHotel,
  },
} as const satisfies RouteContract;

export const listStaffRooms = {
  ...common,
  operationId: 'listStaffRooms',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/rooms',
  summary: 'The rooms of a hotel with their status and the work of a day, by floor and number',
  params: hotelPath,
  query: Type.Object(
    {
      status: Type.Optional(oneOf(roomStatuses)),
      toClean: Type.Optional(Type.Boolean({ description: 'true: only rooms with work on this day.' })),
      floor: Type.Optional(Type.Integer({ minimum: -20, maximum: 300 })),
      number: Type.Optional(
        Type.String({ minLength: 1, maxLength: 16, pattern, description: 'The number begins with it.' }),
      ),
      roomTypeID: Type.Optional(id),
      date: Type.Optional(day),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 100.' })),
      cursor: Type.Optional(
        Type.String({ maxLength: 400, description: 'The nextCursor of the previous page.' }),
      ),
    },
    closed,
  ),
  responses: {
    200: {
      description: 'A page; without `status`, no retired rooms. Today at the hotel unless `date` is given.',
      schema: Type.Object({
        date: day,
        rooms: Type.Array(
          Type.Object({
            ...room,
            kind: Type.Union([kind, Type.Null()], { description: 'null: nothing to do on this day.' }),
          }),
        ),
        nextCursor: Type.Optional(Type.String({ description: 'Present when there are more rooms.' })),
        statuses: Type.Array(Type.Object({ status: oneOf(roomStatuses), rooms: Type.Integer() }), {
          description: 'Rooms of the floor, type and number by status; statuses without a room are omitted.',
        }),
        toClean: Type.Integer({ description: 'Of these, the rooms with work on this day.' }),
        floors: Type.Array(Type.Integer(), { description: 'All floors of the hotel.' }),
      }),
    },
    404: noHotel,
  },
} as const satisfies RouteContract;

export const putRoomHousekeeping = {
  ...common,
  operationId: 'putRoomHousekeeping',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/rooms/{room}/housekeeping',
  summary: 'Say that a room is dirty, clean (`available`) or inspected',
  description: 'A dirty room is cleaned before it is inspected.',
  params: Type.Object({ id, room: id }),
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        status: oneOf(['dirty', 'available', 'inspected'] as const),
        from: Type.Optional(
          Type.Union(oneOf(roomStatuses).anyOf, {
            description: 'The status that you saw: 409 if the room has neither this one nor the new one now.',
          }),
        ),
        reason: Type.Optional(reason),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'The room has this status.' },
    404: { description: 'The hotel has no such room.' },
    409: {
      description:
        'A guest is in it, it is out of order, it was not cleaned, or somebody else has changed it. ' +
        'Nothing was changed.',
    },
  },
} as const satisfies RouteContract;
