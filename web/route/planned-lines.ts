import type { LngLat } from '../geometry/line.js';
import { decodePolyline } from '../geometry/polyline.js';
import { shownRoute } from '../state/plan-parts.js';
import { app } from '../state/state.js';

interface PlannedLines {
  /** Of the route that is shown; empty without a plan. */
  readonly chosen: LngLat[];
  readonly others: LngLat[][];
}

export function plannedLines(): PlannedLines {
  const { plan } = app.get();
  if (plan.kind !== 'found') return { chosen: [], others: [] };
  const at = shownRoute(app.get());
  const lines = plan.answer.routes.map((route) => decodePolyline(route.overview_polyline.points));
  return { chosen: lines[at] ?? [], others: lines.filter((_, i) => i !== at) };
}
