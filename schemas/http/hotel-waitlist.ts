import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const visible = '^[^\\p{C}\\p{Z}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern: visible });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD of the hotel, inclusive.' });

const asked = {
  entryID: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: visible,
    description: 'Made once by the client, globally unique: the same again is the same place.',
  }),
  hotelID: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}\\p{Cs}]*$' }),
  roomTypeID: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}\\p{Cs}]*$' }),
  startDate: day,
  endDate: day,
  roomCount: Type.String({ pattern: '^([1-9]|10)$', description: 'A string holding an integer.' }),
};

export const WaitlistBody = Type.Object(asked, closed);
export type WaitlistBody = Static<typeof WaitlistBody>;

export const WaitlistView = Type.Object(
  {
    ...asked,
    status: oneOf(['waiting', 'offered', 'withdrawn', 'lapsed']),
    reservationID: Type.Optional(
      Type.String({
        description: 'Once offered: an ordinary reservation that keeps the rooms until it is paid.',
      }),
    ),
    createdAt: Type.String({ description: 'RFC 3339.' }),
  },
  closed,
);
export type WaitlistView = Static<typeof WaitlistView>;

const customers = { listener: 'public', tag: 'reservations', scopes: ['customer'] } as const;

export const postWaitlistEntry = {
  ...customers,
  operationId: 'postWaitlistEntry',
  method: 'POST',
  path: '/v1/waitlist',
  summary:
    'Wait for rooms that are sold out; what becomes free is offered by itself (beyond the specification)',
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: WaitlistBody },
  responses: {
    200: { description: 'It is your place already.', schema: WaitlistView },
    201: { description: 'You wait.', schema: WaitlistView },
    404: { description: 'No such hotel or room type.' },
    409: { description: 'You wait at as many places as one may.' },
    422: { description: 'The entryID is somebody else’s.' },
  },
} as const satisfies RouteContract;

export const listWaitlist = {
  ...customers,
  operationId: 'listWaitlist',
  method: 'GET',
  path: '/v1/waitlist',
  summary: 'Your places in line, newest first (beyond the specification)',
  responses: {
    200: {
      description: 'At most a hundred.',
      schema: Type.Object({ entries: Type.Array(WaitlistView) }, closed),
    },
  },
} as const satisfies RouteContract;

export const deleteWaitlistEntry = {
  ...customers,
  operationId: 'deleteWaitlistEntry',
  method: 'DELETE',
  path: '/v1/waitlist/{id}',
  summary: 'Wait no longer (beyond the specification)',
  params: Type.Object({ id }),
  responses: {
    204: { description: 'You wait no longer.' },
    404: { description: 'You wait at no place of this id.' },
  },
} as const satisfies RouteContract;
