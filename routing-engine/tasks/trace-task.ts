import { E7, type LatLng } from '#schemas/units.js';
import { type PointDrive, pointMatcherFor } from '../matching/point-matcher.js';
import type { MatchedStep, RoadRule, TracePoint } from '../matching/trace-point.js';
import { strideM } from '../matching/transition.js';
import { distanceM } from '../network/earth.js';
import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { cutLine } from '../route/path-geometry.js';
import type { FoundStop } from '../snap/found-stop.js';
import { type AskedStop, pieceOfHint, sideOf } from '../snap/stop-places.js';
import { drivenLegs } from './driven-legs.js';
import { describeLegs, type FoundThrough, type LegDetails } from './found-through.js';

/** A recorded trace to be matched and described as a route, for a routing worker. Structured-cloneable. */
export interface TraceTask extends LegDetails {
  readonly metric: Metric;
  /** Up to `limits.stopsMax`, in the order of driving. */
  readonly points: readonly AskedPoint[];
  /** A longer pause breaks a drive. */
  readonly gapMaxMs: number;
  /**
   * Points at which a leg ends, in order, from the first to the last: there is one drive through all of them
   * or none. Absent: a leg ends at each point.
   */
  readonly legEnds?: readonly number[];
  readonly avoid: AvoidMask;
}

/** A point; `maxMeters` does not count, because the accuracy says how far a road may be. */
export interface AskedPoint extends AskedStop {
  /** Ascending. */
  readonly timeMs: number;
  readonly accuracyM: number;
}

export type TraceOutcome = { readonly metricVersion: number } & (
  | {
      readonly status: 'ok';
      readonly drivingSide: 'left' | 'right';
      readonly drives: readonly FoundDrive[];
      /** One for each point; null where it is in no drive. */
      readonly places: readonly (TracePlace | null)[];
    }
  | { readonly status: 'no-match'; readonly reason: NoMatch }
);

/** `waypoints`: there is not one drive through all ends of legs. */
export type NoMatch = 'no-road' | 'no-drive' | 'waypoints';

export interface FoundDrive extends FoundThrough {
  /**
   * 0 to 1: how near the points are to the roads, by the geometric mean of their likelihood beside that of
   * points on the road, times how well the lengths of trace and drive agree, the shorter over the longer.
   */
  readonly confidence: number;
}

export interface TracePlace extends FoundStop {
  /** Index among the drives. */
  readonly drive: number;
  /** Index among the ends of its legs; null where no leg ends. */
  readonly waypoint: number | null;
  /** Other roads that it may be on. */
  readonly alternatives: number;
}

/** A driven place is on the road, not beside it. */
const onRoad = { side: 'on' } as const;

/** Matches a trace, and describes its drives. */
export function answerTraceTask(network: RoadNetwork, task: TraceTask): TraceOutcome {
  const { metric, avoid, gapMaxMs, legEnds } = task;
  const metricVersion = metric.version;
  const failed = (reason: NoMatch): TraceOutcome => ({ status: 'no-match', metricVersion, reason });
  const matcher = pointMatcherFor(network, { mode: metric.mode, avoid });
  const points = task.points.map((asked) => {
    const hinted = tracePoint(network, asked, pieceOfHint(network, asked));
    // A hint counts only as far as its road is near.
    return hinted.only?.piece === undefined || matcher.hasRoad(hinted) ? hinted : tracePoint(network, asked);
  });
  const drives = matcher.match(points, gapMaxMs);
  if (drives.length === 0)
    return failed(points.some((each) => matcher.hasRoad(each)) ? 'no-drive' : 'no-road');
  if (legEnds !== undefined && drives.length > 1) return failed('waypoints');
  const found: FoundDrive[] = [];
  const places: (TracePlace | null)[] = points.map(() => null);
  for (const [number, drive] of drives.entries()) {
    const paths = drivenLegs(network, metric, drive, legEnds);
    if (paths === undefined) return failed('waypoints');
    const legs = paths.map((path) => ({ path, goal: onRoad }));
    for (const [at, { index, step }] of drive.entries()) {
      const waypoint = legEnds === undefined ? at : legEnds.indexOf(index);
      places[index] = {
        ...placeOf(network, task.points[index].point, step),
        drive: number,
        waypoint: waypoint < 0 ? null : waypoint,
        alternatives: step.alternatives,
      };
    }
    const lengthM = paths.reduce((sum, path) => sum + path.lengthM, 0);
    found.push({ ...describeLegs(network, task, legs), confidence: confidenceOf(drive, places, lengthM) });
  }
  return { status: 'ok', metricVersion, drivingSide: network.meta.drivingSide, drives: found, places };
}

function confidenceOf(drive: PointDrive, places: readonly (TracePlace | null)[], lengthM: number): number {
  const errors = drive.map(({ index, step }) => (places[index]!.distanceM / step.sigmaM) ** 2 / 2);
  const straight = drive.map(({ step }, i) => {
    const { step: before } = drive[Math.max(0, i - 1)];
    return strideM(before.lngE7, before.latE7, step.lngE7, step.latE7);
  });
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
  const traceM = sum(straight);
  const longer = Math.max(traceM, lengthM);
  const agreement = longer < standingM ? 1 : Math.min(traceM, lengthM) / longer;
  return Math.exp(-sum(errors) / errors.length) * agreement;
}

/** Lengths below this say nothing. */
const standingM = 1;

function tracePoint(network: RoadNetwork, asked: AskedPoint, piece?: number): TracePoint {
  const { point, timeMs, accuracyM, heading } = asked;
  const side = sideOf(network, asked);
  const only: RoadRule = {
    ...(heading === undefined ? {} : { heading }),
    ...(side === undefined ? {} : { side }),
    ...(piece === undefined ? {} : { piece }),
  };
  return {
    latE7: Math.round(point.lat * E7),
    lngE7: Math.round(point.lng * E7),
    timeMs,
    accuracyM,
    ...(Object.keys(only).length === 0 ? {} : { only }),
  };
}

function placeOf(network: RoadNetwork, asked: LatLng, { edge, fraction }: MatchedStep): FoundStop {
  const [lng, lat] = cutLine(network.edgeGeometry(edge), fraction, fraction) as [number, number];
  return {
    point: { lat, lng },
    distanceM: distanceM(lng, lat, asked.lng, asked.lat),
    name: network.edgeName(edge),
    edgeId: network.edgeId(edge),
    isMoved: false,
  };
}
