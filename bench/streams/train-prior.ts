import { anyTileset } from '#map-data/learned/arrival-prior.js';
import {
  type ArrivalModel,
  type FinishedTrip,
  leastError,
  modelFormat,
} from '#routing-engine/arrival-times/arrival-model.js';
import {
  type BoostedTrees,
  type BoostingSettings,
  predictTrees,
  trainTrees,
} from '#routing-engine/arrival-times/boosted-trees.js';
import { noDrift, reachesOf } from '#routing-engine/arrival-times/interval-reach.js';
import type { PriorPlace } from './prior-worlds.js';
import { mean, percentile } from './statistics.js';
import type { UsualLevel } from './usual-level.js';

const settings: BoostingSettings = { trees: 60, depth: 3, rate: 0.07, leafRowsMin: 50, shrink: 20 };
/** Of each place, so that no busy one decides. */
const tripsOfPlace = 150;
/**
 * ln of the times of open routers over ours on empty roads: OSRM, Valhalla and GraphHopper on Monaco,
 * Heidelberg and Malta, medians of 2,000 routes each (`routing-plausibility` in bench/results.ndjson).
 */
const openRoutersOverOurs = -0.094;
/** Places that are held back together. */
const folds = 5;
/** Columns of a row, see `routeFeatures`. */
const [physicalOverFree, metricOverFree, knownShare] = [1, 2, 5];

interface Sample {
  readonly place: number;
  readonly row: readonly number[];
  readonly physicalS: number;
  /** ln of the time beyond the physical one, as if the place were a usual one. */
  readonly target: number;
}

export interface TrainedPrior {
  readonly model: ArrivalModel;
  /**
   * Variance between places over the variance of the trips of one place, by what four of five of each lie
   * within.
   */
  readonly placesOverTrips: number;
}

/**
 * A model of what trips of any place have in common. How fast a place is as a whole is left to its own trips:
 * until there are any, it has the traffic of a week at that hour, or what the known typical speeds say.
 */
export async function trainPrior(places: readonly PriorPlace[], usual: UsualLevel): Promise<TrainedPrior> {
  const samples = places.flatMap((place, i) => samplesOf(place, i, usual));
  const rows = samples.map(({ row }) => row);
  const correction = await trainTrees(
    rows,
    samples.map(({ target }) => target),
    settings,
  );
  // Errors in places that the trees have not seen.
  const errors = await heldBack(
    samples,
    (each) => each.target,
    (sample, expected) => Math.abs(sample.target - expected),
  );
  const spreads = errors.map((error) => Math.log(leastError + error));
  const spread = await trainTrees(rows, spreads, settings);
  const scores = await heldBack(
    samples,
    (_, i) => spreads[i]!,
    (_, expected, i) => errors[i]! / Math.exp(expected),
  );
  const reach = reachesOf(
    scores,
    samples.map(({ physicalS }) => physicalS),
  );
  const start = { format: modelFormat, tilesetId: anyTileset, version: 0, trips: 0, drift: noDrift } as const;
  const surprises = places.flatMap((place) => surpriseOf(place, usual) ?? []);
  return {
    model: { ...start, correction: short(correction), spread: short(spread), reach: reach.map(digits) },
    placesOverTrips: (percentile(surprises, 0.8) / percentile(errors, 0.8)) ** 2,
  };
}

/** ln of what a trip takes beyond what the platform knows when it starts. */
const beyond = ({ row, actualS, physicalS }: FinishedTrip): number =>
  Math.log(actualS / physicalS) - unknownShare(row) * (row[metricOverFree]! - row[physicalOverFree]!);

const unknownShare = (row: readonly number[]): number => 1 - row[knownShare]!;

/** What is expected of the same in a place of which nothing is known. */
const expectedOf = (row: readonly number[], usual: UsualLevel): number => unknownShare(row) * usual(row);

function samplesOf({ trips }: PriorPlace, place: number, usual: UsualLevel): Sample[] {
  const step = Math.max(1, trips.length / tripsOfPlace);
  const some = Array.from(
    { length: Math.min(trips.length, tripsOfPlace) },
    (_, i) => trips[Math.floor(i * step)]!,
  );
  const level = mean(some.map(beyond));
  return some.map(({ row, physicalS, actualS }) => ({
    ...{ place, row, physicalS },
    target: Math.log(actualS / physicalS) - level + expectedOf(row, usual),
  }));
}

/** By how much a place's level differs from what was expected; undefined where typical speeds are known. */
function surpriseOf({ trips, traffic }: PriorPlace, usual: UsualLevel): number | undefined {
  if (trips.some(({ row }) => row[knownShare]! > 0)) return undefined;
  const level = mean(trips.map(beyond)) + (traffic === 'empty' ? openRoutersOverOurs : 0);
  return Math.abs(level - mean(trips.map(({ row }) => expectedOf(row, usual))));
}

/** For each sample what trees that saw no sample of its place make of it. */
async function heldBack(
  samples: readonly Sample[],
  targetOf: (sample: Sample, i: number) => number,
  judge: (sample: Sample, expected: number, i: number) => number,
): Promise<number[]> {
  const judged: number[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const taught = [...samples.keys()].filter((i) => samples[i]!.place % folds !== fold);
    const trees = await trainTrees(
      taught.map((i) => samples[i]!.row),
      taught.map((i) => targetOf(samples[i]!, i)),
      settings,
    );
    for (const [i, sample] of samples.entries())
      if (sample.place % folds === fold) judged[i] = judge(sample, predictTrees(trees, sample.row), i);
  }
  return judged;
}

/** Five digits are exact enough, and make a small file. */
const digits = (value: number): number => Number(value.toPrecision(5));

const short = ({ base, trees }: BoostedTrees): BoostedTrees => ({
  base: digits(base),
  trees: trees.map(({ feature, value }) => ({ feature, value: value.map(digits) })),
});
