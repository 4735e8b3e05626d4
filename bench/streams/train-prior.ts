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
const [physicalOverFree, metricOverFree, knownShare, hour, weekend] = [1, 2, 5, 6, 7];

interface Sample {
  readonly place: number;
  readonly row: readonly number[];
  readonly physicalS: number;
  /** ln of the time beyond the physical one, without what all trips of the place have in common. */
  readonly target: number;
}

/**
 * A model of what trips of any place have in common. How fast a place is as a whole is left to its own trips:
 * until there are any, the times of open routers hold, or the physical one where typical speeds are known.
 * The hour is not used: in which time zone a map lies is not known.
 */
export async function trainPrior(places: readonly (readonly FinishedTrip[])[]): Promise<ArrivalModel> {
  const samples = places.flatMap(samplesOf);
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
  const model = { format: modelFormat, tilesetId: anyTileset, version: 0, trips: 0, drift: noDrift } as const;
  return { ...model, correction: short(correction), spread: short(spread), reach: reach.map(digits) };
}

function samplesOf(trips: readonly FinishedTrip[], place: number): Sample[] {
  const step = Math.max(1, trips.length / tripsOfPlace);
  const some = Array.from(
    { length: Math.min(trips.length, tripsOfPlace) },
    (_, i) => trips[Math.floor(i * step)]!,
  );
  const known = ({ row }: FinishedTrip): number =>
    (1 - row[knownShare]!) * (row[metricOverFree]! - row[physicalOverFree]!);
  const beyond = some.map((trip) => Math.log(trip.actualS / trip.physicalS));
  const level = some.reduce((sum, trip, i) => sum + beyond[i]! - known(trip), 0) / some.length;
  return some.map(({ row, physicalS }, i) => ({
    place,
    row: row.map((value, feature) => (feature === hour || feature === weekend ? 0 : value)),
    physicalS,
    target: beyond[i]! - level + (1 - row[knownShare]!) * openRoutersOverOurs,
  }));
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
