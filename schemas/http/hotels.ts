import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** One line for people: no control characters, no half characters. */
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' });
const id = text(64);
const time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'HH:MM of the hotel.' });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD of the hotel.' });
const maxBytes = 64 * 1024;

const RoomType = Type.Object(
  {
    roomTypeID: id,
    name: text(100),
    capacity: Type.Integer({ minimum: 1, maximum: 50, description: 'Guests; 2 when absent.' }),
    beds: Type.Integer({ minimum: 1, maximum: 50, description: '1 when absent.' }),
    freeCancelHours: Type.Integer({
      minimum: 0,
      maximum: 8_760,
      description: 'Cancelling is free until so many hours before check-in; 24 when absent.',
    }),
    lateCancelPercent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'What is kept of the price when it is cancelled later; 100 when absent.',
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
    description: 'IANA name, Europe/Stockholm. Stays since the hotel was added.',
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217. Stays since the hotel was added.',
  }),
  checkInTime: time,
  checkOutTime: time,
  amenities: Type.Array(text(100), { maxItems: 100, uniqueItems: true }),
  roomTypes: Type.Array(RoomType, { maxItems: 100, description: 'In order of their ids.' }),
};

export const HotelView = Type.Object({ hotelID: Type.String(), ...hotelFields }, closed);
export type HotelView = Static<typeof HotelView>;

const { roomTypeID, name, ...typeDefaults } = RoomType.properties;
export const HotelBody = Type.Object(
  {
    ...hotelFields,
    checkInTime: Type.Optional(time),
    checkOutTime: Type.Optional(time),
    amenities: Type.Optional(hotelFields.amenities),
    roomTypes: Type.Optional(
      Type.Array(Type.Object({ roomTypeID, name, ...optional(typeDefaults) }, closed), {
        maxItems: 100,
        description:
          'In an update: absent, those that there are stay; else name all of them and further ones.',
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
  status: oneOf(['available', 'occupied', 'dirty', 'out_of_order', 'retired']),
  outOfOrder: Type.Array(
    Type.Object(
      {
        from: day,
        to: day,
        reason: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*$' })),
      },
      closed,
    ),
    { maxItems: 100, description: 'Days on which it cannot be let, both inclusive.' },
  ),
};

export const RoomView = Type.Object({ hotelID: Type.String(), roomID: Type.String(), ...roomFields }, closed);
export type RoomView = Static<typeof RoomView>;

export const RoomBody = Type.Object(
  {
    ...roomFields,
    floor: Type.Optional(roomFields.floor),
    status: Type.Optional(oneOf(['available', 'occupied', 'dirty', 'out_of_order'])),
    outOfOrder: Type.Optional(roomFields.outOfOrder),
  },
  closed,
);
export type RoomBody = Static<typeof RoomBody>;

const hotelPath = Type.Object({ id });
const roomPath = Type.Object({ id, roomId: id });
const json = ['application/json'];
const changeable = 'Send the ETag as If-Match to be refused with 412 when it has changed since.';
const creatable = 'The same Idempotency-Key with the same body makes one; another body with it is 422.';

export const getHotel = {
  operationId: 'getHotel',
  method: 'GET',
  path: '/v1/hotels/{id}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Details of a hotel',
  description: 'Caches may keep it for a minute; the ETag changes only when the hotel does.',
  scopes: 'open',
  params: hotelPath,
  responses: {
    200: { description: 'The hotel.', schema: HotelView },
    304: { description: 'Unchanged since the ETag of If-None-Match.' },
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
    200: { description: 'It was added under this Idempotency-Key before.', schema: HotelView },
    201: { description: 'Added; Location says where.', schema: HotelView },
    422: { description: 'The Idempotency-Key was used for something else.' },
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
    200: { description: 'As it is now.', schema: HotelView },
    404: { description: 'No hotel has this id.' },
    409: { description: 'Currency, time zone and the room types that there are stay.' },
    412: { description: 'It has changed since the version of If-Match.' },
  },
} as const satisfies RouteContract;

export const deleteHotel = {
  operationId: 'deleteHotel',
  method: 'DELETE',
  path: '/v1/hotels/{id}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Delete a hotel that nobody has a reservation in any more',
  scopes: ['operator'],
  params: hotelPath,
  responses: {
    204: { description: 'Gone.' },
    404: { description: 'No hotel has this id.' },
    409: { description: 'There are reservations under way or to come; nothing changed.' },
    412: { description: 'It has changed since the version of If-Match.' },
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
    304: { description: 'Unchanged since the ETag of If-None-Match.' },
    404: { description: 'This hotel has no such room.' },
  },
} as const satisfies RouteContract;

export const postRoom = {
  operationId: 'postRoom',
  method: 'POST',
  path: '/v1/hotels/{id}/rooms',
  listener: 'both',
  tag: 'hotels',
  summary: 'Add a room; its type has one more on every day from today on',
  description: creatable,
  scopes: ['operator'],
  params: hotelPath,
  body: { maxBytes, contentTypes: json, schema: RoomBody },
  responses: {
    200: { description: 'It was added under this Idempotency-Key before.', schema: RoomView },
    201: { description: 'Added; Location says where.', schema: RoomView },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel has a room of this number.' },
    422: { description: 'The Idempotency-Key was used for something else.' },
  },
} as const satisfies RouteContract;

export const putRoom = {
  operationId: 'putRoom',
  method: 'PUT',
  path: '/v1/hotels/{id}/rooms/{roomId}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Update a room',
  description: `${changeable} The status moves only as documented; out-of-order days are taken out of the counts.`,
  scopes: ['operator'],
  params: roomPath,
  body: { maxBytes, contentTypes: json, schema: RoomBody },
  responses: {
    200: { description: 'As it is now.', schema: RoomView },
    404: { description: 'This hotel has no such room.' },
    409: { description: 'The status does not move so, or the number is another room’s.' },
    412: { description: 'It has changed since the version of If-Match.' },
  },
} as const satisfies RouteContract;

export const deleteRoom = {
  operationId: 'deleteRoom',
  method: 'DELETE',
  path: '/v1/hotels/{id}/rooms/{roomId}',
  listener: 'both',
  tag: 'hotels',
  summary: 'Take a room away from today on; reservations stay',
  scopes: ['operator'],
  params: roomPath,
  responses: {
    204: { description: 'Gone.' },
    404: { description: 'This hotel has no such room.' },
    409: { description: 'A room in which somebody stays is not taken away.' },
    412: { description: 'It has changed since the version of If-Match.' },
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
