import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { listAttempts } from '#platform/webhooks/attempt-log.js';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  listEndpoints,
  readEndpoint,
  rotateSecret,
} from '#platform/webhooks/endpoint.js';
import { webhookLimits } from '#platform/webhooks/limits.js';
import { type ReplayRequest, replayEvents } from '#platform/webhooks/replay-events.js';
import { targetProblem } from '#platform/webhooks/webhook-target.js';
import {
  deleteWebhookEndpoint,
  type EndpointBody,
  getWebhookAttempts,
  getWebhookEndpoints,
  postWebhookEndpoint,
  postWebhookReplay,
  postWebhookSecret,
  putWebhookEndpoint,
} from '#schemas/http/merchant-webhooks.js';
import { merchantLimits } from '../merchant/limits.js';
import { merchantTables } from '../merchant-webhooks/merchant-tables.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';

const notFound = problem(problems.notFound, messages.noEndpoint);
const knownUrl = problem(paymentProblems.endpointRefused, messages.knownUrl);

/** A merchant manages where its events are sent. Endpoints of others are 404. */
export const merchantWebhookRoutes = (service: PaymentService): readonly Route[] => {
  const { sql, submit, webhookTargets } = service;
  const now = (): Date => new Date(submit.nowMs());
  const wrongUrl = (url: string): HttpAnswer | undefined => {
    const message = targetProblem(url, webhookTargets);
    return message === undefined ? undefined : badBody('/url', message);
  };
  return [
    route(postWebhookEndpoint, ({ body, identity }) =>
      catchUnavailable(async () => {
        const wrong = wrongUrl(body.url);
        if (wrong !== undefined) return wrong;
        const settings = { url: body.url, eventTypes: body.event_types };
        const created = await createEndpoint(merchantTables, sql, identity.userId, settings, now());
        if (created === 'known url') return knownUrl;
        if (created === 'full')
          return problem(
            paymentProblems.endpointRefused,
            messages.tooManyEndpoints(webhookLimits.endpointsPerOwnerMax),
          );
        const { endpoint, secret } = created;
        return { status: 201, body: { endpoint: endpointJson(endpoint), secret }, headers: unstored };
      }),
    ),
    route(getWebhookEndpoints, ({ identity }) =>
      catchUnavailable(async () => {
        const endpoints = await listEndpoints(merchantTables, sql, identity.userId);
        return { status: 200, body: { endpoints: endpoints.map(endpointJson) } };
      }),
    ),
    route(putWebhookEndpoint, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const wrong = wrongUrl(body.url);
        if (wrong !== undefined) return wrong;
        const { url, event_types: eventTypes, state } = body;
        const settings = { url, eventTypes, state };
        const changed = await changeEndpoint(
          merchantTables,
          sql,
          identity.userId,
          params.endpoint_id,
          settings,
          now(),
        );
        if (changed === 'not found') return notFound;
        if (changed === 'known url') return knownUrl;
        service.wakeWebhooks();
        return { status: 200, body: endpointJson(changed) };
      }),
    ),
    route(deleteWebhookEndpoint, ({ params, identity }) =>
      catchUnavailable(async () =>
        (await deleteEndpoint(merchantTables, sql, identity.userId, params.endpoint_id))
          ? { status: 204 }
          : notFound,
      ),
    ),
    route(postWebhookSecret, ({ params, identity }) =>
      catchUnavailable(async () => {
        const rotated = await rotateSecret(merchantTables, sql, identity.userId, params.endpoint_id, {
          now: now(),
          oldSecretMs: submit.settings.merchantWebhooks.oldSecretMs,
        });
        if (rotated === undefined) return notFound;
        const { secret, oldSecretUntil } = rotated;
        const body = { secret, old_secret_until: oldSecretUntil.toISOString() };
        return { status: 200, body, headers: unstored };
      }),
    ),
    route(getWebhookAttempts, ({ params, query, identity }) =>
      catchUnavailable(async () => {
        const endpoint = await readEndpoint(merchantTables, sql, identity.userId, params.endpoint_id);
        if (endpoint === undefined) return notFound;
        const limit = query.limit ?? merchantLimits.pageDefault;
        const before = query.before === undefined ? undefined : BigInt(query.before);
        const found = await listAttempts(merchantTables, sql, endpoint.id, { before, limit });
        const attempts = found.map((attempt) => ({
          event_id: attempt.eventId,
          type: attempt.type,
          at: attempt.at.toISOString(),
          status: attempt.status ?? null,
          failure: attempt.failure ?? null,
          answer: attempt.answer,
          duration_ms: attempt.durationMs,
        }));
        const next = found.length < limit ? null : found.at(-1)!.attemptNo.toString();
        return { status: 200, body: { attempts, next } };
      }),
    ),
    route(postWebhookReplay, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const request = replayOf(body);
        if (request === undefined) return badBody('/from', messages.eventOrTimes);
        const replayed = await replayEvents(
          merchantTables,
          sql,
          identity.userId,
          params.endpoint_id,
          request,
          now(),
        );
        if (replayed === undefined) return notFound;
        service.wakeWebhooks();
        const { events, continueFrom } = replayed;
        return { status: 202, body: { events, continue_from: continueFrom?.toISOString() ?? null } };
      }),
    ),
  ];
};

/** A secret is in no cache. */
const unstored = { 'cache-control': 'no-store' };

const badBody = (pointer: string, message: string): HttpAnswer =>
  problem(problems.invalid, messages.badFields, { errors: [{ pointer, message }] });

function replayOf(body: { event_id?: string; from?: string; to?: string }): ReplayRequest | undefined {
  const { event_id: eventId, from, to } = body;
  if (eventId !== undefined) return from === undefined && to === undefined ? { eventId } : undefined;
  if (from === undefined || to === undefined) return undefined;
  const range = { from: new Date(from), to: new Date(to) };
  return range.from < range.to ? range : undefined;
}

const endpointJson = (endpoint: Endpoint): EndpointBody => ({
  endpoint_id: endpoint.id,
  url: endpoint.url,
  event_types: [...endpoint.eventTypes],
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason ?? null,
  waiting: Number(endpoint.waiting),
  old_secret_until: endpoint.oldSecretUntil?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.changedAt.toISOString(),
});
