import { flatMapAt, toFlat } from './flat-map.js';
import type { NewRoadSettings } from './settings.js';

/** A place, 1e-7 degrees. */
export interface PlaceE7 {
  readonly lngE7: number;
  readonly latE7: number;
}

/** A point of a trace with its matched place. */
export interface JudgedPoint extends PlaceE7 {
  readonly accuracyM: number;
  /** Metres from the road that it is matched to; `offRoadM` off all roads. */
  readonly offM: number;
}

/** Farther than any road that a point can be matched to; finite, so that it can be stored as JSON. */
export const offRoadM = 1_000;

/** Part of a drive that no known road explains, with the good point before and after it. */
export type StrayPath = readonly PlaceE7[];

export const isAstray = (
  { offM, accuracyM }: JudgedPoint,
  { strayM, strayPerAccuracy }: NewRoadSettings,
): boolean => offM > Math.max(strayM, strayPerAccuracy * accuracyM);

/**
 * The runs of one drive. A single point on a road in the middle of a run does not end it: roads are crossed.
 */
export function offRoadRuns(points: readonly JudgedPoint[], settings: NewRoadSettings): StrayPath[] {
  const { strayPointsMin, hopMaxM, roadMinM } = settings;
  const runs: StrayPath[] = [];
  let from = -1;
  let last = -1;
  let astray = 0;
  const close = (): void => {
    if (from >= 0 && astray >= strayPointsMin) {
      const run = points.slice(Math.max(0, from - 1), last + 2);
      const map = flatMapAt(run[0]!.lngE7, run[0]!.latE7);
      const places = run.map(({ lngE7, latE7 }) => toFlat(map, lngE7, latE7));
      const hops = places.slice(1).map(([x, y], i) => Math.hypot(x - places[i]![0], y - places[i]![1]));
      if (Math.max(...hops) <= hopMaxM && hops.reduce((sum, hop) => sum + hop, 0) >= roadMinM)
        runs.push(run.map(({ lngE7, latE7 }) => ({ lngE7, latE7 })));
    }
    from = -1;
    astray = 0;
  };
  for (const [i, point] of points.entries()) {
    if (isAstray(point, settings)) {
      if (from < 0) from = i;
      last = i;
      astray++;
    } else if (from >= 0 && i - last > 1) close();
  }
  close();
  return runs;
}
