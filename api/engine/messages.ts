/** Texts for drivers about a route that was or was not found. */

export const noRoadNear = (mode: string, place: string, metres: number) =>
  `No road for ${mode} within ${metres} m of ${place}.`;
export const noRouteAvoids = (avoided: readonly string[]) => `No route avoids ${avoided.join(' and ')}.`;
export const noRoute = 'No route from the origin to the destination is open now.';
export const closedAtOrigin = 'The road at the origin is closed now.';
export const closedAtDestination = 'The road at the destination is closed now.';

export const waypoint = (number: number) => `waypoint ${number + 1}`;
export const noRouteFrom = (place: string) => `No route leads on from ${place} now.`;
export const movedStop = (place: string, metres: number) =>
  `Your route passes ${metres} m from ${place}: no route leads closer.`;
