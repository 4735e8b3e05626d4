import type { RouteChanged } from '#schemas/messages.js';
import type { ServerFrame } from '#schemas/nav-stream.js';

type Reroute = Extract<ServerFrame, { readonly type: 'reroute' }>;

export const rerouteFrame = (change: RouteChanged, id: number): Reroute => ({
  type: 'reroute',
  id,
  navigation_id: change.navigationId,
  route: {
    polyline: change.polyline,
    distance_m: change.distanceM,
    duration_s: change.durationS,
    metric_version: change.metricVersion,
    edge_ids: [...change.edgeIds],
  },
  reason: change.reason,
  evidence: change.evidence,
  // JSON has no infinity; null says that the old route is closed.
  saves_s: Number.isFinite(change.oldDurationS) ? change.oldDurationS - change.durationS : null,
  caused_at: change.causedMs,
});
