export interface WeightedPace {
  readonly pace: number;
  readonly weight: number;
}

/**
 * A mean that no single driver moves far: paces beyond `deviationsMax` median deviations from the median are
 * limited to that (winsorised, after Huber 1964). The mean of paces is the mean of the drivers' times, so its
 * inverse is the harmonic mean of their speeds. At least one pace must be given.
 */
export function robustPace(paces: readonly WeightedPace[], deviationsMax: number): number {
  const sorted = paces.toSorted(byPace);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const middle = weightedMedian(sorted, total);
  const deviations = sorted
    .map(({ pace, weight }) => ({ pace: Math.abs(pace - middle), weight }))
    .sort(byPace);
  const spread = Math.max(weightedMedian(deviations, total) * toDeviation, middle * leastSpread);
  const [least, most] = [middle - deviationsMax * spread, middle + deviationsMax * spread];
  return (
    sorted.reduce((sum, { pace, weight }) => sum + weight * Math.min(most, Math.max(least, pace)), 0) / total
  );
}

/** Of a normal distribution, the deviation over the median absolute one. */
const toDeviation = 1.4826;
/** Minimum relative deviation of paces, even if a few drivers agree by chance. */
const leastSpread = 0.1;

/** Halfway between the two where exactly half of the weight lies below. */
function weightedMedian(sorted: readonly WeightedPace[], total: number): number {
  let below = 0;
  for (const [i, { pace, weight }] of sorted.entries()) {
    below += weight;
    if (Math.abs(below - total / 2) <= total * 1e-12) return (pace + (sorted[i + 1]?.pace ?? pace)) / 2;
    if (below > total / 2) return pace;
  }
  return sorted.at(-1)!.pace;
}

function byPace(a: WeightedPace, b: WeightedPace): number {
  return a.pace - b.pace;
}
