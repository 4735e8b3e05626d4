import type { ArrivalTimes } from '../ports/arrival-times.js';
import type { PlannedRoute, Planner } from '../ports/planner.js';

/** The typical traffic at a departure decides the time, and the time decides the departure. */
const departureRounds = 3;

/**
 * The planner adds the predicted arrival time to every driving route, and to each of its legs. Other modes
 * use the map's times, and so do slow vehicles: the trips that are learned from are not theirs.
 */
export function withArrivalTimes(planner: Planner, arrivalTimes: ArrivalTimes, nowMs: () => number): Planner {
  const timed = (route: PlannedRoute, departMs: number): PlannedRoute => {
    if (route.legs === undefined) return { ...route, arrival: arrivalTimes.of(route, departMs) };
    let beginMs = departMs;
    const legs = route.legs.map((leg) => {
      const arrival = arrivalTimes.of(leg.route, beginMs);
      beginMs += 1_000 * arrival.durationS;
      return { ...leg, route: { ...leg.route, arrival } };
    });
    return { ...route, legs, arrival: { durationS: (beginMs - departMs) / 1_000 } };
  };
  return {
    async plan(request, options) {
      const plan = await planner.plan(request, options);
      if (plan.kind !== 'routes' || request.mode !== 'driving' || request.topSpeedKph !== undefined)
        return plan;
      const { arriveByMs, departureMs } = request;
      const atBest = (route: PlannedRoute): PlannedRoute => {
        if (arriveByMs === undefined) return timed(route, departureMs ?? nowMs());
        let best = route;
        for (let round = 0; round < departureRounds; round++) {
          const durationS = best.arrival?.durationS ?? best.durationS;
          best = timed(route, Math.max(nowMs(), arriveByMs - 1_000 * durationS));
        }
        return best;
      };
      return { ...plan, routes: plan.routes.map(atBest) };
    },
  };
}
