import { edgeFlag } from './edge-flags.js';
import type { NetworkMeta } from './network-arrays.js';
import type { RoadNetwork } from './road-network.js';
import { modeIndex, type TravelMode, travelModes } from './travel-mode.js';

const byMap = new WeakMap<NetworkMeta, readonly ReadonlySet<number>[]>();

/** All edges that are open to the mode at some hours only. */
export function edgesAtHours({ meta }: Pick<RoadNetwork, 'meta'>, mode: TravelMode): ReadonlySet<number> {
  let byMode = byMap.get(meta);
  if (byMode === undefined) {
    byMode = travelModes.map((_, column) => new Set(meta.hours.flatMap(({ edges }) => edges[column])));
    byMap.set(meta, byMode);
  }
  return byMode[modeIndex(mode)];
}

/** Open to the mode at some hours only. The flag spares nearly all edges the look into the table. */
export const isAtHours = (network: RoadNetwork, edge: number, mode: TravelMode): boolean =>
  (network.arrays.flags[edge]! & edgeFlag.hours) !== 0 && edgesAtHours(network, mode).has(edge);
