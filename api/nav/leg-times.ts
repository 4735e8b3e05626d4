import type { NavRoute } from '#schemas/http/nav.js';
import type { PlannedLeg } from '../ports/planner.js';
import * as messages from './messages.js';

type Times = Pick<NavRoute['legs'][number], 'departure_time' | 'arrival_time'>;

/** Rounding is no delay. */
const lateMsMin = 1_000;

const time = (ms: number) => ({
  text: new Date(1_000 * Math.round(ms / 1_000)).toISOString().replace('.000Z', 'Z'),
  value: Math.round(ms / 1_000),
});

/**
 * For each leg, when to leave in order to arrive by a time, and when one arrives. No one leaves before now: a
 * warning says how late one is. Empty if no arrival was requested.
 */
export function departures(
  legs: readonly PlannedLeg[],
  { arriveByMs, nowMs }: { readonly arriveByMs?: number; readonly nowMs: number },
): { readonly legs: readonly Times[]; readonly warnings: readonly string[] } {
  if (arriveByMs === undefined) return { legs: [], warnings: [] };
  const takes = legs.map(({ route }) => 1_000 * (route.arrival?.durationS ?? route.durationS));
  const totalMs = takes.reduce((sum, ms) => sum + ms, 0);
  let atMs = Math.max(nowMs, arriveByMs - totalMs);
  const times = takes.map((ms): Times => {
    const begun = atMs;
    atMs += ms;
    return { departure_time: time(begun), arrival_time: time(atMs) };
  });
  const lateMs = atMs - arriveByMs;
  return { legs: times, warnings: lateMs < lateMsMin ? [] : [messages.late(Math.ceil(lateMs / 60_000))] };
}
