import type { Random } from '#platform/random/random.js';
import { edgeRules, type TrafficSettings, trafficDefaults } from '#processors/traffic/settings.js';
import { type TrafficOutput, type TrafficState, TrafficStep } from '#processors/traffic/traffic-step.js';
import { type ClosureReported, type EdgeObservation, incidentKind } from '#schemas/messages.js';
import {
  type CrossingSettings,
  crossingDay,
  expectedPerMinute,
  type TrueClosure,
} from '#simulated-city/crossing.js';

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** False closures of an edge in a day that the bound is given, too. */
const falsePerEdgeDay = 1e-3;
/** A Monday. */
const startMs = 1_794_787_200_000;

/** Found by the processor's own step. */
interface Found {
  readonly edgeId: string;
  readonly atMs: number;
  readonly active: boolean;
}

/** The step that the processor runs, over crossings that share a partition. */
class Detector {
  readonly #step: TrafficStep;
  readonly #state: TrafficState = { edges: new Map(), streamMs: 0, heardMs: 0 };
  readonly found: Found[] = [];

  constructor(crossings: readonly CrossingSettings[], settings: TrafficSettings) {
    const exits = crossings.flatMap((each) => each.exits);
    const facts = new Map(
      exits.map(({ edgeId, lengthM, freeFlowKph }) => {
        const mine = crossings.find((each) => each.exits.some((exit) => exit.edgeId === edgeId))!;
        const others = mine.exits.map((exit) => exit.edgeId).filter((id) => id !== edgeId);
        return [edgeId, { lengthM, freeFlowKph, others }];
      }),
    );
    this.#step = new TrafficStep({
      tilesetId: 'city',
      facts: (edgeId) => facts.get(edgeId),
      rules: edgeRules(settings),
      sweepMs: settings.sweepMs,
      sweepSpeedMs: settings.sweepSpeedMs,
      edgesMax: exits.length,
      onOutcome: () => undefined,
    });
  }

  observe(observations: readonly EdgeObservation[], reports: readonly ClosureReported[] = []): void {
    let next = 0;
    const reportUntil = (atMs: number): void => {
      for (; next < reports.length && reports[next]!.reportedMs <= atMs; next++)
        this.#note(this.#step.report(this.#state, reports[next]!), reports[next]!.reportedMs);
    };
    for (const observation of observations) {
      reportUntil(observation.receivedMs);
      const message = { tilesetId: 'city', cell: 1, observations: [observation] };
      this.#note(this.#step.apply(this.#state, message), observation.receivedMs);
    }
    reportUntil(Number.POSITIVE_INFINITY);
  }

  #note({ incidents }: TrafficOutput, atMs: number): void {
    for (const { edgeIds, kind, active } of incidents)
      if (kind === incidentKind.closed) this.found.push({ edgeId: edgeIds[0]!, atMs, active });
  }
}

/** So many users say that an edge is closed, at a time each. */
function reportsOf(edgeId: string, users: number, timeMs: (user: number) => number): ClosureReported[] {
  return Array.from({ length: users }, (_, user) => {
    const reportedMs = Math.round(timeMs(user));
    const reporter = 1e9 + user;
    return {
      ...{ tilesetId: 'city', cell: 1, edgeId, reporter, closed: true, reportedMs },
      expiresMs: reportedMs + 1_800_000,
    };
  }).sort((a, b) => a.reportedMs - b.reportedMs);
}

export interface FalseClosures {
  readonly edgeDays: number;
  readonly closures: number;
}

const merged = (days: readonly EdgeObservation[][]): EdgeObservation[] =>
  days.flat().sort((a, b) => a.receivedMs - b.receivedMs);

/**
 * Days on which nothing is closed, whatever liars say; what is found closed is false. Renewals of the same
 * one count once.
 */
