import type { LatLng } from '#schemas/units.js';
import { edgeFlag, endsOnlyBit, tollBit } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { turnDs } from '../network/turn-cost.js';
import type { RoutePath } from '../route/find-route.js';
import type { Lane } from '../route/lane.js';
import { sameName } from './road-likeness.js';
import { leavingCourse, oncomingAt } from './turn-angle.js';

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
  if ((flags & endsOnlyBit(modeIndex(mode))) !== 0) classes.push('restricted');
  if ((flags & tollBit(mode)) !== 0) classes.push('toll');
  if ((flags & edgeFlag.tunnel) !== 0) classes.push('tunnel');
  return classes.length > 0 ? { classes } : {};
}

/** Whether two roads have the same of those classes. */
export const areSameClasses = (network: RoadNetwork, mode: TravelMode, one: number, other: number): boolean =>
  ((network.arrays.flags[one] ^ network.arrays.flags[other]) & classBits(mode)) === 0;

const classBits = (mode: TravelMode): number =>
  edgeFlag.ferry | edgeFlag.motorway | endsOnlyBit(modeIndex(mode)) | tollBit(mode) | edgeFlag.tunnel;

interface Arm {
  /** Leaves the crossing, or comes to it where no direction leaves. */
  readonly edge: number;
  readonly bearingDeg: number;
  readonly entry: boolean;
  readonly isIn: boolean;
  readonly isOut: boolean;
}

const compass = (bearing: number): number => (((bearing + 256) % 256) * 360) / 256;

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
      edge: out,
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
    arms.push({ edge, bearingDeg, entry: false, isIn: edge === copyOf[from], isOut: false });
  }
  const seen = withoutCarriageways(network, mode, arms).toSorted((a, b) => a.bearingDeg - b.bearingDeg);
  return {
    location: { lat: nodeLatE7[node] / 1e7, lng: nodeLngE7[node] / 1e7 },
    bearings: seen.map(({ bearingDeg }) => bearingDeg),
    entry: seen.map(({ entry }) => entry),
    in: seen.findIndex(({ isIn }) => isIn),
    out: seen.findIndex(({ isOut }) => isOut),
    ...roadClassesOf(network, mode, to),
  };
}

/** A road that divides here is one arm, between its carriageways. */
function withoutCarriageways(network: RoadNetwork, mode: TravelMode, arms: readonly Arm[]): readonly Arm[] {
  const { reverse } = network.arrays;
  let seen = arms;
  for (const arm of arms) {
    const other = oncomingAt(network, mode, arm.edge);
    if (other === undefined) continue;
    const oncoming = arms.find(({ edge }) => edge === other || reverse[edge] === other);
    const isOfThem = (each: Arm): boolean => each === arm || each === oncoming;
    if (oncoming === undefined || isCircle(network, arm.edge, other)) continue;
    if (hasThird(network, mode, arm.edge, arms, isOfThem)) continue;
    const bearingDeg = compass(leavingCourse(network, mode, arm.edge));
    seen = [
      ...seen.filter((each) => !isOfThem(each)),
      { ...arm, bearingDeg, isIn: arm.isIn || oncoming.isIn },
    ];
  }
  return seen;
}

/** A way that comes back to where it was, unless it is an island in the road. */
const isCircle = ({ arrays: { wayId, head, tail } }: RoadNetwork, one: number, other: number): boolean =>
  wayId[one] === wayId[other] && head[one] !== tail[other];

/** Another one-way road of the same name: a road that crosses over from one carriageway to the other. */
function hasThird(
  network: RoadNetwork,
  mode: TravelMode,
  edge: number,
  arms: readonly Arm[],
  isOfThem: (arm: Arm) => boolean,
): boolean {
  const { reverse, speedKph } = network.arrays;
  const row = modeIndex(mode) * network.edgeCount;
  const third = arms.filter(
    (arm) =>
      !isOfThem(arm) &&
      sameName(network, arm.edge, edge) &&
      (reverse[arm.edge] < 0 || speedKph[row + arm.edge] === 0 || speedKph[row + reverse[arm.edge]] === 0),
  );
  return third.length % 2 === 1;
}
