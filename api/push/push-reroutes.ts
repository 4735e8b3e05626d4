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

/** What becomes of better routes: frames on the users' sockets at once, then the records of the navigations together. */
export function pushReroutes({ book, append, delays, metrics, nowMs }: PushDeps) {
  const pushed = metrics.counter('reroutes_pushed_total', 'Reroute frames written to sockets.');
  return async (changes: readonly RouteChanged[]): Promise<void> => {
    for (const change of changes) {
      const outcome = book.reroute(change);
      if (outcome.kind !== 'news' || outcome.sinks === 0) continue;
      pushed.add(outcome.sinks);
      delays.observe(Math.max(0, nowMs() - change.causedMs));
    }
    // Also for a route that was known: its record may have failed to reach the log the time before.
    await writeUnwritten(
      { book, append },
      changes.map(({ navigationId }) => navigationId),
    );
  };
}