export function falseClosures(
  crossings: readonly CrossingSettings[],
  days: number,
  random: Random,
  liars = 0,
  settings = trafficDefaults,
): FalseClosures {
  const detector = new Detector(crossings, settings);
  for (let day = 0; day < days; day++) {
    const atMs = startMs + day * dayMs;
    // Each of them reports the middle exit of each crossing every ten minutes, all day.
    const lies = Array.from({ length: liars === 0 ? 0 : 144 }, (_, i) =>
      crossings.flatMap(({ exits }) =>
        reportsOf(exits[1]!.edgeId, liars, (user) => atMs + i * 600_000 + user * 1_000),
      ),
    ).flat();
    detector.observe(
      merged(crossings.map((each) => crossingDay(each, atMs, [], random))),
      lies.sort((a, b) => a.reportedMs - b.reportedMs),
    );
  }
  const open = new Set<string>();
  let closures = 0;
  for (const { edgeId, active } of detector.found) {
    if (active && !open.has(edgeId)) closures++;
    if (active) open.add(edgeId);
    else open.delete(edgeId);
  }
  return { edgeDays: days * crossings.reduce((sum, each) => sum + each.exits.length, 0), closures };
}

export interface Delay {
  /** Undefined when the closure was over before it was found. */
  readonly foundAfterMs: number | undefined;
  /**
   * What an ideal silence test needs, that knows the rate at every moment: ln(1 / risk of one decision) /
   * rate.
   */
  readonly boundMs: number;
  /** The same at risk 1/1,000 for each decision, however many a day has. */
  readonly shortBoundMs: number;
  /** Time from the end of the closure to the word that the road is open again. */
  readonly reopenedAfterMs: number | undefined;
}

/**
 * One closure of the middle exit of the first crossing a day, in daylight, lasting `lastsMs`; users report it
 * in its first three minutes.
 */
export function closureDelays(
  crossings: readonly CrossingSettings[],
  closures: number,
  lastsMs: number,
  random: Random,
  reporters = 0,
  settings = trafficDefaults,
): Delay[] {
  const [first] = crossings as readonly [CrossingSettings];
  const { edgeId } = first.exits[1]!;
  const perDay = Array.from({ length: 1_440 }, (_, i) => expectedPerMinute(first, 1, i * minuteMs)).reduce(
    (sum, each) => sum + each,
  );
  const nats = Math.log(perDay / falsePerEdgeDay);
  const shortNats = Math.log(1 / falsePerEdgeDay);
  const delays: Delay[] = [];
  for (let i = 0; i < closures; i++) {
    const detector = new Detector(crossings, settings);
    const fromMs = startMs + dayMs + (7 + 11 * random.next()) * 3_600_000;
    const closure: TrueClosure = { edgeId, fromMs, toMs: fromMs + lastsMs };
    for (let day = 0; day < 2; day++) {
      const at = startMs + day * dayMs;
      detector.observe(
        merged(crossings.map((each, k) => crossingDay(each, at, k === 0 ? [closure] : [], random))),
        day === 0 ? [] : reportsOf(edgeId, reporters, () => fromMs + 180_000 * random.next()),
      );
    }
    const after = detector.found.filter((each) => each.edgeId === edgeId && each.atMs >= fromMs);
    const found = after.find(({ active, atMs }) => active && atMs < closure.toMs);
    const opened = after.find(({ active, atMs }) => !active && atMs >= closure.toMs);
    delays.push({
      foundAfterMs: found === undefined ? undefined : found.atMs - fromMs,
      boundMs: timeFor(nats, first, fromMs),
      shortBoundMs: timeFor(shortNats, first, fromMs),
      reopenedAfterMs: found === undefined || opened === undefined ? undefined : opened.atMs - closure.toMs,
    });
  }
  return delays;
}

/** Milliseconds in which this many passages are expected. */
function timeFor(passages: number, crossing: CrossingSettings, fromMs: number): number {
  const stepMs = 5_000;
  let left = passages;
  for (let atMs = fromMs; ; atMs += stepMs) {
    left -= (expectedPerMinute(crossing, 1, atMs) * stepMs) / minuteMs;
    if (left <= 0) return atMs + stepMs - fromMs;
  }
}
