import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const reservationPath = Type.Object({ id });

/** `hotel/guests/guest.ts` checks it, with a sentence for each field. */
export const GuestBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of the first guest, in any script. Stored as text, markup included.',
    }),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40, description: 'For example "+46 31 123 45 67".' })),
    guests: Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'People in all rooms together. At most what the rooms sleep: capacity × roomCount.',
    }),
  },
  closed,
);
export type GuestBody = Static<typeof GuestBody>;

const noGuest = {
  description: 'No reservation has this id, or it has no guest: none was given, or the data was erased.',
};
const erased = { description: 'Erased, or there was nothing to erase.' };
const body = { maxBytes: 4_096, contentTypes: ['application/json'], describedBy: GuestBody };

const own = { listener: 'public', tag: 'reservations', scopes: ['customer'] } as const;
const management = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;

export const getGuest = {
  ...own,
  operationId: 'getGuest',
  method: 'GET',
  path: '/v1/reservations/{id}/guest',
  summary: 'The guest of one of your reservations (extension)',
  params: reservationPath,
  responses: { 200: { description: 'The guest.', schema: GuestBody }, 404: noGuest },
} as const satisfies RouteContract;

export const putGuest = {
  ...own,
  operationId: 'putGuest',
  method: 'PUT',
  path: '/v1/reservations/{id}/guest',
  summary: 'Set the guest of one of your reservations (extension)',
  description:
    'Replaces name, e-mail and phone. The number of guests changes only if the price stays the same, that ' +
    'is, if the hotel has no tax by persons.',
  params: reservationPath,
  body,
  responses: {
    204: { description: 'Stored.' },
    404: { description: 'You have no reservation with this id.' },
    409: { description: 'The stay is over or cancelled, or another number of guests changes the price.' },
    422: { description: 'The rooms do not sleep so many guests.' },
  },
} as const satisfies RouteContract;

export const deleteGuest = {
  ...own,
  operationId: 'deleteGuest',
  method: 'DELETE',
  path: '/v1/reservations/{id}/guest',
  summary: 'Erase the personal data of one of your reservations (extension)',
  description:
    'The reservation stays. The key of the data is deleted, so copies of it cannot be read either.',
  params: reservationPath,
  responses: { 204: erased, 404: { description: 'You have no reservation with this id.' } },
} as const satisfies RouteContract;

export const deleteGuestData = {
  ...own,
  operationId: 'deleteGuestData',
  method: 'DELETE',
  path: '/v1/users/{id}/guest-data',
  summary: 'Erase the personal data of all your reservations (extension)',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 128, pattern }) }),
  responses: { 204: erased, 404: { description: 'The user id is not yours.' } },
} as const satisfies RouteContract;

export const getStaffGuest = {
  ...management,
  operationId: 'getStaffGuest',
  method: 'GET',
  path: '/v1/staff/reservations/{id}/guest',
  summary: 'The guest of a reservation',
  params: reservationPath,
  responses: { 200: { description: 'The guest.', schema: GuestBody }, 404: noGuest },
} as const satisfies RouteContract;

const StaffGuestBody = Type.Object(
  {
    guest: GuestBody,
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, pattern, description: 'For the audit log.' }),
    ),
  },
  closed,
);

export const putStaffGuest = {
  ...management,
  operationId: 'putStaffGuest',
  method: 'PUT',
  path: '/v1/staff/reservations/{id}/guest',
  summary: 'Set or correct the guest of a reservation',
  description:
    'Replaces name, e-mail and phone. The number of guests changes only if the price stays the same. The ' +
    'audit log says who did it and why, and repeats nothing of the guest.',
  params: reservationPath,
  body: { ...body, describedBy: StaffGuestBody },
  responses: {
    204: { description: 'Stored.' },
    404: { description: 'No reservation has this id.' },
    409: { description: 'The stay is over or cancelled, or another number of guests changes the price.' },
    422: { description: 'The rooms do not sleep so many guests.' },
  },
} as const satisfies RouteContract;

export const postGuestErasure = {
  ...management,
  operationId: 'postGuestErasure',
  method: 'POST',
  path: '/v1/staff/guest-erasures',
  summary: 'Erase the personal data of a reservation, or of all reservations of a user',
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason: Type.String({ minLength: 1, maxLength: 500, pattern, description: 'For the audit log.' }),
        reservationID: Type.Optional(id),
        userID: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern })),
      },
      closed,
    ),
  },
  responses: {
    200: {
      description: 'How many reservations had personal data.',
      schema: Type.Object({ erased: Type.Integer() }, closed),
    },
  },
} as const satisfies RouteContract;
