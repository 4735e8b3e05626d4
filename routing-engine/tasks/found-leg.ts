import type { LatLng } from '#schemas/units.js';
import { areSameClasses, type Crossing, crossingAt, roadClassesOf } from '../guidance/crossing.js';
import { guide, type RouteStep } from '../guidance/guide.js';
import { lanesAlong } from '../guidance/lanes-along.js';
import { isRenamed } from '../guidance/road-likeness.js';
import { bearingDeg, distanceM } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import { freeFlowUnder, type Metric } from '../overlay/metric.js';
import type { RoutePath } from '../route/find-route.js';
import type { Lane } from '../route/lane.js';
import { type PathGeometry, pathGeometry } from '../route/path-geometry.js';
import { type PathNodes, pathNodes } from '../route/path-nodes.js';
import { roadMsAt, shareOf } from '../route/path-times.js';
import { summaryOf } from './route-task.js';

/** A route from one stop to the next, with the requested details. */
export interface FoundLeg {
  readonly distanceM: number;
  readonly durationS: number;
  /** Names of the two roads that most of the route is on, in the order of travel; may be empty. */
  readonly summary: string;
  /** [lng, lat, …] in degrees; two points at least. */
  readonly lngLat: Float64Array;
  /** Empty unless a language was given. */
  readonly steps: readonly LegStep[];
  readonly annotation?: LegAnnotation;
}

export type LegStep = Omit<RouteStep, 'htmlInstruction' | 'edgeFrom' | 'edgeTo' | 'edgeBehind'> & {
  /** The first is where the step begins. */
  readonly crossings: readonly Crossing[];
};

/** By pair of neighbouring points of the leg. */
export interface LegAnnotation {
  readonly distanceM: Float64Array;
  /** Without turns. */
  readonly durationS: Float64Array;
  /** 1 where the time is a live one. */
  readonly isLive: Uint8Array;
  /** Where they were requested: one more than there are pairs. */
  readonly nodes?: PathNodes;
}

export interface LegOptions {
  readonly metric: Metric;
  readonly language?: string;
  readonly annotate: boolean;
  /** With `annotate`: the nodes of OpenStreetMap too. */
  readonly withNodes?: boolean;
}

export function foundLeg(
  network: RoadNetwork,
  { metric, language, annotate, withNodes = false }: LegOptions,
  path: RoutePath,
  arrivalSide: 'left' | 'right' | undefined,
): FoundLeg {
  const geometry = pathGeometry(network, path);
  const guidance = { ...(language === undefined ? {} : { language }), ...(arrivalSide && { arrivalSide }) };
  const steps = language === undefined ? [] : guide(network, metric, path, geometry, guidance);
  const lanes = lanesAlong(network, metric.mode, path.edges, steps);
  return {
    distanceM: path.lengthM,
    durationS: path.durationMs / 1_000,
    summary: summaryOf(network, path, 2),
    lngLat: lineOf(geometry),
    steps: steps.map((step) => legStep(network, metric, path, geometry, step, lanes)),
    ...(annotate
      ? {
          annotation: {
            ...annotationOf(network, metric, path, geometry),
            ...(withNodes ? { nodes: pathNodes(network, path) } : {}),
          },
        }
      : {}),
  };
}

/**
 * A copy, since the points are a part of a larger array; a route of no length is a line between two equal
 * points.
 */
const lineOf = ({ lngLat }: PathGeometry): Float64Array =>
  lngLat.length > 2 ? lngLat.slice() : Float64Array.of(...lngLat, ...lngLat);

