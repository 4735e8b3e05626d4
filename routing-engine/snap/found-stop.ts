import type { LatLng } from '#schemas/units.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Snap } from './snap.js';

/** The snapped place of a stop, as it leaves a routing thread. */
export interface FoundStop {
  readonly point: LatLng;
  /** From the place that was requested. */
  readonly distanceM: number;
  /** Of the road; may be empty. */
  readonly name: string;
  /** Stable. */
  readonly edgeId: string;
  /** No route leads from or to the nearest road. */
  readonly isMoved: boolean;
}

export const foundStop = (
  network: RoadNetwork,
  { edge, point, distanceM }: Snap,
  isMoved = false,
): FoundStop => ({
  point,
  distanceM,
  name: network.edgeName(edge),
  edgeId: network.edgeId(edge),
  isMoved,
});
