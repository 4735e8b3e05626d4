import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** One line for people: no control characters, no half characters. */
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' });
const id = text(64);
const time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'HH:MM in the time zone of the hotel.',
});
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const maxBytes = 64 * 1024;

const RoomType = Type.Object(
  {
    roomTypeID: id,
    name: text(100),
    capacity: Type.Integer({ minimum: 1, maximum: 50, description: 'Number of guests. Default 2.' }),
    beds: Type.Integer({ minimum: 1, maximum: 50, description: 'Default 1.' }),
    freeCancelHours: Type.Integer({
      minimum: 0,
      maximum: 8_760,
      description: 'Cancellation is free until this many hours before check-in. Default 24.',
    }),
    lateCancelPercent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Percentage of the price that is charged for a later cancellation. Default 100.',
    }),
  },
  closed,
);

const hotelFields = {
  name: text(200),
  address: text(500),
  lat: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84.' }),
  lng: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS 84.' }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA name, for example Europe/Malta. Cannot be changed.',
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217. Cannot be changed.',
  }),
  checkInTime: time,
  checkOutTime: time,
  amenities: Type.Array(text(100), { maxItems: 100, uniqueItems: true }),
  roomTypes: Type.Array(RoomType, { maxItems: 100, description: 'Sorted by id.' }),
};

/** Reservations of a hotel with a country have the taxes of that country. */
const country = Type.Optional(
  Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'ISO 3166-1, two letters. It decides the usual taxes; see /v1/hotels/{id}/taxes.',
  }),
);

export const HotelView = Type.Object({ hotelID: Type.String(), ...hotelFields, country }, closed);
export type HotelView = Static<typeof HotelView>;

const { roomTypeID, name, ...typeDefaults } = RoomType.properties;
export const HotelBody = Type.Object(
  {
    ...hotelFields,
    country,
    checkInTime: Type.Optional(time),
    checkOutTime: Type.Optional(time),
    amenities: Type.Optional(hotelFields.amenities),
    roomTypes: Type.Optional(
      Type.Array(Type.Object({ roomTypeID, name, ...optional(typeDefaults) }, closed), {
        maxItems: 100,
        description:
          'In an update: if absent, the room types stay as they are; otherwise list all of them, ' +
          'plus new ones.',
      }),
    ),
  },
  closed,
);
export type HotelBody = Static<typeof HotelBody>;

const roomFields = {
  roomTypeID: id,
  number: text(16),
  floor: Type.Integer({ minimum: -20, maximum: 300 }),
  status: oneOf(['available', 'inspected', 'occupied', 'dirty', 'out_of_order', 'retired']),
  outOfOrder: Type.Array(
    Type.Object(
      {
        from: day,
        to: day,
        reason: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*$' })),
      },
      closed,
    ),
    { maxItems: 100, description: 'Days on which the room is not available, both inclusive.' },
  ),
};

export const RoomView = Type.Object({ hotelID: Type.String(), roomID: Type.String(), ...roomFields }, closed);
export type RoomView = Static<typeof RoomView>;

export const RoomBody = Type.Object(
  {
    ...roomFields,
    floor: Type.Optional(roomFields.floor),
    status: Type.Optional(oneOf(['available', 'inspected', 'occupied', 'dirty', 'out_of_order'])),
    outOfOrder: Type.Optional(roomFields.outOfOrder),
  },
  closed,
);
export type RoomBody = Static<typeof RoomBody>;

const hotelPath = Type.Object({ id });
const roomPath = Type.Object({ id, roomId: id });
const json = ['application/json'];
const changeable = 'Send the ETag as If-Match to get 412 if the resource has changed since.';
const creatable =
  'Requests with the same Idempotency-Key and body create one resource; a different body gives 422.';

export const getHotel = {
  operationId: 'getHotel',
  method: 'GET',
  path: '/v1/hotels/{id}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Details of a hotel',
  description: 'Can be cached for one minute. The ETag changes only when the hotel changes.',
  scopes: 'open',
  params: hotelPath,
  responses: {
    200: { description: 'The hotel.', schema: HotelView },
    304: { description: 'Not modified since the ETag in If-None-Match.' },
    404: { description: 'No hotel has this id.' },
  },
} as const satisfies RouteContract;

