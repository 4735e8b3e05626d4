import type { LatLng } from '#schemas/units.js';
import { guide, type RouteStep } from '../guidance/guide.js';
import { lanesAlong } from '../guidance/lanes-along.js';
import { distanceM } from '../network/earth.js';
import type { AvoidMask } from '../network/edge-flags.js';
import { EncodedLine } from '../network/polyline.js';
import type { RoadNetwork } from '../network/road-network.js';
import { freeFlowUnder, type Metric } from '../overlay/metric.js';
import { type Climb, climbOf } from '../route/climb.js';
import { findNear, type UsedEnd } from '../route/find-near.js';
import type { RoutePath } from '../route/find-route.js';
import type { Lane } from '../route/lane.js';
import { cutLine, pathGeometry } from '../route/path-geometry.js';
import { freeFlowOf } from '../route/path-times.js';
import { type AskedEnd, placeOnEdge } from '../snap/nearest-places.js';
import type { Snap } from '../snap/snap.js';
import { endWarnings } from './end-warnings.js';

/** A place, or a position on the network as a driver has one. */
export type TaskEnd =
  | { readonly point: LatLng; readonly headingDeg?: number }
  | {
      readonly edge: number;
      readonly fraction: number;
      /** The requested place, if it is beside the road. */
      readonly beside?: LatLng;
      /** For a place beside the road: the other direction of the same road can be used too. */
      readonly eitherWay?: { readonly side: Snap['side'] };
    };

/** One query to a routing worker. Structured-cloneable; the metric's memory is shared, not copied. */
export interface RouteTask {
  readonly metric: Metric;
  readonly from: TaskEnd;
  readonly to: TaskEnd;
  readonly avoid: AvoidMask;
  /** Routes beside the best one, at most. */
  readonly alternatives: number;
  /** A language code: steps are made. Absent: none. */
  readonly language?: string;
  /** Default 1,000 m. */
  readonly snapMaxMeters?: number;
}

export interface FoundRoute {
  readonly path: RoutePath;
  /** Free-flow milliseconds of the same route. */
  readonly freeFlowMs: number;
  /** Edges whose cost differs from free flow. */
  readonly liveEdges: number;
  /** Encoded, precision 5. */
  readonly polyline: string;
  /** Name of the road that most of the route is on; may be empty. */
  readonly summary: string;
  /** Absent where the map states no slopes, and without steps. */
  readonly climb?: Climb;
  /** Empty unless a language was given. */
  readonly steps: readonly FoundStep[];
}

/** A step without its places in the path: only fields that the receiving thread reads are transferred. */
export type FoundStep = Pick<
  RouteStep,
  'distanceM' | 'durationS' | 'name' | 'ref' | 'mode' | 'maneuver' | 'instruction' | 'htmlInstruction'
> & {
  /** Encoded, precision 5. */
  readonly polyline: string;
  /** Before the maneuver; absent if they are not known. */
  readonly lanes?: readonly Lane[];
};

export type RouteTaskOutcome =
  | {
      readonly status: 'ok';
      readonly metricVersion: number;
      readonly origin: UsedEnd;
      readonly destination: UsedEnd;
      /** Sentences about ends that are far from the requested places. */
      readonly warnings: readonly string[];
      /** Best first, never empty. */
      readonly routes: readonly FoundRoute[];
    }
  | {
      readonly status: 'no-route';
      readonly metricVersion: number;
      readonly reason: 'unreachable' | 'avoided';
      readonly origin: UsedEnd;
      readonly destination: UsedEnd;
    }
  | {
      readonly status: 'no-snap';
      readonly metricVersion: number;
      readonly missing: 'origin' | 'destination';
    };

const SNAP_MAX_METERS = 1_000;
const privateRoads =
  'No public road leads there: a part of this route is private, and you may need permission.';

/** Snaps, searches, and describes: all computation between a request and its answer. */
export function answerRouteTask(network: RoadNetwork, task: RouteTask): RouteTaskOutcome {
  const { metric, avoid } = task;
  const metricVersion = metric.version;
  const found = findNear(network, metric, {
    from: askedEnd(network, metric, task.from),
    to: askedEnd(network, metric, task.to),
    avoid,
    maxMeters: task.snapMaxMeters ?? SNAP_MAX_METERS,
    count: 1 + task.alternatives,
  });
  if (found.status === 'no-snap') return { status: 'no-snap', metricVersion, missing: found.missing };
  const ends = { origin: found.from, destination: found.to };
  if (found.status === 'no-route') {
    const turned = found.reason === 'unreachable' ? turnedRound(task.from) : undefined;
    if (turned !== undefined) return answerRouteTask(network, { ...task, from: turned });
    return { status: 'no-route', metricVersion, reason: found.reason, ...ends };
  }
  return {
    ...{ status: 'ok', metricVersion },
    ...ends,
    warnings: [
      ...endWarnings(ends, metric.mode, avoid),
      ...(found.paths[0].throughPrivate ? [privateRoads] : []),
    ],
    routes: found.paths.map((path) => describeRoute(network, task, path, found.goals)),
  };
}

