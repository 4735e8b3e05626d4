import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import { type AskedEnd, openPlaces, SAME_PLACE_M } from './nearest-places.js';
import { type NearPiece, type Snap, snapWithin } from './snap.js';

export interface MovableEnd {
  readonly asked: AskedEnd;
  readonly nearest: readonly Snap[];
}

interface Ends {
  readonly from: readonly Snap[];
  readonly to: readonly Snap[];
}

/** Does a path lead from any of these to any of those? */
type Connects = (from: readonly Snap[], to: readonly Snap[]) => boolean;

/** The first circles that are searched; each further one is four times as wide. */
const FIRST_RADIUS_M = 60;
/**
 * The roads of a strongly connected part reach one another unless closures cut it: this many of each part,
 * the nearest ones, represent the rest.
 */
const PIECES_OF_PART_MAX = 128;

/**
 * The nearest connected places of both ends: those within the least radius around both, and of these the
 * nearest of either end. No end is moved to a closed road. Undefined when no path leads between places within
 * `reachM`.
 */
export function moveEnds(
  network: RoadNetwork,
  metric: Metric,
  { from, to, avoid, reachM }: Record<'from' | 'to', MovableEnd> & { avoid: AvoidMask; reachM: number },
  connects: Connects,
): Ends | undefined {
  const around = ({ asked, nearest }: MovableEnd, radiusM: number): readonly Snap[] => {
    if ('fixed' in asked) return asked.fixed;
    const farther = placesWithin(network, metric, asked, avoid, radiusM);
    const isFarther = ({ edge }: Snap): boolean => nearest.every((place) => place.edge !== edge);
    return [...nearest, ...farther.filter(isFarther)];
  };
  for (let radiusM = Math.min(FIRST_RADIUS_M, reachM); ; radiusM = Math.min(4 * radiusM, reachM)) {
    const near = { from: around(from, radiusM), to: around(to, radiusM) };
    if (connects(near.from, near.to)) return nearestOf(near, connects);
    if (radiusM >= reachM) return undefined;
  }
}

/** For connected sets. Adding places keeps them connected, so each radius is found by bisection. */
function nearestOf({ from, to }: Ends, connects: Connects): Ends {
  const bothM = leastRadius([...from, ...to], (m) => connects(upTo(from, m), upTo(to, m)));
  const fromM = leastRadius(upTo(from, bothM), (m) => connects(upTo(from, m), upTo(to, bothM)));
  const toM = leastRadius(upTo(to, bothM), (m) => connects(upTo(from, fromM), upTo(to, m)));
  // Nearer places are not connected.
  return { from: at(from, fromM), to: at(to, toM) };
}

const upTo = (places: readonly Snap[], radiusM: number): Snap[] =>
  places.filter(({ distanceM }) => distanceM <= radiusM);
const at = (places: readonly Snap[], radiusM: number): Snap[] =>
  places.filter(({ distanceM }) => distanceM >= radiusM && distanceM <= radiusM + SAME_PLACE_M);

/** The least distance of a place at which `holds` is true; it is true at the greatest. */
function leastRadius(places: readonly Snap[], holds: (radiusM: number) => boolean): number {
  const radii = [...new Set(places.map(({ distanceM }) => distanceM))].sort((a, b) => a - b);
  let low = 0;
  let high = radii.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(radii[middle])) high = middle;
    else low = middle + 1;
  }
  return radii[low];
}

function placesWithin(
  network: RoadNetwork,
  metric: Metric,
  { point, headingDeg }: Extract<AskedEnd, { readonly point: unknown }>,
  avoid: AvoidMask,
  radiusM: number,
): readonly Snap[] {
  const heading = headingDeg === undefined ? {} : { headingDeg };
  const row = modeIndex(metric.mode) * network.edgeCount;
  const taken = new Map<number, number>();
  const isTaken = ({ snaps }: NearPiece): boolean => {
    const part = network.arrays.part[row + snaps[0].edge];
    const count = (taken.get(part) ?? 0) + 1;
    taken.set(part, count);
    return count <= PIECES_OF_PART_MAX;
  };
  const of = { mode: metric.mode, vehicle: metric.vehicle };
  const pieces = snapWithin(network, point, radiusM, { ...of, avoid, ...heading });
  const places = pieces.filter(isTaken).flatMap(({ snaps }) => snaps);
  return openPlaces(network, metric, places);
}
