import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import { routeFrameOf, type WrittenFrame, writtenFrame } from './frames.js';
import * as messages from './messages.js';

/** The missed frames that a client receives: no route over a road that was closed since. */
export const replayedFrames = (
  frames: readonly WrittenFrame[],
  drawing: { openPart(route: RouteBody): RouteBody | undefined },
): readonly WrittenFrame[] =>
  frames.flatMap((frame, at) => {
    const written = routeFrameOf(frame);
    if (written === undefined) return [frame];
    const route = drawing.openPart(written.route);
    if (route?.edge_ids.length === written.route.edge_ids.length) return [frame];
    // A later decision replaces it anyway.
    return route === undefined || at < frames.length - 1 ? [] : [writtenFrame({ ...written, route })];
  });

/** The frame of a record, for a client whose missed frame is no longer kept. */
export function frameOfRecord(
  record: NavigationChanged,
  drawing: { routeOf(record: NavigationChanged): RouteBody | undefined },
): WrittenFrame | undefined {
  const head = { id: record.routeVersion, navigation_id: record.navigationId, evidence: '' };
  const caused_at = record.changedMs;
  if (record.state === navigationState.unreachable) {
    const reason = messages.unreachable;
    const metric_version = record.metricVersion;
    return writtenFrame({ ...head, type: 'unreachable', reason, metric_version, caused_at });
  }
  const route = drawing.routeOf(record);
  const reason = messages.changedMeanwhile;
  return route && writtenFrame({ ...head, type: 'reroute', route, reason, saves_s: null, caused_at });
}
