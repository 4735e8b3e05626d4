import { randomBytes } from 'node:crypto';
import { type EventLog, LogUnavailable, type NewRecord } from '#platform/event-log/event-log.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { traceHeader, tracing } from '#platform/telemetry/tracing.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { LocationsAccepted } from '#schemas/http/locations.js';
import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { batchIdTtlMs, namedErrorsMax, usualEveryS } from './limits.js';
import type { MatchedEdge } from './matched-edges.js';
import { parseLocations } from './parse-locations.js';
import type { RejectedPoint } from './parsed-locations.js';
import { RecordBatcher } from './record-batcher.js';
import type { SendHints } from './send-hint.js';
import type { Shedding } from './shedding.js';

export interface ReceiverPorts {
  readonly log: Pick<EventLog, 'append'>;
  readonly codec: TopicCodec<LocationBatch>;
  readonly cache: Pick<LiveCache, 'get' | 'set'>;
  readonly nowMs: () => number;
  /** Send intervals for clients and the use of their points; if absent, the default interval. */
  readonly hints?: Pick<SendHints, 'of'>;
  /** Nothing is left out when absent. */
  readonly shedding?: Pick<Shedding, 'leavesOut'>;
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
  /** The log may have the batch all the same. */
  | {
      readonly outcome: 'unavailable';
      readonly reason: string;
      readonly batchId: string;
      readonly retryAfterS: number;
    };

type Accepted = LocationOutcome & { readonly outcome: 'accepted' };

/** A callback instead of a promise, which is measurable at thousands of requests a second. */
export type LateOutcome = (report: (outcome: LocationOutcome | Promise<LocationOutcome>) => void) => void;

/** A prefix per process; together with a count it is unique. */
const idPrefix = randomBytes(9).toString('base64url');
let idsMade = 0;

/**
 * One request becomes one record: parse, encode, append, and only then acknowledge. The cache answers a
 * retry. When it is unavailable, batches are still accepted, because consumers ignore a duplicate batch id.
 */
export class LocationReceiver {
  readonly #ports: ReceiverPorts;
  readonly #appends: RecordBatcher;
  /** Batches with an id that are being appended; no more than requests in progress. */
  readonly #inProgress = new Map<string, Promise<LocationOutcome>>();

  constructor(ports: ReceiverPorts) {
    this.#ports = ports;
    this.#appends = new RecordBatcher(ports.log, ports.codec.topic.name);
  }

  receive(request: LocationRequest): LocationOutcome | LateOutcome {
    const { codec, nowMs } = this.#ports;
    const { userId } = request;
    const receivedMs = nowMs();
    const parsed = parseLocations(request.body, request.contentType, request.queryLocs, receivedMs);
    if (parsed.outcome !== 'ok') return parsed;
    const { points, duplicate, rejected } = parsed;
    const { count } = points;
    const errors = rejected.length === 0 ? rejected : rejected.slice(0, namedErrorsMax);
    if (count === 0) return { outcome: 'all-rejected', errors, rejected: rejected.length };
    const batchId = parsed.batchId ?? `${idPrefix}-${(idsMade++).toString(36)}`;
    const hint = this.#ports.hints?.of(userId, points, receivedMs);
    const everyS = hint?.everyS ?? usualEveryS;
    if (this.#ports.shedding?.leavesOut(userId, points, this.#appends.waiting, hint) === true) {
      const answer = answerOf(0, duplicate, rejected.length, batchId, everyS, errors, hint?.matched);
      return { outcome: 'accepted', answer: { ...answer, shed: count } };
    }
    // Encoded before anything is awaited: the points are views of columns that the next request fills.
    const value = codec.encode({ userId, batchId, receivedMs, points });
    const accepted: Accepted = {
      outcome: 'accepted',
      answer: answerOf(count, duplicate, rejected.length, batchId, everyS, errors, hint?.matched),
    };
    const trace = tracing()?.current();
    const headers = trace === undefined ? undefined : { [traceHeader]: trace };
    const record = { key: userId, value, timestampMs: receivedMs, ...(headers && { headers }) };
    if (parsed.batchId === undefined) return (report) => this.#append(record, accepted, report);
    return (report) => report(this.#appendOnce(userId, batchId, record, accepted));
  }

  #append(record: NewRecord, accepted: Accepted, report: Parameters<LateOutcome>[0]): void {
    this.#appends.add(record, (failure) => {
      if (failure === undefined) report(accepted);
      else if (failure instanceof LogUnavailable) {
        const retryAfterS = failure.retriable ? 2 : 30;
        const batchId = accepted.answer.batch_id;
        report({ outcome: 'unavailable', reason: failure.message, batchId, retryAfterS });
      } else report(Promise.reject(failure as Error));
    });
  }

  async #appendOnce(
    userId: UserId,
    batchId: string,
    record: NewRecord,
    accepted: Accepted,
  ): Promise<LocationOutcome> {
    const seenKey = `batch:${userId}:${batchId}`;
    // A client that gave up and sent again, while this process was busy: both copies are here at once.
    const first = this.#inProgress.get(seenKey);
    if (first !== undefined) {
      const outcome = await first;
      return outcome.outcome === 'accepted' ? asDuplicate(accepted) : outcome;
    }
    const appended = this.#appendUnlessSeen(seenKey, record, accepted);
    this.#inProgress.set(seenKey, appended);
    return appended.finally(() => this.#inProgress.delete(seenKey));
  }

  async #appendUnlessSeen(seenKey: string, record: NewRecord, accepted: Accepted): Promise<LocationOutcome> {
    const { cache } = this.#ports;
    if ((await orUndefined(cache.get(seenKey))) !== undefined) return asDuplicate(accepted);
    const outcome = await new Promise<LocationOutcome>((report) => this.#append(record, accepted, report));
    // Stored only after the log has the batch: a retry after a failed append must be appended (D5).
    if (outcome.outcome === 'accepted') await orUndefined(cache.set(seenKey, '1', batchIdTtlMs));
    return outcome;
  }
}

/** The answer to another copy of a batch that the log has. */
function asDuplicate({ outcome, answer }: Accepted): Accepted {
  return { outcome, answer: { ...answer, accepted: 0, duplicate: answer.duplicate + answer.accepted } };
}

function answerOf(
  accepted: number,
  duplicate: number,
  rejected: number,
  batchId: string,
  everyS: number,
  errors: readonly RejectedPoint[],
  matched: MatchedEdge | undefined,
): LocationsAccepted {
  const answer = { accepted, duplicate, rejected, batch_id: batchId, send_every_s: everyS };
  if (errors.length === 0 && matched === undefined) return answer;
  return {
    ...answer,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
    ...(matched && { matched: { edge: matched.edge, left: matched.leftMs } }),
  };
}

async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch {
    return undefined;
  }
}
