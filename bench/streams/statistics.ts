export function mean(values: readonly number[]): number {
  return rounded(values.reduce((sum, each) => sum + each, 0) / values.length);
}

/** A value that occurred. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return rounded(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN);
}

const rounded = (value: number): number => Number(value.toPrecision(4));

/**
 * The mean of a Poisson process that shows no more than `events` with a probability of 5 %: chi-squared with
 * 2 (events + 1) degrees of freedom, by the approximation of Wilson and Hilferty.
 */
export function poissonUpper95(events: number): number {
  const n = events + 1;
  return n * (1 - 1 / (9 * n) + 1.6449 / (3 * Math.sqrt(n))) ** 3;
}
