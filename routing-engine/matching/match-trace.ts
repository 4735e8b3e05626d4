import { metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { cutLine } from '../route/path-geometry.js';
import { Projection, projectInto } from '../snap/project.js';
import { OnlineMatcher } from './online-matcher.js';
import type { MatchedStep, TracePoint } from './trace-point.js';

/** A part of a directed edge that was driven, as fractions of its length. */
export interface Stretch {
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}

/** A drive without a break. */
export interface Matching {
  /** In the order of driving; each begins where the previous one ends. */
  readonly stretches: readonly Stretch[];
  readonly lengthM: number;
  /**
   * 0 to 1: the likelihood of the points beside that of points without any error, per point and as a
   * geometric mean.
   */
  readonly confidence: number;
}

export interface MatchedPlace {
  /** Index into the matchings. */
  readonly matching: number;
  readonly edge: number;
  readonly fraction: number;
  /** The point moved onto the road, and how far that was. */
  readonly lng: number;
  readonly lat: number;
  readonly distanceM: number;
}

export interface MatchedTrace {
  readonly matchings: readonly Matching[];
  /** One for each point; null where it is off all roads, out of order, or alone. */
  readonly places: readonly (MatchedPlace | null)[];
}

export interface MatchTraceOptions {
  /** Points further apart in time begin another matching. Default 120 s. */
  readonly gapMaxMs?: number;
}

const gapMaxDefaultMs = 120_000;

/**
 * Matches complete traces: every point is decided with all later points. Keeps the followed paths for the
 * next trace.
 */
export class TraceMatcher {
  readonly #network: RoadNetwork;
  readonly #matcher: OnlineMatcher;

  constructor(network: RoadNetwork, mode: TravelMode) {
    this.#network = network;
    this.#matcher = new OnlineMatcher(network, { mode, boundedLag: false });
  }

  match(points: readonly TracePoint[], { gapMaxMs = gapMaxDefaultMs }: MatchTraceOptions = {}): MatchedTrace {
    const matcher = this.#matcher;
    const steps: MatchedStep[] = [];
    /** [points] the index of the used point that represents it; -1 for one out of order. */
    const standsFor = new Int32Array(points.length);
    let looked = -1;
    let newestMs = Number.NEGATIVE_INFINITY;
    matcher.begin();
    for (let i = 0; i < points.length; i++) {
      const point = points[i];
      if (point.timeMs - newestMs > gapMaxMs) {
        matcher.finish();
        steps.push(...matcher.decided);
      }
      if (point.timeMs > newestMs) {
        newestMs = point.timeMs;
        const next = points[i + 1];
        matcher.add(point, next === undefined || next.timeMs - newestMs > gapMaxMs);
        if (matcher.lastMs === point.timeMs) looked++;
        standsFor[i] = looked;
        for (const step of matcher.decided) steps.push(step);
      } else standsFor[i] = -1;
    }
    matcher.finish();
    for (const step of matcher.decided) steps.push(step);
    return assemble(this.#network, points, steps, standsFor);
  }
}

function assemble(
  network: RoadNetwork,
  points: readonly TracePoint[],
  steps: readonly MatchedStep[],
  standsFor: Int32Array,
): MatchedTrace {
  const matchings: Matching[] = [];
  /** [steps] */
  const matchingOf = new Int32Array(steps.length).fill(-1);
  let drive: Drive | undefined;
  const close = (): void => {
    const done = drive?.finish();
    // A single point gives a place, but no path.
    if (done !== undefined) matchings.push(done);
    else
      for (let i = 0; i < matchingOf.length; i++) if (matchingOf[i] === matchings.length) matchingOf[i] = -1;
    drive = undefined;
  };
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (step.edge < 0) {
      close();
      continue;
    }
    if (drive === undefined || step.path === undefined) {
      close();
      drive = new Drive(network, step);
    } else drive.follow(step, step.path);
    matchingOf[i] = matchings.length;
  }
  close();
  return { matchings, places: placesOf(network, points, steps, standsFor, matchingOf) };
}

/** Gathers one matching. */
class Drive {
  readonly #network: RoadNetwork;
  readonly #stretches: Stretch[] = [];
  #edge: number;
  #from: number;
  #to: number;
  #lengthM = 0;
  #logLikelihood = 0;
  #steps = 0;

  constructor(network: RoadNetwork, { edge, fraction }: MatchedStep) {
    this.#network = network;
    this.#edge = edge;
    this.#from = fraction;
    this.#to = fraction;
  }

  follow(step: MatchedStep, path: readonly number[]): void {
    const { edge, fraction } = step;
    if (path.length === 2 && this.#network.arrays.reverse[path[0]] === edge) {
      // The driver turned round in the road, at the latest place where they were seen.
      const turn = Math.max(this.#to, 1 - fraction);
      this.#leave(turn);
      this.#edge = edge;
      this.#from = 1 - turn;
    } else
      for (let i = 1; i < path.length; i++) {
        this.#leave(1);
        this.#edge = path[i];
        this.#from = 0;
      }
    this.#to = fraction;
    this.#logLikelihood -= step.cost;
    this.#steps++;
  }

  finish(): Matching | undefined {
    if (this.#steps === 0) return undefined;
    this.#leave(this.#to);
    return {
      stretches: this.#stretches,
      lengthM: this.#lengthM,
      confidence: Math.exp(this.#logLikelihood / this.#steps),
    };
  }

  #leave(at: number): void {
    this.#stretches.push({ edge: this.#edge, from: this.#from, to: at });
    this.#lengthM += (at - this.#from) * this.#network.edgeLengthM(this.#edge);
  }
}

/** Skipped points are placed on the path between the points around them. */
function placesOf(
  network: RoadNetwork,
  points: readonly TracePoint[],
  steps: readonly MatchedStep[],
  standsFor: Int32Array,
  matchingOf: Int32Array,
): (MatchedPlace | null)[] {
  const place = new Projection();
  return points.map((point, i) => {
    const at = standsFor[i];
    const step = steps[at];
    if (at < 0 || matchingOf[at] < 0) return null;
    const perLat = metersPerDegree / 1e7;
    const perLng = metersPerLngDegree(point.latE7 / 1e7) / 1e7;
    const project = (edge: number): void =>
      projectInto(place, network, edge, point.lngE7, point.latE7, perLng, perLat);
    if (step.timeMs === point.timeMs) {
      project(step.edge);
      return placed(matchingOf[at], step.edge, step.fraction, place);
    }
    const next = steps[at + 1];
    const path = next !== undefined && matchingOf[at + 1] === matchingOf[at] ? next.path! : [step.edge];
    let best: MatchedPlace | undefined;
    for (let w = 0; w < path.length; w++) {
      project(path[w]);
      const from = w === 0 ? step.fraction : 0;
      const to = w === path.length - 1 && path.length > 1 ? next!.fraction : 1;
      const fraction = Math.max(from, Math.min(to, place.fraction));
      if (best === undefined || Math.sqrt(place.squareM) < best.distanceM)
        best = placed(matchingOf[at], path[w], fraction, place);
    }
    return best!;
  });
}

const placed = (
  matching: number,
  edge: number,
  fraction: number,
  { lngE7, latE7, squareM }: Projection,
): MatchedPlace => ({
  matching,
  edge,
  fraction,
  lng: lngE7 / 1e7,
  lat: latE7 / 1e7,
  distanceM: Math.sqrt(squareM),
});

/** [lng, lat, lng, lat, …] in degrees along the sections, no point twice in a row. */
export function stretchGeometry(network: RoadNetwork, stretches: readonly Stretch[]): number[] {
  const points: number[] = [];
  for (const { edge, from, to } of stretches) {
    const whole = network.edgeGeometry(edge);
    const line = from <= 0 && to >= 1 ? whole : cutLine(whole, from, to);
    for (let p = 0; p < line.length; p += 2) {
      const end = points.length;
      if (end === 0 || points[end - 2] !== line[p] || points[end - 1] !== line[p + 1])
        points.push(line[p], line[p + 1]);
    }
  }
  return points;
}
