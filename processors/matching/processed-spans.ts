/** First and last time of points without a gap, Unix milliseconds. */
export type Span = readonly [fromMs: number, toMs: number];

/** Spans stored per user; the oldest are dropped. */
const spansMax = 8;
/** Points further apart than this have a gap between them, in which others may be missing. */
const holeMs = 30_000;
/** There is a gap between two batches when they are further apart than this many steps of the later one. */
const stepsBetween = 1.5;

export const isProcessed = (spans: readonly Span[], timeMs: number): boolean =>
  spans.some(([fromMs, toMs]) => fromMs <= timeMs && timeMs <= toMs);

/** With the points of one more batch, in the order of their times. */
export function withProcessed(spans: readonly Span[], timesMs: readonly number[]): readonly Span[] {
  if (timesMs.length === 0) return spans;
  const taken = [...spans];
  let [from, last] = [timesMs[0]!, timesMs[0]!];
  const close = (): void => {
    const stepMs = (last - from) / Math.max(1, timesMs.length - 1);
    const before = taken.findIndex(
      ([, toMs]) => toMs <= from && from - toMs <= Math.max(1_000, stepsBetween * stepMs),
    );
    if (before < 0) taken.push([from, last]);
    else taken[before] = [taken[before]![0], last];
  };
  for (const timeMs of timesMs.slice(1)) {
    if (timeMs - last > holeMs) {
      close();
      from = timeMs;
    }
    last = timeMs;
  }
  close();
  return taken.sort(([a], [b]) => a - b).slice(-spansMax);
}
