import type { Metrics } from '#platform/telemetry/metrics.js';
import { traced } from '#platform/telemetry/tracing.js';
import type { PushDelays } from '../status/push-delays.js';
import type { NavigationStore } from './navigation-store.js';
import type { RouteDecision } from './route-decision.js';
import { type SessionLog, writeUnwritten } from './session-log.js';

export interface PushDeps {
  readonly book: NavigationStore;
  readonly append: SessionLog;
  readonly delays: PushDelays;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/**
 * Handles better routes: sends frames to the users' sockets immediately, then writes the records of the
 * navigations in a batch.
 */
export function pushReroutes(deps: PushDeps) {
  const push = pushFrames(deps);
  return async (changes: readonly RouteDecision[]): Promise<void> => {
    push(changes);
    // Also for a known route: its record may have failed to reach the log the last time.
    await writeUnwritten(
      deps,
      changes.map(({ navigationId }) => navigationId),
    );
  };
}

export function pushFrames({ book, delays, metrics, nowMs }: Omit<PushDeps, 'append'>) {
  const pushed = metrics.counter('reroutes_pushed_total', 'Reroute frames sent.');
  const unreachable = metrics.counter(
    'unreachable_pushed_total',
    'Frames sent that say that the destination is unreachable.',
  );
  return (changes: readonly RouteDecision[]): void => {
    let sinks = 0;
    const outcomes = traced('push reroutes', { kind: 'producer' }, () => book.rerouteAll(changes));
    const sentMs = nowMs();
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'news' || outcome.sinks === 0) continue;
      if (changes[i]!.unreachable) {
        unreachable.add(outcome.sinks);
        continue;
      }
      sinks += outcome.sinks;
      delays.observe(Math.max(0, sentMs - changes[i]!.causedMs));
    }
    if (sinks > 0) pushed.add(sinks);
  };
}
