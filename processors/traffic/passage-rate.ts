import {
  type Approach,
  missedNats,
  missedShare,
  type ShareSettings,
  slotOf,
  withLearntMissed,
  withMissed,
  withoutMissed,
  withTaken,
} from './turn-shares.js';

/**
 * How drivers who choose their route themselves use an edge. Guided drivers go where the platform sends them:
 * their passages show that the edge is open, but not how often it is chosen.
 */
export interface PassageRate {
  /** Slots with a passage, after the first; each new one takes `1 / memory` off those before. */
  readonly count: number;
  /** Milliseconds in which `count` was collected, with the same decay. */
  readonly exposureMs: number;
  /** When the first passage left the edge: the age of the rate. */
  readonly sinceMs: number;
  /** When the last passage of any driver ended. */
  readonly lastMs: number;
  /** How long the last passage took. */
  readonly tookMs: number;
  /** The last distinct drivers, `driversKept` at most: a rate from one phone proves nothing. */
  readonly drivers: readonly number[];
  /** Distinct drivers who took another exit since the last passage, `missedByMax` at most. */
  readonly missedBy?: readonly number[];
  readonly approaches: readonly Approach[];
}

const driversKept = 16;
const missedByMax = 16;

/** One drive over the edge that counts. */
export interface CountedPassage {
  readonly driver: number;
  readonly enteredMs: number;
  readonly leftMs: number;
  /** Stable id of the previous edge. */
  readonly cameFrom?: string | undefined;
  /** The platform guided the driver here. */
  readonly guided?: boolean;
}

export function firstPassage({ driver, enteredMs, leftMs }: CountedPassage): PassageRate {
  return {
    count: 0,
    exposureMs: 0,
    sinceMs: leftMs,
    lastMs: leftMs,
    tookMs: leftMs - enteredMs,
    drivers: [driver],
    approaches: [],
  };
}

/** A passage older than the last one counts, but moves no clock. `memory` is in slots. */
export function addPassage(rate: PassageRate, passage: CountedPassage, memory: number): PassageRate {
  const { enteredMs, leftMs, cameFrom = '', guided = false } = passage;
  const gapMs = Math.max(0, leftMs - rate.lastMs);
  const counts = !guided && slotOf(leftMs) > slotOf(rate.lastMs);
  const kept = counts ? 1 - 1 / memory : 1;
  const approaches = guided
    ? withLearntMissed(rate.approaches, enteredMs)
    : withTaken(rate.approaches, cameFrom, enteredMs, memory);
  const { lastMs, tookMs, drivers } = latest(rate, passage);
  return {
    ...rate,
    count: rate.count * kept + (counts ? 1 : 0),
    exposureMs: rate.exposureMs * kept + gapMs,
    lastMs,
    tookMs,
    drivers,
    approaches,
    missedBy: stillMissed(rate, approaches),
  };
}

/** Those of the drivers who took another exit later than the passage. */
function stillMissed({ missedBy = [] }: PassageRate, approaches: readonly Approach[]): readonly number[] {
  const later = approaches.reduce((sum, { passedBy }) => sum + passedBy, 0);
  return later === 0 ? [] : missedBy.slice(-later);
}

function latest(
  { lastMs, tookMs, drivers }: PassageRate,
  { driver, enteredMs, leftMs, guided = false }: CountedPassage,
): Pick<PassageRate, 'lastMs' | 'tookMs' | 'drivers'> {
  const isKnown = guided || drivers.includes(driver);
  return {
    lastMs: Math.max(lastMs, leftMs),
    tookMs: leftMs >= lastMs ? leftMs - enteredMs : tookMs,
    drivers: isKnown ? drivers : [...drivers, driver].slice(-driversKept),
  };
}

/** The first passage after a closure, whose duration does not count for the rate of the open edge. */
export function resumePassages(rate: PassageRate, passage: CountedPassage): PassageRate {
  return { ...rate, ...latest(rate, passage), approaches: withoutMissed(rate.approaches), missedBy: [] };
}

