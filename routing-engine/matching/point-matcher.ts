import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { OnlineMatcher } from './online-matcher.js';
import type { MatchedStep, TracePoint } from './trace-point.js';

/** A drive without a break: at least two points. Each but the first has its path from the one before. */
export type PointDrive = readonly DrivenPoint[];

export interface DrivenPoint {
  /** Index among the points of the trace. */
  readonly index: number;
  readonly step: MatchedStep;
}

export interface PointMatcherOptions {
  readonly mode: TravelMode;
  readonly avoid: AvoidMask;
}

interface Kept extends PointMatcherOptions {
  readonly matcher: PointMatcher;
}

const kept = new WeakMap<RoadNetwork, Kept>();

/** The matcher of the last call, if that was for the same roads: it has the paths that were followed. */
export function pointMatcherFor(network: RoadNetwork, { mode, avoid }: PointMatcherOptions): PointMatcher {
  const last = kept.get(network);
  if (last?.mode === mode && last.avoid === avoid) return last.matcher;
  const matcher = new PointMatcher(network, { mode, avoid });
  kept.set(network, { mode, avoid, matcher });
  return matcher;
}

/** More consecutive points without any road near them break a drive. */
const outliersMax = 10;

/**
 * Matches complete traces whose every point counts, also those near the one before. A point that no road is
 * near, or that no drive can pass, is left out, and the drive goes on behind it. Where the drive itself
 * breaks, both sides keep all their points.
 */
export class PointMatcher {
  readonly #matcher: OnlineMatcher;

  constructor(network: RoadNetwork, options: PointMatcherOptions) {
    this.#matcher = new OnlineMatcher(network, {
      ...options,
      boundedLag: false,
      offRoad: false,
      clockErrorS: 1,
    });
  }

  /** Times ascend, and are those of whole seconds. A longer pause than `gapMaxMs` breaks a drive. */
  match(points: readonly TracePoint[], gapMaxMs: number): PointDrive[] {
    return this.#runs(points, gapMaxMs).flatMap((run) => [...this.#drives(points, run)]);
  }

  /** Whether any road is near enough to be the road of a point. */
  hasRoad(point: TracePoint): boolean {
    return this.#matcher.hasRoad(point);
  }

  /** Indices of the points with roads, in runs without long gaps. */
  #runs(points: readonly TracePoint[], gapMaxMs: number): number[][] {
    const runs: number[][] = [];
    let last: number | undefined;
    for (const [i, point] of points.entries()) {
      if (!this.#matcher.hasRoad(point)) continue;
      const goesOn =
        last !== undefined && i - last <= outliersMax + 1 && point.timeMs - points[last].timeMs <= gapMaxMs;
      if (goesOn) runs.at(-1)!.push(i);
      else runs.push([i]);
      last = i;
    }
    return runs;
  }

  /**
   * If there is no drive through all points, it grows point by point. A point that it cannot reach is left
   * out where it reaches the next one, and otherwise begins another drive.
   */
  *#drives(points: readonly TracePoint[], run: readonly number[]): Iterable<PointDrive> {
    const whole = this.#driveThrough(points, run);
    if (whole !== undefined) {
      yield whole;
      return;
    }
    const [first, ...rest] = run;
    let drive: PointDrive | undefined;
    let reached = [first];
    for (const [i, next] of rest.entries()) {
      const grown = this.#driveThrough(points, [...reached, next]);
      if (grown !== undefined) {
        drive = grown;
        reached.push(next);
        continue;
      }
      const after = rest[i + 1];
      if (after !== undefined && this.#driveThrough(points, [...reached, after]) !== undefined) continue;
      if (drive !== undefined) yield drive;
      [drive, reached] = [undefined, [next]];
    }
    if (drive !== undefined) yield drive;
  }

  /** Undefined if the drive breaks, and for a single point. */
  #driveThrough(points: readonly TracePoint[], run: readonly number[]): PointDrive | undefined {
    if (run.length < 2) return undefined;
    const steps = this.#steps(points, run);
    if (steps.some(({ edge, path }, i) => edge < 0 || (i > 0 && path === undefined))) return undefined;
    return steps.map((step, i) => ({ index: run[i], step }));
  }

  /** One for each point. */
  #steps(points: readonly TracePoint[], run: readonly number[]): MatchedStep[] {
    const matcher = this.#matcher;
    const steps: MatchedStep[] = [];
    matcher.begin();
    for (const index of run) {
      matcher.add(points[index], true);
      steps.push(...matcher.decided);
    }
    matcher.finish();
    steps.push(...matcher.decided);
    return steps;
  }
}
