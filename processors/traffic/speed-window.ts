import { robustPace } from './robust-pace.js';

/** One driver's latest drive over an edge. */
export interface Passage {
  /** Pseudonym of the driver. */
  readonly driver: number;
  readonly enteredMs: number;
  readonly leftMs: number;
  readonly metresPerMs: number;
}

/**
 * Each driver's latest passage, oldest first. The content depends on the passages, not on their order of
 * arrival.
 */
export type SpeedWindow = readonly Passage[];

export interface WindowSettings {
  /** Event time that a passage stays in the window. */
  readonly windowMs: number;
  /** A passage of this age weighs half of one that was just made. */
  readonly ageHalfLifeMs: number;
  /** Stored passages per edge; the oldest are removed first. */
  readonly passagesMax: number;
  /** Distinct drivers that a published figure needs (k-anonymity). */
  readonly driversMin: number;
  /** A pace further from the median than this many deviations is limited to that. */
  readonly deviationsMax: number;
  /** Weight of the typical speed of the hour, as a number of new passages. */
  readonly typicalPassages: number;
  /** Relative difference from the typical pace at which that weight halves. */
  readonly unusualRatio: number;
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
  // Most passages arrive in time order, so their place is at the end.
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
 * The speed an edge has at `nowMs`: length over the robust mean of the times that drivers took, each weighted
 * by 2^(-age / half-life), each driver once. The typical speed of the hour stands in for what few drivers
 * cannot know. Undefined below `driversMin`.
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
  const paces = fresh.map(({ metresPerMs, leftMs }) => ({
    pace: 1 / metresPerMs,
    weight: 2 ** (-Math.max(0, nowMs - leftMs) / settings.ageHalfLifeMs),
  }));
  const total = paces.reduce((sum, { weight }) => sum + weight, 0);
  const live = robustPace(paces, settings.deviationsMax);
  const pace = typicalKph === undefined ? live : withTypical(live, total, 3_600 / typicalKph, settings);
  return { kph: 3_600 / pace, probes: count, confidence: total / (total + 2) };
}

/** On unusual days the drivers count: the more they differ, the less the typical speed weighs. */
function withTypical(
  live: number,
  weight: number,
  typical: number,
  { typicalPassages, unusualRatio }: WindowSettings,
): number {
  const prior = typicalPassages / (1 + ((live / typical - 1) / unusualRatio) ** 2);
  return (live * weight + typical * prior) / (weight + prior);
}

function byLeaving(a: Passage, b: Passage): number {
  return a.leftMs - b.leftMs || a.driver - b.driver;
}