function legStep(
  network: RoadNetwork,
  metric: Metric,
  path: RoutePath,
  geometry: PathGeometry,
  { htmlInstruction: _, edgeFrom, edgeTo, edgeBehind: _behind, ...step }: RouteStep,
  lanesAt: ReadonlyMap<number, readonly Lane[]>,
): LegStep {
  if (step.maneuver.type === 'arrive') {
    const bearing = directionAt(network, path, geometry, 'end');
    return {
      ...step,
      maneuver: { ...step.maneuver, bearingBefore: bearing },
      crossings: [{ ...endOfRoad(step.maneuver.location, (bearing + 180) % 360), in: 0 }],
    };
  }
  const lanesOf = (at: number): Pick<Crossing, 'lanes'> => {
    const lanes = lanesAt.get(at);
    return lanes === undefined ? {} : { lanes };
  };
  const further: Crossing[] = [];
  // A route that begins at a crossing does not pass it.
  const first =
    edgeFrom === 0 && network.edgeLengthM(path.edges[0]) * shareOf(path, 0) < 1 ? 2 : edgeFrom + 1;
  for (let at = first; at < edgeTo; at++) {
    const crossing = crossingAt(network, metric.mode, path, at);
    const [from, to] = path.edges.subarray(at - 1, at + 1);
    const isRoad =
      crossing.bearings.length <= 2 &&
      !isRenamed(network, from, to) &&
      areSameClasses(network, metric.mode, from, to);
    if (!isRoad) further.push({ ...crossing, ...lanesOf(at) });
  }
  if (edgeFrom > 0)
    return {
      ...step,
      crossings: [{ ...crossingAt(network, metric.mode, path, edgeFrom), ...lanesOf(edgeFrom) }, ...further],
    };
  const bearing = directionAt(network, path, geometry, 'start');
  return {
    ...step,
    maneuver: { ...step.maneuver, bearingAfter: bearing },
    crossings: [
      {
        ...endOfRoad(step.maneuver.location, bearing),
        out: 0,
        ...roadClassesOf(network, metric.mode, path.edges[0]),
      },
      ...further,
    ],
  };
}

/** A route begins and ends in the middle of a road; OSRM reports only the direction of travel there. */
const endOfRoad = (location: LatLng, bearing: number): Pick<Crossing, 'location' | 'bearings' | 'entry'> => ({
  location,
  bearings: [bearing],
  entry: [true],
});

/** Compass degrees in which a route sets out or arrives: those of its line there. */
function directionAt(
  { arrays }: RoadNetwork,
  { edges }: RoutePath,
  { lngLat, edgeStart }: PathGeometry,
  which: 'start' | 'end',
): number {
  const last = edges.length - 1;
  const [first, end] =
    which === 'start' ? [edgeStart[0], edgeStart[1]] : [edgeStart[last], edgeStart[last + 1]];
  // Nothing of the edge is travelled: the route stands at one of its ends.
  if (first === end)
    return ((which === 'start' ? arrays.bearingIn[edges[0]] : arrays.bearingOut[edges[last]]) * 360) / 256;
  const from = which === 'start' ? first : end - 1;
  const [lng, lat, nextLng, nextLat] = lngLat.subarray(2 * from, 2 * from + 4);
  return bearingDeg(lng, lat, nextLng, nextLat);
}

function annotationOf(
  network: RoadNetwork,
  metric: Metric,
  path: RoutePath,
  { lngLat, edgeStart }: PathGeometry,
): LegAnnotation {
  const pairs = Math.max(1, lngLat.length / 2 - 1);
  const distances = new Float64Array(pairs);
  const durationS = new Float64Array(pairs);
  const isLive = new Uint8Array(pairs);
  for (let at = 0; at < path.edges.length; at++) {
    const [first, end] = [edgeStart[at], edgeStart[at + 1]];
    let total = 0;
    for (let pair = first; pair < end; pair++) {
      const [lng, lat, nextLng, nextLat] = lngLat.subarray(2 * pair, 2 * pair + 4);
      distances[pair] = distanceM(lng, lat, nextLng, nextLat);
      total += distances[pair];
    }
    const edge = path.edges[at];
    const secondsPerM = total === 0 ? 0 : roadMsAt(network, metric, path, at) / 1_000 / total;
    const live = metric.costMs[edge] === freeFlowUnder(network, metric, edge) ? 0 : 1;
    for (let pair = first; pair < end; pair++) {
      durationS[pair] = distances[pair] * secondsPerM;
      isLive[pair] = live;
    }
  }
  return { distanceM: distances, durationS, isLive };
}
