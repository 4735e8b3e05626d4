import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RoutePath } from '../route/find-route.js';
import type { Snap } from '../snap/snap.js';
import { type FoundLeg, foundLeg } from './found-leg.js';
import { simplifyLines } from './simplify-line.js';

/** The requested details of a route. */
export interface LegDetails {
  /** A language code: steps are made. Absent: none. */
  readonly language?: string;
  readonly annotate: boolean;
  /** With `annotate`: the nodes of OpenStreetMap too. */
  readonly withNodes?: boolean;
  readonly simplify: boolean;
}

export interface FoundThrough {
  readonly legs: readonly FoundLeg[];
  /** By leg, [lng, lat, …]: fewer points, where that was requested. */
  readonly simplified?: readonly Float64Array[];
}

/** Describes a route of legs, each with the place that it ends at. */
export function describeLegs(
  network: RoadNetwork,
  details: LegDetails & { readonly metric: Metric },
  paths: readonly { readonly path: RoutePath; readonly goal: Pick<Snap, 'side'> }[],
): FoundThrough {
  const legs = paths.map(({ path, goal: { side } }) =>
    foundLeg(network, details, path, side === 'on' ? undefined : side),
  );
  return details.simplify ? { legs, simplified: simplifyLines(legs.map(({ lngLat }) => lngLat)) } : { legs };
}
