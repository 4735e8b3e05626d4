import type { ArrivalTimes } from '../ports/arrival-times.js';
import type { Planner } from '../ports/planner.js';

/** The planner adds the predicted arrival time to every driving route; other modes use the map's times. */
export function withArrivalTimes(planner: Planner, arrivalTimes: ArrivalTimes, nowMs: () => number): Planner {
  return {
    async plan(request, options) {
      const plan = await planner.plan(request, options);
      if (plan.kind !== 'routes' || request.mode !== 'driving') return plan;
      const departMs = nowMs();
      return {
        ...plan,
        routes: plan.routes.map((route) => ({ ...route, arrival: arrivalTimes.of(route, departMs) })),
      };
    },
  };
}
