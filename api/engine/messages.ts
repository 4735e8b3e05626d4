/** Texts for drivers about a route that was or was not found. */

export const noRoadNear = (mode: string, place: string, metres: number) =>
  `No road for ${mode} within ${metres} m of the ${place}.`;
export const noRouteAvoids = (avoided: readonly string[]) => `No route avoids ${avoided.join(' and ')}.`;
export const noRoute = 'No route from the origin to the destination is open now.';
export const closedAtOrigin = 'The road at the origin is closed now.';
export const closedAtDestination = 'The road at the destination is closed now.';
