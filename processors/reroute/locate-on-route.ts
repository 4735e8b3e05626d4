import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { ActiveNavigation } from './active-navigations.js';
import type { RerouteSettings } from './settings.js';

/**
 * Of two places on the route at nearly the same distance, the earlier one counts: a route may cross itself.
 */
const nearlyM = 15;

export type RoutePlace = Pick<ActiveNavigation, 'at' | 'fraction' | 'astray'>;

/**
 * The position of a point on the route ahead. A driver does not go back on the route; an apparent step back
 * is the phone's error.
 */
export function locateOnRoute(
  network: RoadNetwork,
  navigation: ActiveNavigation,
  point: LatLng,
  { astrayM, lookAheadM }: Pick<RerouteSettings, 'astrayM' | 'lookAheadM'>,
): RoutePlace {
  const { edges, at, fraction } = navigation;
  let best: { readonly at: number; readonly fraction: number; readonly distanceM: number } | undefined;
  let aheadM = -fraction * network.edgeLengthM(edges[at]!);
  for (let i = at; i < edges.length && aheadM <= lookAheadM; i++) {
    const edge = edges[i]!;
    const place = projectOnEdge(network, edge, point);
    if (place.distanceM <= astrayM && (best === undefined || place.distanceM < best.distanceM - nearlyM))
      best = { at: i, fraction: place.fraction, distanceM: place.distanceM };
    aheadM += network.edgeLengthM(edge);
  }
  if (best === undefined) return { at, fraction, astray: point };
  return { at: best.at, fraction: best.at === at ? Math.max(fraction, best.fraction) : best.fraction };
}
