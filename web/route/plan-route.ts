import type { NavAnswer } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import { ask, mayPass } from '../http/ask.js';
import { navPath } from '../http/paths.js';
import { language } from '../language/language.js';
import { liveTrip, stopWhenOver } from '../state/navigation-state.js';
import { planParts } from '../state/plan-parts.js';
import { type AppState, app, type NamedPlace, type Plan, type TravelTime } from '../state/state.js';
import { noRoute } from './messages.js';
import { avoidableBy } from './travel-modes.js';

/** A route on the screen is requested again when the metric has changed, but not more often than this. */
const refreshEveryMs = 4_000;

let asking: AbortController | null = null;
let askedAt = 0;

const text = ({ lat, lng, placeId }: NamedPlace) =>
  placeId === undefined ? `${lat.toFixed(6)},${lng.toFixed(6)}` : `place_id:${placeId}`;

function planOf(answer: NavAnswer): Plan {
  if (answer.status !== 'OK' || answer.routes.length === 0) {
    return { kind: 'failed', reason: answer.reason ?? noRoute, mayPass: false };
  }
  return { kind: 'found', answer };
}

/** The query of the plan on the page. A route through stops has no alternatives. */
export function queryOf(
  start: NamedPlace,
  end: NamedPlace,
  {
    via,
    mode,
    truck,
    avoid,
    when,
    units,
  }: Pick<AppState, 'via' | 'mode' | 'truck' | 'avoid' | 'when' | 'units'>,
): URLSearchParams {
  const size = mode === 'truck' ? Object.entries(truck).map(([name, value]) => [name, String(value)]) : [];
  const avoided = avoid.filter((word) => avoidableBy[mode].includes(word));
  return new URLSearchParams({
    origin: text(start),
    destination: text(end),
    mode,
    language,
    units,
    ...(via.length === 0 ? { alternatives: 'true' } : { waypoints: via.map(text).join('|') }),
    ...Object.fromEntries(size),
    ...(avoided.length === 0 ? {} : { avoid: avoided.join('|') }),
    ...timeOf(when),
  });
}

/** The field has the time of this device; one that is being typed is not yet a time. */
function timeOf(when: TravelTime): Record<string, string> {
  if (when.kind === 'now') return {};
  const at = new Date(when.at);
  if (Number.isNaN(at.getTime())) return {};
  return { [when.kind === 'depart' ? 'departure_time' : 'arrival_time']: at.toISOString() };
}

async function plan(start: NamedPlace, end: NamedPlace, refreshes: boolean): Promise<void> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  askedAt = Date.now();
  if (!refreshes && app.get().plan.kind !== 'found') app.set({ plan: { kind: 'asking' } });
  const query = queryOf(start, end, app.get());
  try {
    const answer = await ask<NavAnswer>(`${navPath}?${query}`, { signal: mine.signal });
    if (answer !== null && asking === mine) app.set({ plan: planOf(answer) });
  } catch (cause) {
    // A route on the screen is more useful than a message that it could not be refreshed.
    if (mine.signal.aborted || refreshes) return;
    app.set({ plan: { kind: 'failed', reason: (cause as Error).message, mayPass: mayPass(cause) } });
  } finally {
    if (asking === mine) asking = null;
  }
}

/** The first place is the start, every further one the end. */
export function placePoint(position: Position): void {
  if (app.get().start === null) app.set({ start: position });
  else app.set({ end: position });
}

export function clearRoute(): void {
  asking?.abort();
  app.set({
    start: null,
    via: [],
    end: null,
    chosen: 0,
    open: null,
    plan: { kind: 'empty' },
    navigation: stopWhenOver(app.get().navigation),
  });
}

function replan(refreshes: boolean): void {
  const { start, end, navigation } = app.get();
  if (start !== null && end !== null && liveTrip(navigation) === null) void plan(start, end, refreshes);
}

/** After a failure that may pass. */
export const planAgain = (): void => replan(false);

/** Plans when both ends are known; again when one or the traffic changes, or the network is back. */
export function runPlanner(): void {
  const again = () => {
    const { start, end, plan: now } = app.get();
    if (start !== null && end !== null) return replan(false);
    asking?.abort();
    if (now.kind !== 'empty') app.set({ plan: { kind: 'empty' } });
  };
  for (const part of planParts) app.watch(part, again);
  again();
  app.watch(
    (state) => state.status?.metric_version,
    () => {
      // A request in flight is not aborted: on a slow line no answer would ever arrive.
      const due = asking === null && Date.now() - askedAt > refreshEveryMs;
      // Where no route was, a road may have been opened.
      if (app.get().plan.kind !== 'empty' && due) replan(true);
    },
  );
  app.watch(
    (state) => state.online,
    () => {
      const { online, plan: now } = app.get();
      if (online && now.kind === 'failed') replan(false);
    },
  );
}
