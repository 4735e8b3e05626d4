/** The value below which the given share of the values lies; to four digits. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return Number((sorted[at] ?? Number.NaN).toPrecision(4));
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
