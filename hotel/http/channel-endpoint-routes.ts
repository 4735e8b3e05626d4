import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
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
import { deliveryTimes, webhookLimits } from '#platform/webhooks/limits.js';
import { replayEvents } from '#platform/webhooks/replay-events.js';
import { type TargetRule, targetProblem } from '#platform/webhooks/webhook-target.js';
import * as contracts from '#schemas/http/hotel-channel-endpoints.js';
import type { Hotels } from '../hotels/hotels.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { channelLimits } from '../selling/channel-limits.js';
import { channelTables as tables } from '../selling/channel-webhooks.js';
import { noteWholeState } from '../selling/pending-days.js';
import { audited, type StaffAction } from '../staff/audited.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noHotel } from './hotel-routes.js';
import * as messages from './messages.js';

export interface ChannelEndpointRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
  /** Where webhooks to channels may lead. */
  readonly webhookTargets: TargetRule;
}

const pageDefault = 50;
/** A secret is in no cache. */
const unstored = { 'cache-control': 'no-store' };

/** Staff of a hotel say where its deltas are sent, and see what came of it. */
export function channelEndpointRoutes(deps: ChannelEndpointRouteDeps): readonly Route[] {
  const { sql, hotels, now, webhookTargets } = deps;
  const ofHotel = (hotelId: string, work: () => Promise<HttpAnswer>) =>
    catchUnavailable(async () => ((await hotels.get(hotelId)) === undefined ? noHotel() : work()));
  const noted = <Result>(action: StaffAction, work: () => Promise<Result>): Promise<Result> =>
    audited(sql, now(), action, async () => ({ kind: 'done', result: await work() })).then(
      ({ result }) => result,
    );
  const wrongUrl = (url: string): HttpAnswer | undefined => {
    const message = targetProblem(url, webhookTargets);
    return message === undefined ? undefined : badBody('/url', message);
  };
  return [
    route(contracts.postChannelEndpoint, ({ params, body: { reason, url }, identity }) =>
      ofHotel(params.id, async () => {
        const wrong = wrongUrl(url);
        if (wrong !== undefined) return wrong;
        const entry = {
          action: 'add-channel-endpoint',
          subject: params.id,
          staffId: identity.userId,
        } as const;
        const created = await noted({ ...entry, reason, detail: { url } }, () =>
          createEndpoint(tables, sql, params.id, { url, eventTypes: contracts.channelEventTypes }, now()),
        );
        if (created === 'known url') return refused(messages.knownUrl);
        if (created === 'full') return refused(messages.tooManyEndpoints(webhookLimits.endpointsPerOwnerMax));
        const { endpoint, secret } = created;
        return { status: 201, body: { endpoint: endpointView(endpoint), secret }, headers: unstored };
      }),
    ),
    route(contracts.listChannelEndpoints, ({ params }) =>
      ofHotel(params.id, async () => {
        const endpoints = await listEndpoints(tables, sql, params.id);
        return { status: 200, body: { endpoints: endpoints.map(endpointView) } };
      }),
    ),
    route(contracts.putChannelEndpoint, ({ params, body: { reason, url, state }, identity }) =>
      ofHotel(params.id, async () => {
        const wrong = wrongUrl(url);
        if (wrong !== undefined) return wrong;
        const { id, endpointId } = params;
        const entry = { action: 'set-channel-endpoint', subject: id, staffId: identity.userId } as const;
        const settings = { url, state, eventTypes: contracts.channelEventTypes };
        const changed = await noted({ ...entry, reason, detail: { endpointId, url, state } }, () =>
          changeEndpoint(tables, sql, id, endpointId, settings, now()),
        );
        if (changed === 'not found') return noEndpoint();
        if (changed === 'known url') return refused(messages.knownUrl);
        return { status: 200, body: endpointView(changed) };
      }),
    ),
    route(contracts.deleteChannelEndpoint, ({ params: { id, endpointId }, identity }) =>
      ofHotel(id, async () => {
        const entry = { action: 'delete-channel-endpoint', subject: id, staffId: identity.userId } as const;
        const reason = messages.byStaff;
        const isDeleted = await noted({ ...entry, reason, detail: { endpointId } }, () =>
          deleteEndpoint(tables, sql, id, endpointId),
        );
        return isDeleted ? { status: 204 } : noEndpoint();
      }),
    ),
    route(contracts.postChannelEndpointSecret, ({ params: { id, endpointId }, body: { reason }, identity }) =>
      ofHotel(id, async () => {
        const entry = { action: 'rotate-channel-secret', subject: id, staffId: identity.userId } as const;
        const rotated = await noted({ ...entry, reason, detail: { endpointId } }, () =>
          rotateSecret(tables, sql, id, endpointId, { now: now(), oldSecretMs: deliveryTimes.oldSecretMs }),
        );
        if (rotated === undefined) return noEndpoint();
        const answer = { secret: rotated.secret, oldSecretUntil: rotated.oldSecretUntil.toISOString() };
        return { status: 200, body: answer, headers: unstored };
      }),
    ),
    route(contracts.listChannelAttempts, ({ params: { id, endpointId }, query }) =>
      ofHotel(id, async () => {
        const endpoint = await readEndpoint(tables, sql, id, endpointId);
        if (endpoint === undefined) return noEndpoint();
        const { limit = pageDefault } = query;
        const before = query.before === undefined ? undefined : BigInt(query.before);
        const found = await listAttempts(tables, sql, endpoint.id, { before, limit });
        const attempts = found.map(({ eventId, at, status, failure, answer, durationMs }) => ({
          eventID: eventId,
          at: at.toISOString(),
          ...(status === undefined ? {} : { status }),
          ...(failure === undefined ? {} : { failure }),
          answer,
          durationMs,
        }));
        const next = found.length < limit ? {} : { next: String(found.at(-1)!.attemptNo) };
        return { status: 200, body: { attempts, ...next } };
      }),
    ),
    route(contracts.postChannelReplay, ({ params: { id, endpointId }, body }) =>
      ofHotel(id, async () => {
        const range = { from: new Date(body.from), to: new Date(body.to) };
        if (!(range.from < range.to)) return badBody('/to', messages.laterThanFrom);
        const replayed = await replayEvents(tables, sql, id, endpointId, range, now());
        if (replayed === undefined) return noEndpoint();
        const { events, continueFrom } = replayed;
        const rest = continueFrom === undefined ? {} : { continueFrom: continueFrom.toISOString() };
        return { status: 202, body: { events, ...rest } };
      }),
    ),
    route(contracts.postChannelSnapshot, ({ params: { id }, body: { reason, from, to }, identity }) => {
      const days = nightsBetween(from, to);
      if (!(days >= 1 && days <= channelLimits.daysMax))
        return badBody('/to', messages.badRange(channelLimits.daysMax - 1));
      return ofHotel(id, async () => {
        const entry = { action: 'send-channel-snapshot', subject: id, staffId: identity.userId } as const;
        const noticed = await noted({ ...entry, reason, detail: { from, to } }, () =>
          noteWholeState(sql, id, { from, to }),
        );
        if (noticed === undefined) return problem(hotelProblems.noFeed);
        return { status: 202, body: { days: noticed.days } };
      });
    }),
  ];
}

const badBody = (pointer: string, message: string): HttpAnswer =>
  problem(problems.invalid, messages.badFields, { errors: [{ pointer, message }] });
const refused = (sentence: string): HttpAnswer => problem(hotelProblems.endpointRefused, sentence);
const noEndpoint = (): HttpAnswer => problem(problems.notFound, messages.noEndpoint);

const endpointView = (endpoint: Endpoint): contracts.ChannelEndpointView => ({
  endpointID: endpoint.id,
  url: endpoint.url,
  state: endpoint.state,
  ...(endpoint.disabledReason === undefined ? {} : { disabledReason: endpoint.disabledReason }),
  waiting: Number(endpoint.waiting),
  ...(endpoint.oldSecretUntil === undefined ? {} : { oldSecretUntil: endpoint.oldSecretUntil.toISOString() }),
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.changedAt.toISOString(),
});
