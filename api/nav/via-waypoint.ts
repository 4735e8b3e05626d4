import type { NavRoute } from '#schemas/http/nav.js';
import type { PlannedLeg, PlannedStep } from '../ports/planner.js';

type ViaWaypoint = NonNullable<NavRoute['legs'][number]['via_waypoint']>[number];

/** Where a leg passes a place: its step, and the share of it. */
export function viaWaypoint(
  { at: { lat, lng }, metres }: PlannedLeg['passed'][number],
  steps: readonly PlannedStep[],
): ViaWaypoint {
  let left = metres;
  let index = 0;
  while (index + 1 < steps.length && left > steps[index]!.distanceM && !steps[index + 1]!.isArrival)
    left -= steps[index++]!.distanceM;
  const length = steps[index]?.distanceM ?? 0;
  return {
    location: { lat, lng },
    step_index: index,
    step_interpolation: length === 0 ? 0 : Math.min(1, Number((left / length).toFixed(4))),
  };
}
