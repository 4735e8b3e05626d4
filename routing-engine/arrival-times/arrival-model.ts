import { type BoostedTrees, type BoostingSettings, predictTrees, trainTrees } from './boosted-trees.js';
import { horizonOf, noDrift, reachesOf } from './interval-reach.js';
import type { RouteFeatures } from './route-features.js';

/** A finished trip: the facts at its start, and its duration. */
export interface FinishedTrip extends RouteFeatures {
  readonly departMs: number;
  readonly actualS: number;
}

export interface ArrivalModel {
  readonly format: typeof modelFormat;
  readonly tilesetId: string;
  /** Grows with each training. */
  readonly version: number;
  readonly trips: number;
  /** Of ln(actual / physical). */
  readonly correction: BoostedTrees;
  /** Of ln |residual of the correction|. */
  readonly spread: BoostedTrees;
  /** [horizons] spreads on either side of the median that 80 % of the held-back trips lay within. */
  readonly reach: readonly number[];
  /** [horizons] ln of the factor by which later trips have changed it; kept over trainings. */
  readonly drift: readonly number[];
}

export interface ArrivalEstimate {
  readonly durationS: number;
  /** Four trips of five take between these. */
  readonly lowS: number;
  readonly highS: number;
}

export const modelFormat = 'meridian arrival model 3';
/** Groups of days; each is evaluated with what was learned from the others. */
const folds = 5;
/** Trees that correct a prior: they are taught by fewer trips, and have less to say. */
const onPrior: BoostingSettings = { trees: 60, depth: 3, rate: 0.07, leafRowsMin: 20, shrink: 20 };
const dayMs = 86_400_000;
/** A correction beyond this factor is a fault of the model, not of the traffic. */
const correctionMax = 4;
/** Errors below this are alike. */
export const leastError = 0.005;

/** A model file cannot be used. */
export class UnreadableArrivalModel extends Error {
  override readonly name = 'UnreadableArrivalModel';
}

/** The trees that training continues from, and what later trips have widened or narrowed the interval by. */
export interface TrainedFrom {
  readonly prior?: Pick<ArrivalModel, 'correction' | 'spread'>;
  readonly drift?: ArrivalModel['drift'];
}

/**
 * The interval is cross-conformal (Vovk 2015; Lei et al. 2018 for the scaled errors): every trip is evaluated
 * by trees that were trained without its day, and 80 % of those of a horizon lie within `reach` spreads.
 * Whole days are held back because trips of one day have their traffic in common. At least one trip.
 */
export async function trainArrivalModel(
  trips: readonly FinishedTrip[],
  { tilesetId, version, prior, drift = noDrift }: Pick<ArrivalModel, 'tilesetId' | 'version'> & TrainedFrom,
  pause?: () => Promise<void>,
): Promise<ArrivalModel> {
  const rows = trips.map(({ row }) => row);
  const foldOf = foldsOf(trips);
  const [ofTime, ofSpread] = [learnerOf(prior?.correction, pause), learnerOf(prior?.spread, pause)];
  const targets = trips.map(({ actualS, physicalS }) => Math.log(actualS / physicalS));
  const expected = await predictByOthers(rows, targets, foldOf, ofTime);
  const errors = targets.map((target, i) => Math.abs(target - expected[i]!));
  const spreads = errors.map((error) => Math.log(leastError + error));
  const expectedSpreads = await predictByOthers(rows, spreads, foldOf, ofSpread);
  const scores = errors.map((error, i) => error / Math.exp(expectedSpreads[i]!));
  return {
    ...{ format: modelFormat, tilesetId, version, trips: trips.length },
    correction: await ofTime(rows, targets),
    spread: await ofSpread(rows, spreads),
    reach: reachesOf(
      scores,
      trips.map(({ physicalS }) => physicalS),
    ),
    drift,
  };
}

type Learner = (rows: readonly (readonly number[])[], targets: readonly number[]) => Promise<BoostedTrees>;

