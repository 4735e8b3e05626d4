import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { ManeuverKind } from './maneuver.js';
import { modifierOf } from './maneuver-modifier.js';
import { courseAngle } from './turn-angle.js';

export const isPushed = ({ arrays }: RoadNetwork, mode: TravelMode, edge: number): boolean =>
  mode === 'bicycling' && (arrays.flags[edge] & edgeFlag.pushing) !== 0;

/** Whether a cyclist gets off or on somewhere along the edges. */
export const dismounts = (network: RoadNetwork, mode: TravelMode, edges: Uint32Array): boolean =>
  mode === 'bicycling' &&
  edges.some((edge) => isPushed(network, mode, edge) !== isPushed(network, mode, edges[0]));

/** Where a cyclist gets off or on, if there is nothing else to say. */
export function dismountAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  if (isPushed(network, mode, from) === isPushed(network, mode, to)) return undefined;
  return { type: 'notification', modifier: modifierOf(courseAngle(network, mode, from, to)) };
}
