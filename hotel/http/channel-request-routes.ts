import { randomBytes } from 'node:crypto';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { parseJson } from '#platform/http/server/parse-json.js';
import { validator } from '#platform/http/validator.js';
import type { Sql } from '#platform/sql/sql.js';
import { secretsOf } from '#platform/webhooks/endpoint-secrets.js';
import { type SignedWebhook, verifyWebhook } from '#platform/webhooks/verify-webhook.js';
import {
  ChannelRequest,
  type ChannelRequestView,
  postChannelRequest,
} from '#schemas/http/hotel-channel-request.js';
import type { Hotels } from '../hotels/hotels.js';
import { nightsBetween } from '../reservations/stay-days.js';
import { channelLimits } from '../selling/channel-limits.js';
import { type ChannelStateRequest, requestState } from '../selling/channel-requests.js';
import { channelTables } from '../selling/channel-webhooks.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import * as messages from './messages.js';

export interface ChannelRequestRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly now: () => Date;
}

const check = validator(ChannelRequest);
/** An endpoint that does not exist costs the same and is refused in the same words. */
const nobodysSecret = `whsec_${randomBytes(32).toString('base64')}`;

/** What a channel asks for itself. Its signature is its only credential. */
export const channelRequestRoutes = ({ sql, hotels, now }: ChannelRequestRouteDeps): readonly Route[] => [
  route(postChannelRequest, (request) => {
    const { id: hotelId, endpointId } = request.params;
    // The bytes are lent until the first await.
    const bytes = Buffer.from(request.body);
    const signed: SignedWebhook = {
      id: request.header('webhook-id'),
      timestamp: request.header('webhook-timestamp'),
      signature: request.header('webhook-signature'),
      body: bytes.toString('utf8'),
    };
    return catchUnavailable(async () => {
      const at = now();
      const secrets = await secretsOf(channelTables, sql, hotelId, endpointId, at);
      const known = secrets.length > 0 ? secrets : [nobodysSecret];
      const verified = verifyWebhook(signed, known, at.getTime(), channelLimits.requestToleranceMs);
      if (!verified.ok) return problem(hotelProblems.unsigned);
      const asked = await readBody(bytes, hotels, hotelId);
      if ('status' in asked) return asked;
      const asking = { hotelId, endpointId, webhookId: verified.id };
      const { from, to, roomTypeIDs: roomTypeIds } = asked;
      const outcome = await requestState(sql, asking, { from, to, roomTypeIds }, at);
      switch (outcome.kind) {
        case 'accepted':
          return { status: 202, body: view(outcome.request) };
        case 'known':
          return { status: 202, body: view(outcome.request), headers: { 'idempotent-replayed': 'true' } };
        case 'too many':
          return problem(problems.tooManyRequests, messages.tooManyStates(channelLimits.requestsInWindow), {
            retryAfterS: outcome.retryAfterS,
          });
        case 'disabled':
          return problem(hotelProblems.endpointDisabled);
        case 'no feed':
          return problem(hotelProblems.noFeed);
        case 'no endpoint':
          return problem(hotelProblems.unsigned);
      }
    });
  }),
];

async function readBody(
  bytes: Uint8Array,
  hotels: Hotels,
  hotelId: string,
): Promise<ChannelRequest | HttpAnswer> {
  if (bytes.length === 0) return problem(problems.malformed, messages.bodyRequired);
  const json = parseJson(bytes);
  if (!json.ok) return problem(problems.malformed, json.detail);
  const faults = check(json.value);
  if (faults !== undefined) return problem(problems.invalid, messages.badFields, { errors: faults });
  const asked = json.value as ChannelRequest;
  const { from, to, roomTypeIDs = [] } = asked;
  const days = nightsBetween(from, to);
  const errors =
    days >= 1 && days <= channelLimits.daysMax
      ? []
      : [{ pointer: '/to', message: messages.badRange(channelLimits.daysMax - 1) }];
  const types = new Set((await hotels.get(hotelId))?.roomTypes.map(({ roomTypeId }) => roomTypeId));
  for (const [index, type] of roomTypeIDs.entries())
    if (!types.has(type))
      errors.push({ pointer: `/roomTypeIDs/${index}`, message: messages.unknownRoomType });
  return errors.length === 0 ? asked : problem(problems.invalid, messages.badFields, { errors });
}

const view = ({
  requestId,
  from,
  to,
  roomTypeIds,
  days,
  requestedAt,
}: ChannelStateRequest): ChannelRequestView => ({
  requestID: requestId,
  from,
  to,
  ...(roomTypeIds === undefined ? {} : { roomTypeIDs: [...roomTypeIds] }),
  days,
  requestedAt: requestedAt.toISOString(),
});
