import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const roomTypeIDs = Type.Array(id, { minItems: 1, maxItems: 100, uniqueItems: true });

/** The handler checks it after the signature. */
export const ChannelRequest = Type.Object(
  {
    from: day,
    to: Type.String({ format: 'date', description: 'Inclusive; at most 799 days after `from`.' }),
    roomTypeIDs: Type.Optional(
      Type.Array(id, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Absent: all room types of the hotel.',
      }),
    ),
  },
  { ...closed, examples: [{ from: '2026-12-01', to: '2027-11-30', roomTypeIDs: ['t01'] }] },
);
export type ChannelRequest = Static<typeof ChannelRequest>;

const ChannelRequestView = Type.Object(
  {
    requestID: Type.String(),
    from: day,
    to: day,
    roomTypeIDs: Type.Optional(roomTypeIDs),
    days: Type.Integer({ description: 'Days of room types that are sent.' }),
    requestedAt: Type.String({ description: 'RFC 3339.' }),
  },
  closed,
);
export type ChannelRequestView = Static<typeof ChannelRequestView>;

export const postChannelRequest = {
  operationId: 'postChannelRequest',
  method: 'POST',
  path: '/v1/hotels/{id}/channel-endpoints/{endpointId}/requests',
  listener: 'public',
  tag: 'hotels',
  summary: 'A channel requests the whole state of a hotel, which arrives at its webhook (extension)',
  description:
    'Signed by the channel as in Standard Webhooks, with the secret of its endpoint: headers `webhook-id`, ' +
    '`webhook-timestamp` (at most 5 minutes old) and `webhook-signature` over id, time and body. It needs ' +
    'no token. Each day of each room type is sent as it stands, in order with other deltas. A request that ' +
    'is repeated, or sent while an earlier one of the endpoint waits to be published, is answered with ' +
    'that earlier one. At most 4 requests an hour for each endpoint.',
  scopes: 'open',
  params: Type.Object({ id, endpointId: id }),
  body: { maxBytes: 16_384, contentTypes: ['application/json'], describedBy: ChannelRequest },
  responses: {
    202: { description: 'The state will be sent; which days, the answer says.', schema: ChannelRequestView },
    401: {
      description:
        'The signature is missing or invalid, the time is not within 5 minutes of ours, or there is no ' +
        'such endpoint. Nothing was changed.',
    },
    409: { description: 'The hotel has no channel feed, or its staff have disabled the endpoint.' },
    429: { description: 'The endpoint has made 4 requests in the last hour. See Retry-After.' },
  },
} as const satisfies RouteContract;