/** Boosting that goes on where the prior's trees end. */
const learnerOf =
  (prior: BoostedTrees | undefined, pause: (() => Promise<void>) | undefined): Learner =>
  async (rows, targets) => {
    if (prior === undefined) return trainTrees(rows, targets, undefined, pause);
    const left = targets.map((target, i) => target - predictTrees(prior, rows[i]!));
    const { base, trees } = await trainTrees(rows, left, onPrior, pause);
    return { base: prior.base + base, trees: [...prior.trees, ...trees] };
  };

/** By days; of fewer days than folds, parts that follow each other. */
function foldsOf(trips: readonly FinishedTrip[]): readonly number[] {
  const days = trips.map(({ departMs }) => Math.floor(departMs / dayMs));
  if (new Set(days).size >= folds) return days.map((day) => day % folds);
  const order = [...trips.keys()].sort((a, b) => trips[a]!.departMs - trips[b]!.departMs);
  const foldOf = new Array<number>(trips.length);
  for (const [place, trip] of order.entries()) foldOf[trip] = Math.floor((place * folds) / trips.length);
  return foldOf;
}

/**
 * For each row the answer of trees that were trained without its fold; with a single fold, they are trained
 * on it.
 */
async function predictByOthers(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  foldOf: readonly number[],
  learn: Learner,
): Promise<number[]> {
  const predicted: number[] = [];
  for (const fold of new Set(foldOf)) {
    const others = [...rows.keys()].filter((i) => foldOf[i] !== fold);
    const taught = others.length > 0 ? others : [...rows.keys()];
    const trees = await learn(
      taught.map((i) => rows[i]!),
      taught.map((i) => targets[i]!),
    );
    for (const [i, row] of rows.entries()) if (foldOf[i] === fold) predicted[i] = predictTrees(trees, row);
  }
  return predicted;
}

const bound = Math.log(correctionMax);

export function estimateArrival(model: ArrivalModel, { physicalS, row }: RouteFeatures): ArrivalEstimate {
  const correction = Math.min(bound, Math.max(-bound, predictTrees(model.correction, row)));
  const horizon = horizonOf(physicalS);
  const spreads = model.reach[horizon]! * Math.exp(model.drift[horizon]!);
  const reach = Math.min(bound, spreads * Math.exp(predictTrees(model.spread, row)));
  const durationS = physicalS * Math.exp(correction);
  return { durationS, lowS: durationS * Math.exp(-reach), highS: durationS * Math.exp(reach) };
}

export const encodeArrivalModel = (model: ArrivalModel): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(model));

/** Throws `UnreadableArrivalModel` for bytes that are not a model of this tileset. */
export function decodeArrivalModel(bytes: Uint8Array, tilesetId: string): ArrivalModel {
  let model: Partial<ArrivalModel>;
  try {
    model = JSON.parse(new TextDecoder().decode(bytes)) as Partial<ArrivalModel>;
  } catch (cause) {
    throw new UnreadableArrivalModel('These bytes are no arrival model.', { cause });
  }
  if (model.format !== modelFormat)
    throw new UnreadableArrivalModel(
      `The arrival model has the format ${String(model.format)}, we read ${modelFormat}.`,
    );
  if (model.tilesetId !== tilesetId)
    throw new UnreadableArrivalModel(
      `The arrival model is of the tileset ${model.tilesetId}, we run on ${tilesetId}.`,
    );
  const isWhole =
    isPerHorizon(model.reach) &&
    isPerHorizon(model.drift) &&
    isTrees(model.correction) &&
    isTrees(model.spread);
  if (!isWhole) throw new UnreadableArrivalModel('The arrival model is not whole.');
  return model as ArrivalModel;
}

const isPerHorizon = (values: readonly number[] | undefined): boolean =>
  Array.isArray(values) && values.length === noDrift.length && values.every(Number.isFinite);

/** Every walk ends: children lie behind their parent, and a node without room for children is a leaf. */
function isTrees(trees: BoostedTrees | undefined): boolean {
  if (trees === undefined || !Number.isFinite(trees.base) || !Array.isArray(trees.trees)) return false;
  return (trees.trees as BoostedTrees['trees']).every(
    ({ feature, value }) =>
      feature.length === value.length &&
      value.every(Number.isFinite) &&
      feature.every((each, node) => each === -1 || (each >= 0 && 2 * node + 2 < feature.length)),
  );
}
