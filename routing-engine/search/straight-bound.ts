import type { RoadNetwork } from '../network/road-network.js';
import { flatScale } from '../overlay/metric.js';

/** Upper bound of the rounding error of single precision and its sums, in metres. */
const SLACK_M = 1;

const places = new WeakMap<RoadNetwork, Float32Array>();

/** By edge of the overlay: x and y of its head, x and y of its tail, in metres from the south-west corner. */
export function borderPlaces(network: RoadNetwork): Float32Array {
  let table = places.get(network);
  if (table === undefined) {
    const { boundaryEdge, head, tail } = network.arrays;
    table = new Float32Array(4 * boundaryEdge.length);
    for (let i = 0; i < boundaryEdge.length; i++)
      table.set(
        [...flatPlace(network, head[boundaryEdge[i]]), ...flatPlace(network, tail[boundaryEdge[i]])],
        4 * i,
      );
    places.set(network, table);
  }
  return table;
}

function flatPlace(network: RoadNetwork, node: number): [x: number, y: number] {
  const { x, y } = flatScale(network);
  const [west, south] = network.bounds;
  return [
    (network.arrays.nodeLngE7[node] - west * 1e7) * x,
    (network.arrays.nodeLatE7[node] - south * 1e7) * y,
  ];
}

/** A circle around the nodes that a path may begin (end) at. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radiusM: number;
}

export function circleAround(network: RoadNetwork, nodes: readonly number[]): Circle {
  const [x, y] = flatPlace(network, nodes[0]);
  let radiusM = SLACK_M;
  for (const node of nodes) {
    const [otherX, otherY] = flatPlace(network, node);
    radiusM = Math.max(radiusM, SLACK_M + Math.hypot(otherX - x, otherY - y));
  }
  return { x, y, radiusM };
}
