import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type PathCourse, runsOf } from './path-geometry.js';

/**
 * Nodes of OpenStreetMap in the order of travel. A network has the ids of crossings; those of the points
 * between them are in tiles of their own.
 */
export interface PathNodes {
  /** 0 where the id is that of a point of a shape. */
  readonly ids: Float64Array;
  /** 1 + the number of the point among the shapes of the network; 0 where the id is known. */
  readonly points: Uint32Array;
}

/** Collects nodes. */
class NodeList {
  readonly #network: RoadNetwork;
  readonly #joinsPlaces: boolean;
  readonly #ids: number[] = [];
  readonly #points: number[] = [];
  #lngE7 = Number.NaN;
  #latE7 = Number.NaN;

  /** `joinsPlaces`: consecutive nodes at the same place are one, as the points of a line are. */
  constructor(network: RoadNetwork, joinsPlaces: boolean) {
    this.#network = network;
    this.#joinsPlaces = joinsPlaces;
  }

  /** The point of an edge's line with this place, counted from its tail. */
  add(edge: number, place: number): void {
    const { arrays } = this.#network;
    const { tail, head, piece, firstShape, flags, nodeOsmId } = arrays;
    const first = firstShape[piece[edge]];
    const end = firstShape[piece[edge] + 1];
    if (place > 0 && place <= end - first) {
      const isAgainst = (flags[edge] & edgeFlag.against) !== 0;
      const point = isAgainst ? end - place : first + place - 1;
      this.#push(0, 1 + point, arrays.shapeLngE7[point], arrays.shapeLatE7[point]);
    } else {
      const node = place === 0 ? tail[edge] : head[edge];
      this.#push(nodeOsmId[node], 0, arrays.nodeLngE7[node], arrays.nodeLatE7[node]);
    }
  }

  #push(id: number, point: number, lngE7: number, latE7: number): void {
    if (this.#joinsPlaces && lngE7 === this.#lngE7 && latE7 === this.#latE7) return;
    this.#lngE7 = lngE7;
    this.#latE7 = latE7;
    this.#ids.push(id);
    this.#points.push(point);
  }

  nodes(): PathNodes {
    return { ids: Float64Array.from(this.#ids), points: Uint32Array.from(this.#points) };
  }
}

/**
 * The nodes between which a path runs: from the one at or before its start to the one at or behind its end.
 * One more than the stretches of its line, except that a path of no length has two.
 */
export function pathNodes(network: RoadNetwork, { edges, fromFraction, toFraction }: PathCourse): PathNodes {
  const list = new NodeList(network, true);
  const last = edges.length - 1;
  for (const [at, edge] of edges.entries()) {
    const from = at === 0 ? fromFraction : 0;
    const to = at === last ? toFraction : 1;
    const [begin, end] = betweenPlaces(network, edge, from, Math.max(from, to));
    const isOnlyEnd = at === 0 ? last > 0 && from >= 1 : at === last && to <= 0;
    // An edge of which nothing is travelled adds no more than the crossing where the path goes on.
    if (isOnlyEnd) list.add(edge, at === 0 ? network.edgePoints(edge) - 1 : 0);
    else for (let place = begin; place <= end; place++) list.add(edge, place);
  }
  return list.nodes();
}

/** The two nodes between which a place of an edge lies, in its direction. */
export function nodesAround(network: RoadNetwork, edge: number, fraction: number): PathNodes {
  const list = new NodeList(network, false);
  for (const place of betweenPlaces(network, edge, fraction, fraction)) list.add(edge, place);
  return list.nodes();
}

/** Places of the points of an edge's line at or before one share of its length, and at or behind another. */
function betweenPlaces(
  network: RoadNetwork,
  edge: number,
  from: number,
  to: number,
): readonly [begin: number, end: number] {
  const runs = runsOf(network.edgeGeometry(edge));
  const last = runs.length - 1;
  let begin = 0;
  while (begin < last - 1 && runs[begin + 1] <= from * runs[last]) begin++;
  let end = Math.max(1, begin + 1);
  while (end < last && runs[end] < to * runs[last]) end++;
  return [begin, end];
}
