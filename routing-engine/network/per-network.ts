import type { RoadNetwork } from './road-network.js';

/** One for each network in this thread, made when it is first asked for. */
export function perNetwork<T extends object>(make: (network: RoadNetwork) => T): (network: RoadNetwork) => T {
  const known = new WeakMap<RoadNetwork, T>();
  return (network) => {
    let found = known.get(network);
    if (found === undefined) {
      found = make(network);
      known.set(network, found);
    }
    return found;
  };
}
