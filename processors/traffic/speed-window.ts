/** One driver's latest drive over an edge. */
export interface Passage {
  /** Pseudonym of the driver. */
  readonly driver: number;
  readonly enteredMs: number;
  readonly leftMs: number;
  readonly metresPerMs: number;
}

/** Each driver's latest passage, oldest first. What is in it depends on the passages, not on the order they came in. */
export type SpeedWindow = readonly Passage[];

export interface WindowSettings {
  /** Event time that a passage stays in the window. */
  readonly windowMs: number;
  /** A passage of this age weighs half of one that was just made. */
  readonly ageHalfLifeMs: number;
  /** Passages kept per edge; the oldest leave first. */
  readonly passagesMax: number;
  /** Distinct drivers that a figure must rest on before it leaves (k-anonymity). */
  readonly driversMin: number;
}

export interface SpeedFigure {
  readonly kph: number;
  readonly probes: number;
  /** 0 to 1: age-weighted passages w as w / (w + 2). */
  readonly confidence: number;
}

/** Undefined: the driver has a later passage here, or this very one was seen before. */
export function addToWindow(
  window: SpeedWindow,
  passage: Passage,
  { passagesMax }: WindowSettings,
): SpeedWindow | undefined {
  const known = window.find(({ driver }) => driver === passage.driver);
  if (known !== undefined && known.leftMs >= passage.leftMs) return undefined;
  const others = window.filter(({ driver }) => driver !== passage.driver);
  return [...others, passage].sort(byLeaving).slice(-passagesMax);
}

export function withoutOld(window: SpeedWindow, nowMs: number, { windowMs }: WindowSettings): SpeedWindow {
  return window.some(({ leftMs }) => leftMs <= nowMs - windowMs)
    ? window.filter(({ leftMs }) => leftMs > nowMs - windowMs)
    : window;
}

/**
 * The speed an edge has at `nowMs`: the median of the paces, each weighted by 2^(-age / half-life). A median of paces
 * bends to nobody who is in the minority, and each driver has one voice. Undefined below `driversMin`.
 */
export function speedFigure(
  window: SpeedWindow,
  nowMs: number,
  settings: WindowSettings,
): SpeedFigure | undefined {
  const fresh = withoutOld(window, nowMs, settings);
  if (fresh.length < settings.driversMin || fresh.length === 0) return undefined;
  const weighted = fresh
    .map(({ metresPerMs, leftMs }) => ({
      pace: 1 / metresPerMs,
      weight: 2 ** (-Math.max(0, nowMs - leftMs) / settings.ageHalfLifeMs),
    }))
    .sort((a, b) => a.pace - b.pace);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  return {
    kph: 3_600 / weightedMedian(weighted, total),
    probes: fresh.length,
    confidence: total / (total + 2),
  };
}

/** Halfway between the two where exactly half of the weight lies below. */
function weightedMedian(sorted: readonly { pace: number; weight: number }[], total: number): number {
  let below = 0;
  for (const [i, { pace, weight }] of sorted.entries()) {
    below += weight;
    if (Math.abs(below - total / 2) <= total * 1e-12) return (pace + (sorted[i + 1]?.pace ?? pace)) / 2;
    if (below > total / 2) return pace;
  }
  return sorted.at(-1)!.pace;
}

function byLeaving(a: Passage, b: Passage): number {
  return a.leftMs - b.leftMs || a.driver - b.driver;
}
