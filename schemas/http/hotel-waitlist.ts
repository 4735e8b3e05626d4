import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const visible = '^[^\\p{C}\\p{Z}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern: visible });
const day = Type.String({
  format: 'date',
  description: 'YYYY-MM-DD in the time zone of the hotel, inclusive.',
});

const asked = {
  entryID: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: visible,
    description: 'Globally unique id from the client. Sending it again returns the same entry.',
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
        description: 'Once offered: a reservation that holds the rooms until it is paid.',
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
    'Join the waitlist for rooms that are sold out; rooms that become available are offered ' +
    'automatically (extension)',
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: WaitlistBody },
  responses: {
    200: { description: 'You are already on the waitlist with this entry.', schema: WaitlistView },
    201: { description: 'You are on the waitlist.', schema: WaitlistView },
    404: { description: 'The hotel or the room type does not exist.' },
    409: { description: 'You have the maximum number of waitlist entries.' },
    422: { description: 'The entryID belongs to someone else.' },
  },
} as const satisfies RouteContract;

export const listWaitlist = {
  ...customers,
  operationId: 'listWaitlist',
  method: 'GET',
  path: '/v1/waitlist',
  summary: 'Your waitlist entries, newest first (extension)',
  responses: {
    200: {
      description: 'At most 100 entries.',
      schema: Type.Object({ entries: Type.Array(WaitlistView) }, closed),
    },
  },
} as const satisfies RouteContract;

export const deleteWaitlistEntry = {
  ...customers,
  operationId: 'deleteWaitlistEntry',
  method: 'DELETE',
  path: '/v1/waitlist/{id}',
  summary: 'Leave the waitlist (extension)',
  params: Type.Object({ id }),
  responses: {
    204: { description: 'You have left the waitlist.' },
    404: { description: 'You have no waitlist entry with this id.' },
  },
} as const satisfies RouteContract;
