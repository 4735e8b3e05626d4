import type { ArrivalTimes } from '../ports/arrival-times.js';
import type { Planner } from '../ports/planner.js';

/** The planner asks for the arrival time of every route that is driven; others go by the map. */
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
