import { randomUUID } from 'node:crypto';
import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { LocationsAccepted } from '#schemas/http/locations.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { batchIdTtlMs, namedErrorsMax, rateWindowMs } from './limits.js';
import { parseLocations, type RejectedPoint } from './parse-locations.js';

export interface ReceiverPorts {
  readonly log: Pick<EventLog, 'append'>;
  readonly codec: TopicCodec<LocationBatch>;
  readonly cache: Pick<LiveCache, 'get' | 'set' | 'increment'>;
  readonly nowMs: () => number;
  /** Batches of one user within `rateWindowMs`; further ones are answered with 429. */
  readonly batchesPerUserMax: number;
}

export interface LocationRequest {
  readonly userId: UserId;
  /** Valid during the call only; nothing of it is kept. */
  readonly body: Uint8Array;
  readonly contentType: string;
  /** `locs` of the query string, the parameter form of M-002. */
  readonly queryLocs: string | undefined;
}

export type LocationOutcome =
  | { readonly outcome: 'accepted'; readonly answer: LocationsAccepted }
  | { readonly outcome: 'malformed'; readonly pointer: string; readonly reason: string }
  | { readonly outcome: 'all-rejected'; readonly errors: readonly RejectedPoint[]; readonly rejected: number }
  | { readonly outcome: 'too-many'; readonly count: number }
  | { readonly outcome: 'rate-limited'; readonly retryAfterS: number }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly retryAfterS: number };

/**
 * One request to one record: parse, admit, append, and only then say so. The cache speeds up the answer to a retry
 * and counts for the rate limit; when it is down, batches are still taken, since consumers ignore a doubled batch id.
 */
export async function receiveLocationBatch(
  ports: ReceiverPorts,
  request: LocationRequest,
): Promise<LocationOutcome> {
  const receivedMs = ports.nowMs();
  const parsed = parseLocations(request.body, request.contentType, request.queryLocs, receivedMs);
  if (parsed.outcome !== 'ok') return parsed;
  const { points, duplicate, rejected } = parsed;
  const errors = rejected.slice(0, namedErrorsMax);
  if (points.count === 0) return { outcome: 'all-rejected', errors, rejected: rejected.length };

  const batches = await orUndefined(ports.cache.increment(`rate:locations:${request.userId}`, rateWindowMs));
  if (batches !== undefined && batches > ports.batchesPerUserMax) {
    return { outcome: 'rate-limited', retryAfterS: Math.ceil(rateWindowMs / 1_000) };
  }

  const batchId = parsed.batchId ?? randomUUID();
  const answer = {
    accepted: points.count,
    duplicate,
    rejected: rejected.length,
    batch_id: batchId,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  };
  const seenKey = `batch:${request.userId}:${batchId}`;
  if (parsed.batchId !== undefined && (await orUndefined(ports.cache.get(seenKey))) !== undefined) {
    const doubled = duplicate + points.count;
    return { outcome: 'accepted', answer: { ...answer, accepted: 0, duplicate: doubled } };
  }

  const value = ports.codec.encode({ userId: request.userId, batchId, receivedMs, points });
  try {
    await ports.log.append(ports.codec.topic.name, [{ key: request.userId, value, timestampMs: receivedMs }]);
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    return { outcome: 'unavailable', reason: error.message, retryAfterS: error.retriable ? 2 : 30 };
  }
  // Remembered only after the log has the batch: a retry after a failed append must be tried anew (D5).
  if (parsed.batchId !== undefined) await orUndefined(ports.cache.set(seenKey, '1', batchIdTtlMs));
  return { outcome: 'accepted', answer };
}

async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch {
    return undefined;
  }
}
