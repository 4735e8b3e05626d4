import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
const own = { listener: 'public', tag: 'merchant webhooks', scopes: ['merchant'] } as const;
const json = { maxBytes: 8_192, contentTypes: ['application/json'] } as const;
const path = '/v1/merchant/webhook-endpoints';
const byId = Type.Object({ endpoint_id: Type.String({ minLength: 1, maxLength: 64 }) });
const notYours = { description: 'You have no such endpoint.' };

/** What merchants may be told. `docs/merchant-webhooks.md` says when each is sent. */
export const merchantEventTypes = [
  'payment.created',
  'payment.pending',
  'payment.succeeded',
  'payment.failed',
  'payment.captured_late',
  'payment.settled',
  'refund.requested',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'dispute.answered',
  'dispute.answer_refused',
  'dispute.deadline_missed',
] as const;
export type MerchantEventType = (typeof merchantEventTypes)[number];

const settings = {
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'https, on the public Internet.' }),
  event_types: Type.Array(oneOf(merchantEventTypes), {
    minItems: 1,
    maxItems: merchantEventTypes.length,
    uniqueItems: true,
  }),
};

const Endpoint = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  event_types: Type.Array(Type.String()),
  state: oneOf(['active', 'disabled'] as const),
  disabled_reason: OrNull(Type.String()),
  waiting: Type.Integer({ description: 'Deliveries that wait.' }),
  old_secret_until: OrNull(Type.String({ description: 'Until then, the previous secret signs, too.' })),
  created_at: Instant,
  updated_at: Instant,
});
export type EndpointBody = Static<typeof Endpoint>;
const Secret = Type.String({
  description: '`whsec_…`, for Standard Webhooks. It is shown only in this answer.',
});

export const postWebhookEndpoint = {
  ...own,
  operationId: 'postWebhookEndpoint',
  method: 'POST',
  path,
  summary: 'Be told of your payments, refunds and disputes',
  description:
    'Events from now on are sent to the URL, at least once and in order for each payment, signed as in ' +
    'Standard Webhooks. At most 16 endpoints.',
  body: { ...json, schema: Type.Object(settings, closed) },
  responses: {
    201: { description: 'Created.', schema: Type.Object({ endpoint: Endpoint, secret: Secret }) },
    409: { description: 'You have an endpoint with this URL, or 16 endpoints.' },
  },
} as const satisfies RouteContract;

export const getWebhookEndpoints = {
  ...own,
  operationId: 'getWebhookEndpoints',
  method: 'GET',
  path,
  summary: 'Your endpoints, without their secrets',
  responses: { 200: { description: 'All.', schema: Type.Object({ endpoints: Type.Array(Endpoint) }) } },
} as const satisfies RouteContract;

export const putWebhookEndpoint = {
  ...own,
  operationId: 'putWebhookEndpoint',
  method: 'PUT',
  path: `${path}/{endpoint_id}`,
  summary: 'Change an endpoint, disable it, or make it active again',
  description: 'What waits is kept while it is disabled, and sent when it is active again.',
  params: byId,
  body: {
    ...json,
    schema: Type.Object({ ...settings, state: oneOf(['active', 'disabled'] as const) }, closed),
  },
  responses: {
    200: { description: 'Changed.', schema: Endpoint },
    404: notYours,
    409: { description: 'You have another endpoint with this URL.' },
  },
} as const satisfies RouteContract;

export const deleteWebhookEndpoint = {
  ...own,
  operationId: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: `${path}/{endpoint_id}`,
  summary: 'Delete an endpoint, with what waits for it and its log',
  params: byId,
  responses: { 204: { description: 'Deleted.' }, 404: notYours },
} as const satisfies RouteContract;

export const postWebhookSecret = {
  ...own,
  operationId: 'postWebhookSecret',
  method: 'POST',
  path: `${path}/{endpoint_id}/secret`,
  summary: 'Rotate the secret',
  description: 'Until `old_secret_until` both secrets sign each delivery: for 24 hours by default.',
  params: byId,
  responses: {
    200: {
      description: 'The new secret.',
      schema: Type.Object({ secret: Secret, old_secret_until: Instant }),
    },
    404: notYours,
  },
} as const satisfies RouteContract;

export const getWebhookAttempts = {
  ...own,
  operationId: 'getWebhookAttempts',
  method: 'GET',
  path: `${path}/{endpoint_id}/attempts`,
  summary: 'The log of deliveries, newest first',
  description: 'Kept for 30 days. Of an answer, the first 256 characters.',
  params: byId,
  query: Type.Object({
    before: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,17}$', description: '`next` of a page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({
        attempts: Type.Array(
          Type.Object({
            event_id: Type.String(),
            type: Type.String(),
            at: Instant,
            status: Type.Union([Type.Integer(), Type.Null()], { description: 'null: there was no answer.' }),
            failure: OrNull(Type.String()),
            answer: Type.String(),
            duration_ms: Type.Integer(),
          }),
        ),
        next: OrNull(Type.String()),
      }),
    },
    404: notYours,
  },
} as const satisfies RouteContract;

export const postWebhookReplay = {
  ...own,
  operationId: 'postWebhookReplay',
  method: 'POST',
  path: `${path}/{endpoint_id}/replays`,
  summary: 'Send events again: one, or all of a time',
  description:
    'Either `event_id`, or `from` and `to`. Events are kept for 30 days. At most 10,000 at a time. ' +
    'Continue with `from` = `continue_from`. Events that wait anyway are not doubled.',
  params: byId,
  body: {
    ...json,
    schema: Type.Object(
      {
        event_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
        from: Type.Optional(Type.String({ format: 'date-time' })),
        to: Type.Optional(Type.String({ format: 'date-time' })),
      },
      closed,
    ),
  },
  responses: {
    202: {
      description: 'They are sent soon.',
      schema: Type.Object({ events: Type.Integer(), continue_from: OrNull(Type.String()) }),
    },
    404: { description: 'You have no such endpoint, or no such event.' },
  },
} as const satisfies RouteContract;
