import { edgesNow } from '#routing-engine/network/edges-now.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { LatLng } from '#schemas/units.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { ActiveNavigation } from './active-navigations.js';

/** A destination is snapped to the new roads within this distance. */
const destinationMetresMax = 1_000;

/**
 * Transfers a navigation from replaced roads to the current ones, from the driver's position. If an edge of
 * its route was removed, the route cannot be driven (`gone`). It is searched again in any case. Undefined if
 * the destination is not on the map.
 */
export function carryNavigation(
  navigation: ActiveNavigation,
  before: RoadNetwork,
  after: RoadNetwork,
): ActiveNavigation | undefined {
  const place = pointOn(before, navigation.edges[navigation.at]!, navigation.fraction);
  const ahead = navigation.edges.slice(navigation.at).map((edge) => edgesNow(after, before.edgeId(edge)));
  const known = ahead.flat();
  const edges = known.length > 0 ? known : nearestTo(after, navigation.destination);
  if (edges === undefined) return undefined;
  const here = ahead[0]!.map((edge) => projectOnEdge(after, edge, place));
  const at = here.reduce((best, { distanceM }, i) => (distanceM < here[best]!.distanceM ? i : best), 0);
  const { astray, ...rest } = navigation;
  const from = astray ?? (here.length === 0 ? place : undefined);
  return {
    ...rest,
    edges,
    at,
    fraction: here[at]?.fraction ?? 0,
    toFraction: projectOnEdge(after, edges.at(-1)!, navigation.destination).fraction,
    // Nothing is known yet about the route on these roads.
    slackMs: Number.POSITIVE_INFINITY,
    ...(from === undefined ? {} : { astray: from }),
    ...(ahead.every((pieces) => pieces.length > 0) ? {} : { gone: true }),
  };
}

function nearestTo(network: RoadNetwork, place: LatLng): readonly number[] | undefined {
  const found = snap(network, place, { mode: 'driving', maxMeters: destinationMetresMax, limit: 1 })[0];
  return found === undefined ? undefined : [found.edge];
}

/** On a flat map: an edge is short. */
function pointOn(network: RoadNetwork, edge: number, fraction: number): LatLng {
  const shape = network.edgeGeometry(edge);
  const lengths: number[] = [];
  const perLng = Math.cos((shape[1]! * Math.PI) / 180);
  for (let i = 2; i < shape.length; i += 2)
    lengths.push(Math.hypot((shape[i]! - shape[i - 2]!) * perLng, shape[i + 1]! - shape[i - 1]!));
  let left = fraction * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (left > length && i < lengths.length - 1) {
      left -= length;
      continue;
    }
    const share = length === 0 ? 0 : Math.min(1, left / length);
    const [lng, lat, toLng, toLat] = shape.subarray(2 * i, 2 * i + 4);
    return { lng: lng! + share * (toLng! - lng!), lat: lat! + share * (toLat! - lat!) };
  }
  return { lng: shape[0]!, lat: shape[1]! };
}
