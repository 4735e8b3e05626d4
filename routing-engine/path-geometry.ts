import type { RoutePath } from './find-route.js';
import type { RoadNetwork } from './road-network.js';

export interface PathGeometry {
  /** [lng, lat, lng, lat, …] in degrees, from the snapped start to the snapped destination, no point twice in a row. */
  readonly lngLat: Float64Array;
  /** [edges+1] index of the point at which each edge of the path begins; the last entry is the last point. */
  readonly edgeStart: Uint32Array;
}

export function pathGeometry(network: RoadNetwork, path: RoutePath): PathGeometry {
  throw new Error('in the making');
}
