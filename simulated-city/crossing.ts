import type { Random } from '#platform/random/random.js';
import { type EdgeObservation, observationKind } from '#schemas/messages.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface CrossingExit {
  readonly edgeId: string;
  readonly lengthM: number;
  readonly freeFlowKph: number;
  /** Of the drivers of the first approach; those of the second choose in the opposite order. */
  readonly share: number;
}

export interface CrossingSettings {
  readonly exits: readonly CrossingExit[];
  /** Drivers with a phone who come to the crossing, on average over the day. */
  readonly arrivalsPerMinute: number;
  readonly guidedShare: number;
  /** Probability that a guided driver leaves the route at an open exit, for their own reasons. */
  readonly leavesRoute: number;
  /** Length of the signal's cycle: drivers who come at red leave with the platoon. 0: no signal. */
  readonly cycleS: number;
  /** Jams of one exit in a day: all drivers crawl, and guided drivers queue before it. */
  readonly jamsPerDay: number;
  /** Times a day at which no phone reports for ten minutes. */
  readonly outagesPerDay: number;
}

export interface TrueClosure {
  readonly edgeId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Share of the day's mean: little at night, two peaks, by minutes of Gaussians around 8:00, 13:00 and 17:00.
 */
export function diurnal(atMs: number): number {
  const hour = (atMs % dayMs) / 3_600_000;
  const peak = (at: number, width: number): number => Math.exp(-(((hour - at) / width) ** 2) / 2);
  return 0.08 + 2.2 * peak(8, 1.3) + 1.3 * peak(13, 2.5) + 2.3 * peak(17.3, 1.6);
}

const diurnalMean =
  Array.from({ length: 1_440 }, (_, i) => diurnal(i * minuteMs)).reduce((a, b) => a + b) / 1_440;

/** Expected passages of an open exit in a minute at that time. */
export function expectedPerMinute(
  { exits, arrivalsPerMinute }: CrossingSettings,
  exit: number,
  atMs: number,
): number {
  const share = (exits[exit]!.share + exits.at(-1 - exit)!.share) / 2;
  return (arrivalsPerMinute * share * diurnal(atMs)) / diurnalMean;
}

/**
 * One day of one crossing, by what the matcher would say about it, in the order of acceptance. Arrivals are a
 * Poisson process that follows the hours; signals make platoons of them, jams hold them up, and phones fall
 * silent.
 */
export function crossingDay(
  settings: CrossingSettings,
  startMs: number,
  closures: readonly TrueClosure[],
  random: Random,
): EdgeObservation[] {
  const { exits, arrivalsPerMinute } = settings;
  const jams = spans(settings.jamsPerDay, 15 * minuteMs, 50 * minuteMs, startMs, random).map((span) => ({
    ...span,
    exit: random.below(exits.length),
    paceFactor: 4 + 6 * random.next(),
  }));
  const outages = spans(settings.outagesPerDay, 10 * minuteMs, 10 * minuteMs, startMs, random);
  const seen: EdgeObservation[] = [];
  const mostPerMs = (arrivalsPerMinute / minuteMs) * (3.2 / diurnalMean);
  for (let atMs = startMs; ; ) {
    atMs -= Math.log(1 - random.next()) / mostPerMs;
    if (atMs >= startMs + dayMs) break;
    if (random.next() * 3.2 > diurnal(atMs)) continue;
    const approach = random.below(2);
    const reachedMs = released(atMs, approach, settings.cycleS);
    const exit = chosen(exits, approach, random);
    const driver = 1 + random.below(2 ** 40);
    const isGuided = random.next() < settings.guidedShare;
    const { edgeId } = exits[exit]!;
    const isClosed = closures.some(
      (each) => each.edgeId === edgeId && each.fromMs <= reachedMs && reachedMs < each.toMs,
    );
    const jam = jams.find((each) => each.exit === exit && each.fromMs <= reachedMs && reachedMs < each.toMs);
    const leaves = isClosed || (isGuided && random.next() < settings.leavesRoute);
    const report = (kind: number, id: string, enteredMs: number, leftMs: number): void => {
      const receivedMs = leftMs + 500 + random.next() * 4_000;
      if (outages.some((each) => each.fromMs <= receivedMs && receivedMs < each.toMs)) return;
      seen.push({
        ...{ edgeId: id, kind, driver },
        enteredMs: Math.round(enteredMs),
        leftMs: Math.round(leftMs),
        receivedMs: Math.round(receivedMs),
      });
    };
    const drive = (onto: number, fromMs: number, factor: number): void => {
      const { lengthM, freeFlowKph, edgeId: id } = exits[onto]!;
      const tookMs = ((lengthM * 3_600) / freeFlowKph) * (0.85 + 0.5 * random.next()) * factor;
      report(observationKind.passed, id, fromMs, fromMs + tookMs);
    };
    if (leaves) {
      // The driver needs time to decide and turn before they are certainly on another road.
      if (isGuided)
        report(observationKind.turnedAway, edgeId, reachedMs, reachedMs + 8_000 + random.next() * 25_000);
      const other = (exit + 1 + random.below(exits.length - 1)) % exits.length;
      drive(other, reachedMs + 5_000, 1);
      continue;
    }
    // A queue grows: no driver waits longer than it has stood.
    const standsMs = jam === undefined ? 0 : reachedMs - jam.fromMs;
    const enteredMs = reachedMs + random.next() * Math.min(4 * minuteMs, 0.6 * standsMs);
    if (isGuided && enteredMs - reachedMs > 150_000)
      report(observationKind.turnedAway, edgeId, reachedMs, reachedMs + 150_000);
    drive(exit, enteredMs, 1 + ((jam?.paceFactor ?? 1) - 1) * Math.min(1, standsMs / (5 * minuteMs)));
  }
  return seen.sort((a, b) => a.receivedMs - b.receivedMs);
}

function chosen(exits: readonly CrossingExit[], approach: number, random: Random): number {
  let left = random.next();
  for (let i = 0; i < exits.length - 1; i++) {
    left -= exits[approach === 0 ? i : exits.length - 1 - i]!.share;
    if (left < 0) return i;
  }
  return exits.length - 1;
}

/** The two approaches have green in turns; at red cars wait and leave two seconds apart. */
function released(atMs: number, approach: number, cycleS: number): number {
  if (cycleS === 0) return atMs;
  const phase = (atMs / 1_000 + (approach * cycleS) / 2) % cycleS;
  return phase < cycleS / 2 ? atMs + (cycleS / 2 - phase) * 1_000 * 0.97 + 1_000 : atMs;
}

function spans(
  perDay: number,
  shortestMs: number,
  longestMs: number,
  startMs: number,
  random: Random,
): Span[] {
  const count = Math.floor(perDay) + (random.next() < perDay % 1 ? 1 : 0);
  return Array.from({ length: count }, () => {
    const fromMs = startMs + random.next() * dayMs;
    return { fromMs, toMs: fromMs + shortestMs + random.next() * (longestMs - shortestMs) };
  });
}
