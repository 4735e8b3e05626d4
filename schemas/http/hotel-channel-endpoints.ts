import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const hotelId = Type.String({ minLength: 1, maxLength: 64, pattern });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Reason, recorded in the audit log.',
});
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const management = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;
const json = { maxBytes: 8_192, contentTypes: ['application/json'] } as const;
const path = '/v1/staff/hotels/{id}/channel-endpoints';
const ofHotel = Type.Object({ id: hotelId });
const byId = Type.Object({ id: hotelId, endpointId: Type.String({ minLength: 1, maxLength: 64, pattern }) });
const noEndpoint = { description: 'The hotel has no such endpoint.' };
const url = Type.String({ minLength: 1, maxLength: 2_048, description: 'https, on the public Internet.' });
const state = oneOf(['active', 'disabled'] as const);

/** What channels are told; `docs/channel-webhooks.md` describes it. */
export const channelEventTypes = ['ari.changed'] as const;

const ChannelEndpoint = Type.Object(
  {
    endpointID: Type.String(),
    url: Type.String(),
    state,
    disabledReason: Type.Optional(Type.String()),
    waiting: Type.Integer({ description: 'Deltas that wait.' }),
    oldSecretUntil: Type.Optional(
      Type.String({ description: 'Until then, the previous secret signs, too.' }),
    ),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
);
export type ChannelEndpointView = Static<typeof ChannelEndpoint>;
const secret = Type.String({
  description: '`whsec_…`, for Standard Webhooks. It is shown only in this answer.',
});

export const postChannelEndpoint = {
  ...management,
  operationId: 'postChannelEndpoint',
  method: 'POST',
  path,
  summary: 'Send the deltas of a hotel to the URL of a channel',
  description:
    'From now on, at least once and in order, signed as in Standard Webhooks. The hotel needs a channel ' +
    'feed. At most 16 endpoints.',
  params: ofHotel,
  body: { ...json, schema: Type.Object({ reason, url }, closed) },
  responses: {
    201: { description: 'Created.', schema: Type.Object({ endpoint: ChannelEndpoint, secret }, closed) },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel has an endpoint with this URL, or 16 endpoints.' },
  },
} as const satisfies RouteContract;

export const listChannelEndpoints = {
  ...management,
  operationId: 'listChannelEndpoints',
  method: 'GET',
  path,
  summary: 'The endpoints of channels of a hotel, without their secrets',
  params: ofHotel,
  responses: {
    200: { description: 'All.', schema: Type.Object({ endpoints: Type.Array(ChannelEndpoint) }, closed) },
  },
} as const satisfies RouteContract;

export const putChannelEndpoint = {
  ...management,
  operationId: 'putChannelEndpoint',
  method: 'PUT',
  path: `${path}/{endpointId}`,
  summary: 'Change an endpoint of a channel, disable it, or make it active again',
  description: 'What waits is kept while it is disabled, and sent when it is active again.',
  params: byId,
  body: { ...json, schema: Type.Object({ reason, url, state }, closed) },
  responses: {
    200: { description: 'Changed.', schema: ChannelEndpoint },
    404: noEndpoint,
    409: { description: 'The hotel has another endpoint with this URL.' },
  },
} as const satisfies RouteContract;

export const deleteChannelEndpoint = {
  ...management,
  operationId: 'deleteChannelEndpoint',
  method: 'DELETE',
  path: `${path}/{endpointId}`,
  summary: 'Delete an endpoint of a channel, with what waits for it and its log',
  params: byId,
  responses: { 204: { description: 'Deleted.' }, 404: noEndpoint },
} as const satisfies RouteContract;

export const postChannelEndpointSecret = {
  ...management,
  operationId: 'postChannelEndpointSecret',
  method: 'POST',
  path: `${path}/{endpointId}/secret`,
  summary: 'Rotate the secret of an endpoint of a channel',
  description: 'For 24 hours both secrets sign each delivery.',
  params: byId,
  body: { ...json, schema: Type.Object({ reason }, closed) },
  responses: {
    200: {
      description: 'The new secret.',
      schema: Type.Object({ secret, oldSecretUntil: Type.String() }, closed),
    },
    404: noEndpoint,
  },
} as const satisfies RouteContract;

export const listChannelAttempts = {
  ...management,
  operationId: 'listChannelAttempts',
  method: 'GET',
  path: `${path}/{endpointId}/attempts`,
  summary: 'The log of deliveries to a channel, newest first',
  description: 'Kept for 30 days. Of an answer, the first 256 characters.',
  params: byId,
  query: Type.Object(
    {
      before: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,17}$', description: '`next` of a page.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
    },
    closed,
  ),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object(
        {
          attempts: Type.Array(
            Type.Object(
              {
                eventID: Type.String(),
                at: Type.String(),
                status: Type.Optional(Type.Integer()),
                failure: Type.Optional(Type.String()),
                answer: Type.String(),
                durationMs: Type.Integer(),
              },
              closed,
            ),
          ),
          next: Type.Optional(Type.String()),
        },
        closed,
      ),
    },
    404: noEndpoint,
  },
} as const satisfies RouteContract;

export const postChannelReplay = {
  ...management,
  operationId: 'postChannelReplay',
  method: 'POST',
  path: `${path}/{endpointId}/replays`,
  summary: 'Send stored deltas to a channel again',
  description: 'Those of a half-open time; at most 10,000 at once. `continueFrom` is where the rest begins.',
  params: byId,
  body: {
    ...json,
    schema: Type.Object(
      { from: Type.String({ format: 'date-time' }), to: Type.String({ format: 'date-time' }) },
      closed,
    ),
  },
  responses: {
    202: {
      description: 'They wait now.',
      schema: Type.Object({ events: Type.Integer(), continueFrom: Type.Optional(Type.String()) }, closed),
    },
    404: noEndpoint,
  },
} as const satisfies RouteContract;

export const postChannelSnapshot = {
  ...management,
  operationId: 'postChannelSnapshot',
  method: 'POST',
  path: '/v1/staff/hotels/{id}/channel-snapshots',
  summary: 'Send the whole state of a hotel to its channels, as deltas',
  description:
    'For a channel that saw a gap. Each day of each room type is published as it stands, to the topic and ' +
    'to all endpoints, in order with other deltas.',
  params: ofHotel,
  body: { ...json, schema: Type.Object({ reason, from: day, to: day }, closed) },
  responses: {
    202: {
      description: 'They are published now.',
      schema: Type.Object({ days: Type.Integer({ description: 'Days of room types.' }) }, closed),
    },
    404: { description: 'No hotel has this id.' },
    409: { description: 'The hotel has no channel feed.' },
  },
} as const satisfies RouteContract;
