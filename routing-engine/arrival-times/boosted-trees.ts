/**
 * Gradient boosted regression trees with histograms (Friedman, "Greedy function approximation", 2001;
 * histograms as in LightGBM). Squared error, trees of bounded depth, values as plain arrays so that a model
 * is JSON.
 */
export interface Tree {
  /** [nodes] feature that splits; -1 at a leaf. Children of node n are 2n + 1 and 2n + 2. */
  readonly feature: readonly number[];
  /** [nodes] greatest value that goes left; at a leaf what it adds. */
  readonly value: readonly number[];
}

export interface BoostedTrees {
  readonly base: number;
  readonly trees: readonly Tree[];
}

export interface BoostingSettings {
  readonly trees: number;
  readonly depth: number;
  /** Share of each tree's answer that is applied (learning rate). */
  readonly rate: number;
  readonly leafRowsMin: number;
  /** Weight that pulls a leaf towards 0, in rows. */
  readonly shrink: number;
}

export const boostingDefaults: BoostingSettings = {
  trees: 120,
  depth: 4,
  rate: 0.07,
  leafRowsMin: 20,
  shrink: 5,
};

const binsMax = 32;

export function predictTrees({ base, trees }: BoostedTrees, row: readonly number[]): number {
  let sum = base;
  for (const { feature, value } of trees) {
    let node = 0;
    while (feature[node]! >= 0) node = 2 * node + (row[feature[node]!]! <= value[node]! ? 1 : 2);
    sum += value[node]!;
  }
  return sum;
}

/** At least one row. `pause` yields the thread between two trees. */
export async function trainTrees(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  settings: BoostingSettings = boostingDefaults,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<BoostedTrees> {
  const features = rows[0]!.length;
  const thresholds = Array.from({ length: features }, (_, f) => quantiles(rows.map((row) => row[f]!)));
  const bins = thresholds.map((limits, f) => Uint8Array.from(rows, (row) => binOf(limits, row[f]!)));
  const base = targets.reduce((sum, each) => sum + each, 0) / targets.length;
  const residuals = Float64Array.from(targets, (target) => target - base);
  const trees: Tree[] = [];
  for (let i = 0; i < settings.trees; i++) {
    await pause();
    trees.push(growTree(bins, thresholds, residuals, settings));
  }
  return { base, trees };
}

/** Grows one tree on the residuals and subtracts its answers. */
function growTree(
  bins: readonly Uint8Array[],
  thresholds: readonly (readonly number[])[],
  residuals: Float64Array,
  { depth, rate, leafRowsMin, shrink }: BoostingSettings,
): Tree {
  const nodes = 2 ** (depth + 1) - 1;
  const feature = new Array<number>(nodes).fill(-1);
  const value = new Array<number>(nodes).fill(0);
  const grow = (node: number, members: Uint32Array, level: number): void => {
    let sum = 0;
    for (const row of members) sum += residuals[row]!;
    const best = level === depth ? undefined : bestSplit(bins, residuals, members, sum, leafRowsMin, shrink);
    if (best === undefined) {
      value[node] = (rate * sum) / (members.length + shrink);
      for (const row of members) residuals[row]! -= value[node]!;
      return;
    }
    feature[node] = best.feature;
    value[node] = thresholds[best.feature]![best.bin]!;
    const of = bins[best.feature]!;
    grow(
      2 * node + 1,
      members.filter((row) => of[row]! <= best.bin),
      level + 1,
    );
    grow(
      2 * node + 2,
      members.filter((row) => of[row]! > best.bin),
      level + 1,
    );
  };
  grow(0, Uint32Array.from(residuals.keys()), 0);
  return { feature, value };
}

function bestSplit(
  bins: readonly Uint8Array[],
  residuals: Float64Array,
  members: Uint32Array,
  total: number,
  leafRowsMin: number,
  shrink: number,
): { readonly feature: number; readonly bin: number } | undefined {
  let best: { feature: number; bin: number } | undefined;
  let bestGain = total ** 2 / (members.length + shrink) + 1e-9;
  const sums = new Float64Array(binsMax);
  const counts = new Uint32Array(binsMax);
  for (const [feature, of] of bins.entries()) {
    sums.fill(0);
    counts.fill(0);
    for (const row of members) {
      sums[of[row]!]! += residuals[row]!;
      counts[of[row]!]!++;
    }
    let [leftSum, leftCount] = [0, 0];
    for (let bin = 0; bin < binsMax - 1; bin++) {
      leftSum += sums[bin]!;
      leftCount += counts[bin]!;
      const rightCount = members.length - leftCount;
      if (leftCount < leafRowsMin) continue;
      if (rightCount < leafRowsMin) break;
      const gain = leftSum ** 2 / (leftCount + shrink) + (total - leftSum) ** 2 / (rightCount + shrink);
      if (gain > bestGain) {
        bestGain = gain;
        best = { feature, bin };
      }
    }
  }
  return best;
}

/** Upper limits of bins that hold about as many values each; the last bin has none. */
function quantiles(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const limits = Array.from(
    { length: binsMax - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / binsMax)]!,
  );
  return [...new Set(limits)];
}

function binOf(limits: readonly number[], value: number): number {
  let bin = 0;
  while (bin < limits.length && value > limits[bin]!) bin++;
  return bin;
}
