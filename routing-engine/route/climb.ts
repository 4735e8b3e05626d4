import type { RoadNetwork } from '../network/road-network.js';
import type { RoutePath } from './find-route.js';
import { shareOf } from './path-times.js';

/** What the slopes that the map states add up to, metres. */
export interface Climb {
  readonly upM: number;
  readonly downM: number;
  /** Of the route, on roads whose slope is stated. */
  readonly statedM: number;
}

/** `undefined` where the map states no slope on the path. */
export function climbOf(network: RoadNetwork, path: RoutePath): Climb | undefined {
  let [upM, downM, statedM] = [0, 0, 0];
  for (let at = 0; at < path.edges.length; at++) {
    const percent = network.edgeSlopePercent(path.edges[at]);
    if (percent === undefined) continue;
    const alongM = network.edgeLengthM(path.edges[at]) * shareOf(path, at);
    // Lengths are measured on the map, so a slope is its rise over them.
    const rise = (alongM * percent) / 100;
    statedM += alongM;
    if (rise > 0) upM += rise;
    else downM -= rise;
  }
  return statedM === 0 ? undefined : { upM, downM, statedM };
}
