import type { Metrics } from '#platform/telemetry/metrics.js';
import type { RouteChanged } from '#schemas/messages.js';
import type { PushDelays } from '../status/push-delays.js';
import type { NavigationBook } from './navigation-book.js';
import { type SessionLog, writeUnwritten } from './session-log.js';

export interface PushDeps {
  readonly book: NavigationBook;
  readonly append: SessionLog;
  readonly delays: PushDelays;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/** What becomes of each better route: a frame on the user's sockets, then the record of the navigation. */
export function pushReroutes({ book, append, delays, metrics, nowMs }: PushDeps) {
  const pushed = metrics.counter('reroutes_pushed_total', 'Reroute frames written to sockets.');
  return async (change: RouteChanged): Promise<void> => {
    const outcome = book.reroute(change);
    if (outcome.kind === 'news' && outcome.sinks > 0) {
      pushed.add(outcome.sinks);
      delays.observe(Math.max(0, nowMs() - change.causedMs));
    }
    // Also for a route that was known: its record may have failed to reach the log the time before.
    await writeUnwritten({ book, append }, change.navigationId);
  };
}
