import { edgeFlag } from '../network/edge-flags.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode, travelModes } from '../network/travel-mode.js';

export interface Ring {
  /**
   * `turn`: so small that it is driven like a crossing. `rotary`: large, with a name of its own. A ring that
   * is not closed is a `roundabout`.
   */
  readonly kind: 'roundabout' | 'rotary' | 'turn';
  /** All around from the given edge; empty if the ring is not closed. */
  readonly edges: readonly number[];
}

const EDGES_MAX = 64;
/** Radius of a ring that is driven like a crossing, at most, and of a rotary, at least. */
const SMALL_M = 15;
/** Roads that leave a ring which is driven like a crossing are this far apart, in 256ths of a turn: 60°. */
const APART = 43;
const ROADS_MAX = 4;

const known = perNetwork(() => new Map<number, Ring>());

/** The ring that an edge is a part of. */
export function ringOf(network: RoadNetwork, mode: TravelMode, edge: number): Ring {
  const rings = known(network);
  const key = edge * travelModes.length + modeIndex(mode);
  const ring = rings.get(key) ?? readRing(network, mode, edge);
  rings.set(key, ring);
  return ring;
}

function readRing(network: RoadNetwork, mode: TravelMode, first: number): Ring {
  const { head, copyOf } = network.arrays;
  const edges: number[] = [];
  let edge: number | undefined = copyOf[first];
  do {
    edges.push(edge);
    edge = nextOnRing(network, mode, edge);
  } while (edge !== undefined && edge !== edges[0] && edges.length < EDGES_MAX);
  if (edge !== edges[0]) return { kind: 'roundabout', edges: [] };
  const nodes = edges.map((each) => head[each]);
  const roads = nodes.map((node) => roadsAt(network, mode, node));
  const radiusM = edges.reduce((sum, each) => sum + network.edgeLengthM(each), 0) / (2 * Math.PI);
  return { kind: kindOf(network, edges, roads, radiusM), edges };
}

const isRing = (flags: number): boolean =>
  (flags & (edgeFlag.roundabout | edgeFlag.ferry)) === edgeFlag.roundabout;

/** Undefined where the ring ends or divides. */
function nextOnRing(network: RoadNetwork, mode: TravelMode, edge: number): number | undefined {
  const { head, firstOut, flags, copyOf, reverse, speedKph } = network.arrays;
  network.requireNode(head[edge]);
  const offset = modeIndex(mode) * network.edgeCount;
  let next: number | undefined;
  for (let out = firstOut[head[edge]]; out < firstOut[head[edge] + 1]; out++) {
    if (copyOf[out] !== out || out === reverse[edge] || !isRing(flags[out]) || speedKph[offset + out] === 0)
      continue;
    if (next !== undefined) return undefined;
    next = out;
  }
  return next;
}

/** A road beside the ring: an edge in each direction that it has. */
interface Road {
  readonly edge: number;
  /** 256ths of a turn, away from the ring. */
  readonly bearing: number;
}

function roadsAt(network: RoadNetwork, mode: TravelMode, node: number): Road[] {
  const { firstOut, firstIn, inEdges, flags, copyOf, reverse, speedKph } = network.arrays;
  const { bearingOut, bearingIn } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  const roads: Road[] = [];
  for (let out = firstOut[node]; out < firstOut[node + 1]; out++)
    if (copyOf[out] === out && !isRing(flags[out]) && speedKph[offset + out] > 0)
      roads.push({ edge: out, bearing: bearingOut[out] });
  for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
    const edge = inEdges[i];
    const isSeen = reverse[edge] >= 0 && speedKph[offset + reverse[edge]] > 0;
    if (copyOf[edge] === edge && !isRing(flags[edge]) && !isSeen && speedKph[offset + edge] > 0)
      roads.push({ edge, bearing: (bearingIn[edge] + 128) & 255 });
  }
  return roads;
}

function kindOf(
  network: RoadNetwork,
  edges: readonly number[],
  roads: readonly (readonly Road[])[],
  radiusM: number,
): Ring['kind'] {
  const nodes = roads.filter((each) => each.length > 0);
  const all = nodes.flat();
  if (radiusM > SMALL_M) {
    const names = new Set(edges.map((edge) => network.edgeName(edge)));
    const [name = ''] = names;
    const isOwn = names.size === 1 && name !== '' && !all.some(({ edge }) => network.edgeName(edge) === name);
    return isOwn ? 'rotary' : 'roundabout';
  }
  const isSimple = nodes.length <= ROADS_MAX && nodes.every((each) => each.length === 1);
  return isSimple && areApart(all) ? 'turn' : 'roundabout';
}

function areApart(roads: readonly Road[]): boolean {
  const bearings = roads.map(({ bearing }) => bearing).toSorted((a, b) => a - b);
  return bearings.every(
    (bearing, i) => ((bearing - bearings.at(i - 1)!) & 255) >= APART || roads.length === 1,
  );
}
