import type { NewRoadSettings } from './settings.js';

/** A point of a trace with what the matcher made of it. */
export interface JudgedPoint {
  /** 1e-7 degrees. */
  readonly lngE7: number;
  readonly latE7: number;
  readonly accuracyM: number;
  /** Metres from the road that it is matched to; Infinity off all roads. */
  readonly offM: number;
}

/** Part of a drive that no known road explains, with the good point before and after it: [x, y] in metres on a flat map. */
export type StrayRun = readonly (readonly [x: number, y: number])[];

export interface FlatMap {
  readonly lngE7: number;
  readonly latE7: number;
  /** Metres per 1e-7 degrees. */
  readonly perLng: number;
  readonly perLat: number;
}

const metresPerE7 = 111_195 / 1e7;

/** A map that is flat around a place, good for some ten kilometres. */
export const flatMapAt = (lngE7: number, latE7: number): FlatMap => ({
  lngE7,
  latE7,
  perLng: metresPerE7 * Math.cos((latE7 * Math.PI) / 180e7),
  perLat: metresPerE7,
});

export const toFlat = (map: FlatMap, lngE7: number, latE7: number): [x: number, y: number] => [
  (lngE7 - map.lngE7) * map.perLng,
  (latE7 - map.latE7) * map.perLat,
];

export const fromFlat = (map: FlatMap, [x, y]: readonly [number, number]): [lngE7: number, latE7: number] => [
  Math.round(map.lngE7 + x / map.perLng),
  Math.round(map.latE7 + y / map.perLat),
];

/** The runs of one drive. A single point on a road in the middle of a run does not end it: roads are crossed. */
export function strayRuns(
  map: FlatMap,
  points: readonly JudgedPoint[],
  settings: NewRoadSettings,
): StrayRun[] {
  const { strayM, strayPerAccuracy, strayPointsMin, hopMaxM, roadMinM } = settings;
  const isAstray = ({ offM, accuracyM }: JudgedPoint): boolean =>
    offM > Math.max(strayM, strayPerAccuracy * accuracyM);
  const runs: StrayRun[] = [];
  let from = -1;
  let last = -1;
  let astray = 0;
  const close = (): void => {
    if (from >= 0 && astray >= strayPointsMin) {
      const run = points
        .slice(Math.max(0, from - 1), last + 2)
        .map(({ lngE7, latE7 }) => toFlat(map, lngE7, latE7));
      const hops = run.slice(1).map((to, i) => Math.hypot(to[0] - run[i]![0], to[1] - run[i]![1]));
      if (Math.max(...hops) <= hopMaxM && hops.reduce((sum, hop) => sum + hop, 0) >= roadMinM) runs.push(run);
    }
    from = -1;
    astray = 0;
  };
  for (const [i, point] of points.entries()) {
    if (isAstray(point)) {
      if (from < 0) from = i;
      last = i;
      astray++;
    } else if (from >= 0 && i - last > 1) close();
  }
  close();
  return runs;
}