/** A driver who was not guided took another exit of the crossing. */
export function missPassage(
  rate: PassageRate,
  { driver, enteredMs, cameFrom = '' }: CountedPassage,
): PassageRate {
  const { missedBy = [] } = rate;
  const approaches = withMissed(rate.approaches, cameFrom, enteredMs);
  if (approaches === rate.approaches) return rate;
  const isKnown = missedBy.includes(driver) || missedBy.length >= missedByMax;
  return { ...rate, approaches, missedBy: isKnown ? missedBy : [...missedBy, driver] };
}

/** A closure expired: passages missed meanwhile prove nothing. */
export function forgetMissed(rate: PassageRate): PassageRate {
  return { ...rate, approaches: withoutMissed(rate.approaches), missedBy: [] };
}

/** Passages per millisecond, platoons counted once; 0 while the rate is unknown. */
export function passagesPerMs({ count, exposureMs }: Pick<PassageRate, 'count' | 'exposureMs'>): number {
  return exposureMs > 0 ? count / exposureMs : 0;
}

/** Start of a new silence: a closure was lifted to see whether it still holds. */
export interface SilenceStart {
  readonly atMs: number;
}

export interface SilenceSettings {
  /** Decayed slots with a passage that a rate needs before silence counts. */
  readonly passagesMin: number;
  /** Distinct drivers among the last ones behind the rate. */
  readonly driversMin: number;
  /** Milliseconds from the first passage to the last that a rate must cover: a burst is not a habit. */
  readonly spanMinMs: number;
  /**
   * Passages that must be due by the clock, too: what few drivers choose just now may be an event elsewhere.
   */
  readonly dueMin: number;
  /** Distinct drivers, beside the guided ones who turned away, who must have taken another exit. */
  readonly strangersMin?: number;
  /** Slowest speed of a jam on an edge, km/h, before any driver is seen to crawl. */
  readonly crawlKph: number;
  readonly shares: ShareSettings;
}

export interface SilenceFacts {
  readonly lengthM: number;
  /** The last passage of any driver anywhere: if all roads are silent, the phones are. */
  readonly heardMs: number;
}

/** The next driver may take this many times as long as the last one. */
const crawlGrowth = 3;

/**
 * Nats of evidence in the silence since the last passage. Two things must hold. By the clock, `dueMin`
 * passages or more are due. And drivers who could have taken the edge came and took other exits: their
 * choices, compared with earlier ones from the same road, are the evidence. Without such drivers there is no
 * evidence, so a fleet that stops driving proves nothing.
 */
export function silenceEvidence(
  rate: PassageRate | undefined,
  { lengthM, heardMs }: SilenceFacts,
  start: SilenceStart | undefined,
  { passagesMin, driversMin, spanMinMs, dueMin, strangersMin = 0, crawlKph, shares }: SilenceSettings,
  isWitness: (driver: number) => boolean = () => false,
): number {
  if (rate === undefined || rate.count < passagesMin || rate.drivers.length < driversMin) return 0;
  if (rate.lastMs - rate.sinceMs < spanMinMs) return 0;
  const fromMs = Math.max(rate.lastMs, start?.atMs ?? rate.lastMs);
  // A driver who has entered the edge is not seen before leaving it, and in a jam that takes longer than last
  // time.
  const unseenMs = Math.max((lengthM * 3_600) / crawlKph, crawlGrowth * rate.tookMs);
  const silentMs = heardMs - fromMs - unseenMs;
  if (silentMs <= 0 || silentMs * passagesPerMs(rate) < dueMin) return 0;
  const { missedBy = [] } = rate;
  if (strangersMin > 0 && missedBy.filter((driver) => !isWitness(driver)).length < strangersMin) return 0;
  return missedNats(rate.approaches, { ms: heardMs - fromMs, seenMs: heardMs - unseenMs }, shares);
}

/** The usual figures that a silence of this length is compared with. */
export function silenceText(
  { approaches }: PassageRate,
  silenceMs: number,
  { shares }: SilenceSettings,
): string {
  const silent = { ms: silenceMs, seenMs: Number.POSITIVE_INFINITY };
  const { missed, share } = missedShare(approaches, silent, shares);
  const percent = Math.round(100 * share);
  const silence = `nobody passed for ${durationText(silenceMs)}`;
  return `${silence} while ${missed} took another exit, where ${percent} % usually go here`;
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
