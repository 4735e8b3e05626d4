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
  /** A pace further from the median than so many deviations is taken for one that is just so far. */
  readonly deviationsMax: number;
  /** Passages just made that the typical speed of the hour weighs as much as. */
  readonly typicalPassages: number;
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
  const next = known === undefined ? window.slice() : window.filter((each) => each !== known);
  // Most passages come in the order of their time: their place is at the end.
  let at = next.length;
  while (at > 0 && byLeaving(next[at - 1]!, passage) > 0) at--;
  next.splice(at, 0, passage);
  return next.length > passagesMax ? next.slice(-passagesMax) : next;
}

/** The window is in the order of time, so what is old is at its beginning. */
export function withoutOld(window: SpeedWindow, nowMs: number, { windowMs }: WindowSettings): SpeedWindow {
  let old = 0;
  while (old < window.length && window[old]!.leftMs <= nowMs - windowMs) old++;
  return old === 0 ? window : window.slice(old);
}

/**
 * The speed an edge has at `nowMs`: length over the mean of the times that drivers took, which is the harmonic mean of
 * their speeds, each weighted by 2^(-age / half-life). Paces beyond `deviationsMax` median deviations count as just so far
 * (Huber's winsorising), so that a phone on a parked passenger moves the figure by no more than anybody else, and each
 * driver has one voice. The typical speed of the hour stands in for what few drivers cannot know. Undefined below
 * `driversMin`.
 */
export function speedFigure(
  window: SpeedWindow,
  nowMs: number,
  settings: WindowSettings,
  typicalKph?: number,
): SpeedFigure | undefined {
  const fresh = withoutOld(window, nowMs, settings);
  const count = fresh.length;
  if (count < settings.driversMin || count === 0) return undefined;
  const order = fresh
    .map(({ metresPerMs, leftMs }) => ({
      pace: 1 / metresPerMs,
      weight: 2 ** (-Math.max(0, nowMs - leftMs) / settings.ageHalfLifeMs),
    }))
    .sort(byPace);
  const total = order.reduce((sum, { weight }) => sum + weight, 0);
  const middle = weightedMedian(order, total);
  const deviations = order
    .map(({ pace, weight }) => ({ pace: Math.abs(pace - middle), weight }))
    .sort(byPace);
  const reach =
    settings.deviationsMax * Math.max(weightedMedian(deviations, total) * toDeviation, middle * leastSpread);
  const sum = order.reduce(
    (all, { pace, weight }) => all + weight * Math.min(middle + reach, Math.max(middle - reach, pace)),
    0,
  );
  const prior = typicalKph === undefined ? 0 : settings.typicalPassages;
  const pace = (sum + (prior === 0 ? 0 : (prior * 3_600) / typicalKph!)) / (total + prior);
  return { kph: 3_600 / pace, probes: count, confidence: total / (total + 2) };
}

/** Of a normal distribution, the deviation over the median absolute one. */
const toDeviation = 1.4826;
/** Deviation of paces over their median that every road has, even when a few drivers agree by chance. */
const leastSpread = 0.1;

/** Halfway between the two where exactly half of the weight lies below. */
function weightedMedian(sorted: readonly Weighted[], total: number): number {
  let below = 0;
  for (const [i, { pace, weight }] of sorted.entries()) {
    below += weight;
    if (Math.abs(below - total / 2) <= total * 1e-12) return (pace + (sorted[i + 1]?.pace ?? pace)) / 2;
    if (below > total / 2) return pace;
  }
  return sorted.at(-1)!.pace;
}

interface Weighted {
  readonly pace: number;
  readonly weight: number;
}

function byPace(a: Weighted, b: Weighted): number {
  return a.pace - b.pace;
}

function byLeaving(a: Passage, b: Passage): number {
  return a.leftMs - b.leftMs || a.driver - b.driver;
}
