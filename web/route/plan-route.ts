import type { NavAnswer } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import { ask } from '../http/ask.js';
import { navPath } from '../http/paths.js';
import { liveTrip, stopWhenOver } from '../state/navigation-state.js';
import { app, type NamedPlace, type Plan } from '../state/state.js';
import { noRoute } from './messages.js';

/** A route on the screen is requested again when the metric has changed, but not more often than this. */
const refreshEveryMs = 4_000;

let asking: AbortController | null = null;
let askedAt = 0;

const text = ({ lat, lng, placeId }: NamedPlace) =>
  placeId === undefined ? `${lat.toFixed(6)},${lng.toFixed(6)}` : `place_id:${placeId}`;

function planOf(answer: NavAnswer, before: Plan): Plan {
  if (answer.status !== 'OK' || answer.routes.length === 0) {
    return { kind: 'failed', reason: answer.reason ?? noRoute };
  }
  const chosen = before.kind === 'found' && before.chosen < answer.routes.length ? before.chosen : 0;
  return { kind: 'found', answer, chosen };
}

async function plan(start: NamedPlace, end: NamedPlace, refreshes: boolean): Promise<void> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  askedAt = Date.now();
  if (app.get().plan.kind !== 'found') app.set({ plan: { kind: 'asking' } });
  const { mode, truck, avoid } = app.get();
  const size = mode === 'truck' ? Object.entries(truck).map(([name, value]) => [name, String(value)]) : [];
  const query = new URLSearchParams({
    origin: text(start),
    destination: text(end),
    mode,
    alternatives: 'true',
    ...Object.fromEntries(size),
    ...(avoid.length === 0 ? {} : { avoid: avoid.join('|') }),
  });
  try {
    const answer = await ask<NavAnswer>(`${navPath}?${query}`, { signal: mine.signal });
    if (answer !== null && asking === mine) app.set({ plan: planOf(answer, app.get().plan) });
  } catch (cause) {
    // A route on the screen is more useful than a message that it could not be refreshed.
    if (mine.signal.aborted || refreshes) return;
    app.set({ plan: { kind: 'failed', reason: (cause as Error).message } });
  } finally {
    if (asking === mine) asking = null;
  }
}

/** The first place is the start, every further one the end. */
export function placePoint(position: Position): void {
  if (app.get().start === null) app.set({ start: position });
  else app.set({ end: position });
}

export function chooseRoute(chosen: number): void {
  const { plan: now } = app.get();
  if (now.kind === 'found') app.set({ plan: { ...now, chosen } });
}

export function clearRoute(): void {
  asking?.abort();
  app.set({
    start: null,
    end: null,
    plan: { kind: 'empty' },
    navigation: stopWhenOver(app.get().navigation),
  });
}

/** Plans when both ends are known, and again when one changes or the traffic changes. */
export function runPlanner(): void {
  const replan = (refreshes: boolean) => {
    const { start, end, navigation } = app.get();
    if (start !== null && end !== null && liveTrip(navigation) === null) void plan(start, end, refreshes);
  };
  app.watch(
    (state) => state.start,
    () => replan(false),
  );
  app.watch(
    (state) => state.end,
    () => replan(false),
  );
  app.watch(
    (state) => state.mode,
    () => replan(false),
  );
  app.watch(
    (state) => state.truck,
    () => replan(false),
  );
  app.watch(
    (state) => state.avoid,
    () => replan(false),
  );
  app.watch(
    (state) => state.status?.metric_version,
    () => {
      // A request in flight is not aborted: on a slow line no answer would ever arrive.
      const due = asking === null && Date.now() - askedAt > refreshEveryMs;
      if (app.get().plan.kind === 'found' && due) replan(true);
    },
  );
}
