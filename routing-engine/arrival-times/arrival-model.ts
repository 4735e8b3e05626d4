import { type BoostedTrees, predictTrees, trainTrees } from './boosted-trees.js';
import { horizonOf, noDrift, reachesOf, steered } from './interval-reach.js';
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

export const modelFormat = 'meridian arrival model 2';
/** Groups of days; each is evaluated with what was learned from the others. */
const folds = 5;
const dayMs = 86_400_000;
/** A correction beyond this factor is a fault of the model, not of the traffic. */
const correctionMax = 4;
const leastError = 0.005;

/** A model file cannot be used. */
export class UnreadableArrivalModel extends Error {
  override readonly name = 'UnreadableArrivalModel';
}

/**
 * The interval is cross-conformal (Vovk 2015; Lei et al. 2018 for the scaled errors): every trip is evaluated
 * by trees that were trained without its day, and 80 % of those of a horizon lie within `reach` spreads.
 * Whole days are held back because trips of one day have their traffic in common. `drift` is that of the
 * previous model. At least one trip.
 */
export async function trainArrivalModel(
  trips: readonly FinishedTrip[],
  {
    tilesetId,
    version,
    drift = noDrift,
  }: Pick<ArrivalModel, 'tilesetId' | 'version'> & Partial<Pick<ArrivalModel, 'drift'>>,
  pause?: () => Promise<void>,
): Promise<ArrivalModel> {
  const rows = trips.map(({ row }) => row);
  const foldOf = trips.map(({ departMs }) => Math.floor(departMs / dayMs) % folds);
  const targets = trips.map(({ actualS, physicalS }) => Math.log(actualS / physicalS));
  const expected = await predictByOthers(rows, targets, foldOf, pause);
  const errors = targets.map((target, i) => Math.abs(target - expected[i]!));
  const spreads = errors.map((error) => Math.log(leastError + error));
  const expectedSpreads = await predictByOthers(rows, spreads, foldOf, pause);
  const scores = errors.map((error, i) => error / Math.exp(expectedSpreads[i]!));
  return {
    ...{ format: modelFormat, tilesetId, version, trips: trips.length },
    correction: await trainTrees(rows, targets, undefined, pause),
    spread: await trainTrees(rows, spreads, undefined, pause),
    reach: reachesOf(
      scores,
      trips.map(({ physicalS }) => physicalS),
    ),
    drift,
  };
}

/**
 * For each row the answer of trees that were trained without its fold; with a single fold, they are trained
 * on it.
 */
async function predictByOthers(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  foldOf: readonly number[],
  pause?: () => Promise<void>,
): Promise<number[]> {
  const predicted: number[] = [];
  for (const fold of new Set(foldOf)) {
    const others = [...rows.keys()].filter((i) => foldOf[i] !== fold);
    const taught = others.length > 0 ? others : [...rows.keys()];
    const trees = await trainTrees(
      taught.map((i) => rows[i]!),
      taught.map((i) => targets[i]!),
      undefined,
      pause,
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

/**
 * The drift after a trip that was not used for training: evaluated by the model's present answer, not by the
 * answer given then.
 */
export function driftAfter(model: ArrivalModel, trip: FinishedTrip): ArrivalModel['drift'] {
  const { lowS, highS } = estimateArrival(model, trip);
  return steered(model.drift, horizonOf(trip.physicalS), lowS <= trip.actualS && trip.actualS <= highS);
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
