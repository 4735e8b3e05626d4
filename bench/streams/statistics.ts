export function mean(values: readonly number[]): number {
  return rounded(values.reduce((sum, each) => sum + each, 0) / values.length);
}

/** A value that occurred. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return rounded(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN);
}

const rounded = (value: number): number => Number(value.toPrecision(4));