export const postHotel = {
  operationId: 'postHotel',
  method: 'POST',
  path: '/v1/hotels',
  listener: 'both',
  tag: 'hotels',
  summary: 'Add a hotel',
  description: creatable,
  scopes: ['operator'],
  body: { maxBytes, contentTypes: json, schema: HotelBody },
  responses: {
    200: { description: 'It was already added with this Idempotency-Key.', schema: HotelView },
    201: { description: 'Added. Location has its address.', schema: HotelView },
    422: { description: 'The Idempotency-Key was used for a different request.' },
  },
} as const satisfies RouteContract;

export const putHotel = {
  operationId: 'putHotel',
  method: 'PUT',
  path: '/v1/hotels/{id}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Update a hotel',
  description: changeable,
  scopes: ['operator'],
  params: hotelPath,
  body: { maxBytes, contentTypes: json, schema: HotelBody },
  responses: {
    200: { description: 'The current state.', schema: HotelView },
    404: { description: 'No hotel has this id.' },
    409: { description: 'Currency, time zone and existing room types cannot be changed.' },
    412: { description: 'It has changed since the version in If-Match.' },
  },
} as const satisfies RouteContract;

export const deleteHotel = {
  operationId: 'deleteHotel',
  method: 'DELETE',
  path: '/v1/hotels/{id}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Delete a hotel without current or future reservations',
  scopes: ['operator'],
  params: hotelPath,
  responses: {
    204: { description: 'Deleted.' },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel has current or future reservations. Nothing was changed.' },
    412: { description: 'It has changed since the version in If-Match.' },
  },
} as const satisfies RouteContract;

export const getRoom = {
  operationId: 'getRoom',
  method: 'GET',
  path: '/v1/hotels/{id}/rooms/{roomId}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Details of a room',
  scopes: 'open',
  params: roomPath,
  responses: {
    200: { description: 'The room.', schema: RoomView },
    304: { description: 'Not modified since the ETag in If-None-Match.' },
    404: { description: 'This hotel has no room with this id.' },
  },
} as const satisfies RouteContract;

export const postRoom = {
  operationId: 'postRoom',
  method: 'POST',
  path: '/v1/hotels/{id}/rooms',
  listener: 'both',
  tag: 'hotels',
  summary: 'Add a room; the inventory of its type grows by one from today',
  description: creatable,
  scopes: ['operator'],
  params: hotelPath,
  body: { maxBytes, contentTypes: json, schema: RoomBody },
  responses: {
    200: { description: 'It was already added with this Idempotency-Key.', schema: RoomView },
    201: { description: 'Added. Location has its address.', schema: RoomView },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel already has a room with this number.' },
    422: { description: 'The Idempotency-Key was used for a different request.' },
  },
} as const satisfies RouteContract;

export const putRoom = {
  operationId: 'putRoom',
  method: 'PUT',
  path: '/v1/hotels/{id}/rooms/{roomId}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Update a room',
  description:
    `${changeable} Only the documented status changes are allowed. Out-of-order days reduce the ` +
    'inventory.',
  scopes: ['operator'],
  params: roomPath,
  body: { maxBytes, contentTypes: json, schema: RoomBody },
  responses: {
    200: { description: 'The current state.', schema: RoomView },
    404: { description: 'This hotel has no room with this id.' },
    409: { description: 'The status change is not allowed, or another room has the number.' },
    412: { description: 'It has changed since the version in If-Match.' },
  },
} as const satisfies RouteContract;

export const deleteRoom = {
  operationId: 'deleteRoom',
  method: 'DELETE',
  path: '/v1/hotels/{id}/rooms/{roomId}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Retire a room from today; reservations stay',
  scopes: ['operator'],
  params: roomPath,
  responses: {
    204: { description: 'Deleted.' },
    404: { description: 'This hotel has no room with this id.' },
    409: { description: 'An occupied room cannot be retired.' },
    412: { description: 'It has changed since the version in If-Match.' },
  },
} as const satisfies RouteContract;

function optional<Fields extends typeof typeDefaults>(fields: Fields) {
  return {
    capacity: Type.Optional(fields.capacity),
    beds: Type.Optional(fields.beds),
    freeCancelHours: Type.Optional(fields.freeCancelHours),
    lateCancelPercent: Type.Optional(fields.lateCancelPercent),
  };
}
