import type { LatLng } from '#schemas/units.js';
import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { turnDs } from '../network/turn-cost.js';
import type { RoutePath } from './find-route.js';
import type { Lane } from './lane.js';

/** A place on a path where roads meet, as OSRM describes it. */
export interface Crossing {
  readonly location: LatLng;
  /** The compass degrees of the roads there, looking away from the crossing, clockwise from north. */
  readonly bearings: readonly number[];
  /** By road: may be entered from where the path comes from. */
  readonly entry: readonly boolean[];
  /** Indices in `bearings` of the road on which the path arrives and of the one on which it leaves. */
  readonly in?: number;
  readonly out?: number;
  /** OSRM's classes of the road on which the path leaves; absent if there are none. */
  readonly classes?: readonly string[];
  /** From left to right; absent if they are not known. */
  readonly lanes?: readonly Lane[];
}

/** OSRM's classes of a road, in alphabetical order. */
export function roadClassesOf(
  { arrays }: RoadNetwork,
  mode: TravelMode,
  edge: number,
): Pick<Crossing, 'classes'> {
  const flags = arrays.flags[edge];
  const classes: string[] = [];
  if ((flags & edgeFlag.ferry) !== 0) classes.push('ferry');
  if ((flags & edgeFlag.motorway) !== 0) classes.push('motorway');
  if ((flags & (edgeFlag.endsOnlyDriving << modeIndex(mode))) !== 0) classes.push('restricted');
  if ((flags & edgeFlag.toll) !== 0) classes.push('toll');
  if ((flags & edgeFlag.tunnel) !== 0) classes.push('tunnel');
  return classes.length > 0 ? { classes } : {};
}

interface Arm {
  readonly bearingDeg: number;
  readonly entry: boolean;
  readonly isIn: boolean;
  readonly isOut: boolean;
}

const compass = (bearing: number): number => ((bearing & 255) * 360) / 256;

/** The crossing in front of edge `at` of a path; `at` is at least 1. */
export function crossingAt(network: RoadNetwork, mode: TravelMode, path: RoutePath, at: number): Crossing {
  const from = path.edges[at - 1];
  const to = path.edges[at];
  const { tail, firstOut, firstIn, inEdges, copyOf, reverse, bearingIn, bearingOut } = network.arrays;
  const { speedKph, nodeLatE7, nodeLngE7 } = network.arrays;
  const row = modeIndex(mode) * network.edgeCount;
  const isOpen = (edge: number): boolean => edge >= 0 && speedKph[row + edge] > 0;
  const node = tail[to];
  const arms: Arm[] = [];
  for (let out = firstOut[node]; out < firstOut[node + 1]; out++) {
    if (copyOf[out] !== out || !(isOpen(out) || isOpen(reverse[out]))) continue;
    arms.push({
      bearingDeg: compass(bearingOut[out]),
      entry:
        isOpen(out) && network.copiesOf(out).some((edge) => turnDs(network, mode, from, edge) !== undefined),
      isIn: reverse[out] === copyOf[from],
      isOut: out === copyOf[to],
    });
  }
  for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
    const edge = inEdges[i];
    // The other direction of a road that cannot be entered here has no edge of its own.
    if (copyOf[edge] !== edge || reverse[edge] >= 0 || !isOpen(edge)) continue;
    const bearingDeg = compass(bearingIn[edge] + 128);
    arms.push({ bearingDeg, entry: false, isIn: edge === copyOf[from], isOut: false });
  }
  arms.sort((a, b) => a.bearingDeg - b.bearingDeg);
  return {
    location: { lat: nodeLatE7[node] / 1e7, lng: nodeLngE7[node] / 1e7 },
    bearings: arms.map(({ bearingDeg }) => bearingDeg),
    entry: arms.map(({ entry }) => entry),
    in: arms.findIndex(({ isIn }) => isIn),
    out: arms.findIndex(({ isOut }) => isOut),
    ...roadClassesOf(network, mode, to),
  };
}
