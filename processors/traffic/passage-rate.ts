/**
 * How often an edge is driven, by its last few dozen passages: their decayed count over what they were gathered in.
 * That is measured twice, in time and in passages of the other exits of the same crossing, which go on when the whole
 * city wakes or falls asleep. The silence since the last passage is part of neither, or a closed road would unlearn
 * that it was ever driven.
 */
export interface PassageRate {
  /** Passages after the first; each new one takes `1 / memory` off those before. */
  readonly count: number;
  /** Milliseconds that `count` was gathered in, decayed alike. */
  readonly exposureMs: number;
  /** Gaps in passages that were due in them, and their squares, decayed alike: tell platoons from a steady stream. */
  readonly gaps: number;
  readonly gapSquares: number;
  /** Passages of other exits that `count` was gathered in, decayed alike. */
  readonly exposureOthers: number;
  readonly lastMs: number;
  /** How long the last passage took. */
  readonly tookMs: number;
  /** Passages of other exits since the last one here. */
  readonly missed: number;
  /** The last distinct drivers, `driversKept` at most: a rate that one phone made proves nothing. */
  readonly drivers: readonly number[];
}

const driversKept = 8;

/** One drive over the edge that counts. */
export interface CountedPassage {
  readonly driver: number;
  readonly enteredMs: number;
  readonly leftMs: number;
}

export function firstPassage({ driver, enteredMs, leftMs }: CountedPassage): PassageRate {
  return {
    ...{ count: 0, exposureMs: 0, gaps: 0, gapSquares: 0, exposureOthers: 0, missed: 0 },
    lastMs: leftMs,
    tookMs: leftMs - enteredMs,
    drivers: [driver],
  };
}

/** Passages due in a gap above which it only shows that the rate was not known. */
const gapMax = 6;

/** A passage older than the last one counts, but moves no clock. `memory` is in passages. */
export function addPassage(rate: PassageRate, passage: CountedPassage, memory: number): PassageRate {
  const gapMs = Math.max(0, passage.leftMs - rate.lastMs);
  const due = goesByOthers(rate)
    ? (rate.missed * rate.count) / rate.exposureOthers
    : gapMs * passagesPerMs(rate);
  const gap = Math.min(gapMax, rate.count < 1 ? 1 : due);
  const kept = 1 - 1 / memory;
  return {
    count: rate.count * kept + 1,
    exposureMs: rate.exposureMs * kept + gapMs,
    gaps: rate.gaps * kept + gap,
    gapSquares: rate.gapSquares * kept + gap * gap,
    exposureOthers: rate.exposureOthers * kept + rate.missed,
    ...latest(rate, passage),
  };
}

function latest(
  { lastMs, tookMs, drivers }: PassageRate,
  { driver, enteredMs, leftMs }: CountedPassage,
): Pick<PassageRate, 'lastMs' | 'tookMs' | 'missed' | 'drivers'> {
  return {
    lastMs: Math.max(lastMs, leftMs),
    tookMs: leftMs >= lastMs ? leftMs - enteredMs : tookMs,
    missed: 0,
    drivers: drivers.includes(driver) ? drivers : [...drivers, driver].slice(-driversKept),
  };
}

/** The first passage after a closure: how long that lasted says nothing about how often the open edge is driven. */
export function resumePassages(rate: PassageRate, passage: CountedPassage): PassageRate {
  return { ...rate, ...latest(rate, passage) };
}

/** Somebody took another exit of the crossing. */
export function missPassage(rate: PassageRate): PassageRate {
  return { ...rate, missed: rate.missed + 1 };
}

/** Passages per millisecond; 0 while nothing can be said. */
export function passagesPerMs({ count, exposureMs }: Pick<PassageRate, 'count' | 'exposureMs'>): number {
  return exposureMs > 0 ? count / exposureMs : 0;
}

/** Where a silence begins that is none of before: a closure was lifted to see whether it still holds. */
export interface SilenceStart {
  readonly atMs: number;
  readonly missed: number;
}

export interface SilenceSettings {
  /** Passages, decayed, that a rate must rest on before a silence means anything. */
  readonly passagesMin: number;
  /** Distinct drivers among the last ones behind the rate. */
  readonly driversMin: number;
  /** Slowest that traffic crawls over an edge, km/h, before anybody is seen to crawl. */
  readonly crawlKph: number;
}

export interface SilenceFacts {
  readonly lengthM: number;
  /** When anybody passed anywhere: a silence of all roads is one of the phones. */
  readonly heardMs: number;
}

/** Times as long as the last driver that the next one may take. */
const crawlGrowth = 3;
/** Passages of other exits beside one of the edge, at least. */
const othersShareMin = 0.25;
/** Passages that the guess "as steady as chance" weighs beside what the gaps say. */
const steadyPassages = 20;

/**
 * Nats of evidence in the silence since the last passage: -ln of the probability that an open edge stays silent for so
 * long. With n passages in exposure T and a rate that is known no better than that, it is n ln(1 + t / T) (a Poisson
 * process whose rate has a Gamma posterior), which is t n / T for short silences. Exposure is counted in passages of the
 * other exits, that is turn choices, and in time where there are none. Traffic that comes in platoons says less, by its
 * ratio of variance to mean.
 */
export function silenceEvidence(
  rate: PassageRate | undefined,
  { lengthM, heardMs }: SilenceFacts,
  start: SilenceStart | undefined,
  { passagesMin, driversMin, crawlKph }: SilenceSettings,
): number {
  if (rate === undefined || rate.count < passagesMin || rate.drivers.length < driversMin) return 0;
  const fromMs = Math.max(rate.lastMs, start?.atMs ?? rate.lastMs);
  // Who has entered is not seen before he has left, and in a jam that takes him longer than the one before him.
  const unseenMs = Math.max((lengthM * 3_600) / crawlKph, crawlGrowth * rate.tookMs);
  const silentMs = heardMs - fromMs - unseenMs;
  if (silentMs <= 0) return 0;
  const missed = (missedSince(rate, start) * silentMs) / (silentMs + unseenMs);
  const exposure = goesByOthers(rate) ? missed / rate.exposureOthers : silentMs / rate.exposureMs;
  return (rate.count * Math.log1p(exposure)) / dispersion(rate);
}

/** Other exits that were taken since the last passage, or since `start` when that was later. */
function missedSince(rate: PassageRate, start: SilenceStart | undefined): number {
  return rate.missed - (start !== undefined && start.atMs >= rate.lastMs ? start.missed : 0);
}

/** What a silence of so many milliseconds is held against, by the same clock as its evidence. */
export function silenceText(rate: PassageRate, silenceMs: number, start: SilenceStart | undefined): string {
  const silence = `nobody passed for ${durationText(silenceMs)}`;
  if (!goesByOthers(rate)) return `${silence} where one in ${durationText(1 / passagesPerMs(rate))} is usual`;
  const percent = Math.round((100 * rate.count) / (rate.count + rate.exposureOthers));
  return `${silence} while ${missedSince(rate, start)} took another way at its crossing, where ${percent} % usually go here`;
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** The other exits are a better clock than time, if enough take them: they know the hour, and what else is going on. */
function goesByOthers({ count, exposureOthers }: PassageRate): boolean {
  return exposureOthers >= othersShareMin * count;
}

/** Variance over mean of the number of passages, at least 1: for a renewal process the squared variation of its gaps. */
function dispersion({ count, gaps, gapSquares }: PassageRate): number {
  const variation = (gapSquares * count) / gaps ** 2 - 1;
  return Math.max(1, (count * variation + steadyPassages) / (count + steadyPassages));
}