const askedEnd = (network: RoadNetwork, metric: Metric, end: TaskEnd): AskedEnd =>
  'edge' in end ? { fixed: placesOn(network, metric, end) } : end;

/**
 * If every road ahead of a driver is closed, the route turns round on the road. Undefined if either
 * direction was allowed already.
 */
function turnedRound(from: TaskEnd): TaskEnd | undefined {
  if ('edge' in from)
    return from.eitherWay === undefined ? { ...from, eitherWay: { side: 'on' } } : undefined;
  return from.headingDeg === undefined ? undefined : { point: from.point };
}

/** The place itself and, if either direction can be used, the same place on the other one. */
function placesOn(
  network: RoadNetwork,
  { mode }: Metric,
  { edge, fraction, beside, eitherWay }: Extract<TaskEnd, { readonly edge: number }>,
): Snap[] {
  const place = placeOn(network, edge, fraction, beside);
  if (eitherWay === undefined) return [place];
  const { side } = eitherWay;
  const along = { ...place, side };
  const reverse = network.reverseOf(edge);
  if (reverse === undefined || network.freeFlowKph(reverse, mode) === 0) return [along];
  return [along, { ...along, edge: reverse, fraction: 1 - fraction, side: opposite[side] }];
}

const opposite = { left: 'right', right: 'left', on: 'on' } as const;

function placeOn(network: RoadNetwork, edge: number, fraction: number, beside: LatLng | undefined): Snap {
  if (!(edge >= 0 && edge < network.edgeCount && fraction >= 0 && fraction <= 1))
    throw new RangeError(`there is no place at ${fraction} of edge ${edge}`);
  const [lng, lat] = cutLine(network.edgeGeometry(edge), fraction, fraction);
  const awayM = beside === undefined ? 0 : distanceM(lng, lat, beside.lng, beside.lat);
  return { edge, fraction, side: 'on', point: { lat, lng }, distanceM: awayM };
}

/** What a driver needs of a path that ends at one of these places. */
export function describeRoute(
  network: RoadNetwork,
  task: Pick<RouteTask, 'metric' | 'language'>,
  path: RoutePath,
  goals: readonly Snap[],
): FoundRoute {
  const { metric, language } = task;
  const geometry = pathGeometry(network, path);
  const line = new EncodedLine(geometry.lngLat);
  const { side } = placeOnEdge(network, goals, path.edges[path.edges.length - 1]);
  const arrival = side === 'on' ? {} : { arrivalSide: side };
  const steps =
    language === undefined ? [] : guide(network, metric, path, geometry, { language, ...arrival });
  const lanes = lanesAlong(network, metric.mode, path.edges, steps);
  const climb = language === undefined ? undefined : climbOf(network, path);
  let liveEdges = 0;
  for (const edge of path.edges)
    if (metric.costMs[edge] !== freeFlowUnder(network, metric, edge)) liveEdges++;
  return {
    path,
    freeFlowMs: freeFlowOf(network, metric, path),
    liveEdges,
    polyline: line.whole,
    summary: summaryOf(network, path),
    ...(climb && { climb }),
    steps: steps.map((step) => {
      const part = line.part(step.geometryFrom, step.geometryTo);
      return foundStep(step, part, lanes.get(step.edgeFrom));
    }),
  };
}

function foundStep(step: RouteStep, polyline: string, lanes: readonly Lane[] | undefined): FoundStep {
  const { distanceM, durationS, name, ref, mode, maneuver, instruction, htmlInstruction } = step;
  const found = { distanceM, durationS, name, ref, mode, maneuver, instruction, htmlInstruction, polyline };
  return lanes === undefined ? found : { ...found, lanes };
}

/** Names, or else numbers, of the roads that the path follows longest, in the order of travel. */
export function summaryOf(network: RoadNetwork, { edges }: RoutePath, count = 1): string {
  const { name, ref } = network.arrays;
  const meters = new Map<number, number>();
  for (const edge of edges) {
    const called = name[edge] || ref[edge];
    if (called !== 0) meters.set(called, (meters.get(called) ?? 0) + network.edgeLengthM(edge));
  }
  const longest = [...meters].sort(([, a], [, b]) => b - a).slice(0, count);
  const isLong = (called: number): boolean => longest.some(([each]) => each === called);
  return [...meters.keys()]
    .filter(isLong)
    .map((called) => network.nameText(called))
    .join(', ');
}
