import type { RunningSpan } from '#platform/telemetry/tracing.js';
import type { Forwarding } from '../proxy/forwarding.js';
import type { RequestHeaders } from './request-headers.js';

/** What is known of a request before its answer is made. */
export interface ExchangeFacts {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly forwarding: Forwarding;
  readonly requestId: string;
  /** For an id of ours, the part after `ownIdPrefix` in base 36; -1 for an id of the caller. */
  readonly ownId: number;
  readonly traceId: string;
  /** Of this request; undefined if it is not sampled. */
  readonly span?: RunningSpan | undefined;
  readonly isPage: boolean;
  /** The server is draining: the client should reconnect. */
  readonly closing: () => boolean;
}
