import { type AvoidMask, avoidable } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { Snap } from '../snap/snap.js';
import { type AskedStop, isConnected, type StopRules, stopPlaces } from '../snap/stop-places.js';

/** What places share that are asked for together. */
export interface AskedPlaces {
  readonly metric: Metric;
  readonly stops: readonly AskedStop[];
  readonly avoid: AvoidMask;
  /** May a stop be on a ferry? */
  readonly stopsOnFerries: boolean;
}

const rulesOf = ({ avoid, stopsOnFerries }: AskedPlaces): StopRules => ({
  avoid,
  never: stopsOnFerries ? 0 : avoidable.ferries,
});

/** The nearest places of each stop; empty where there is none. */
export const nearestPlacesOf = (network: RoadNetwork, asked: AskedPlaces): Snap[][] =>
  asked.stops.map((stop) => stopPlaces(network, asked.metric, stop, rulesOf(asked)));

/**
 * The places to use where no route leads from or to the nearest: those of the largest connected part, which
 * reach one another. The nearest stay where they are on it already, or where it is out of reach.
 */
export const connectedPlaces = (
  network: RoadNetwork,
  asked: AskedPlaces,
  nearest: readonly Snap[],
  stop: number,
): readonly Snap[] => {
  const { metric, stops } = asked;
  if (isConnected(network, metric, nearest)) return nearest;
  const connected = stopPlaces(network, metric, stops[stop], { ...rulesOf(asked), part: 0 });
  return connected.length > 0 ? connected : nearest;
};
