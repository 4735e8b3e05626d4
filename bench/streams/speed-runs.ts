import type { Random } from '#platform/random/random.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import {
  addToWindow,
  type SpeedWindow,
  speedFigure,
  type WindowSettings,
} from '#processors/traffic/speed-window.js';
import { EdgeWeek } from '#processors/typical-week/edge-week.js';
import { resolveWeeks } from '#processors/typical-week/resolve-weeks.js';
import { encodeTypicalWeek, TypicalWeek } from '#routing-engine/network/typical-week.js';
import type { CityRoads } from '#simulated-city/city-roads.js';
import { diurnal } from '#simulated-city/crossing.js';
import { probe } from '#simulated-city/probe.js';
import { TrueTraffic } from '#simulated-city/true-traffic.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A Monday. */
const startMs = 1_794_787_200_000;

export interface SpeedRunSettings {
  readonly edges: number;
  /** Probes a minute and edge while errors are measured, at least three. */
  readonly perMinute: number;
  /** Probes a minute and edge while the week is learnt, on the average of the day. */
  readonly learningPerMinute: number;
  readonly weeks: number;
  readonly seed: number;
  /** Edges of a hundred beside which a phone stands that reports: parked, at a bus stop, in a shop. */
  readonly standing: number;
}

/** Mean over edges and minutes of |estimate - true| / true, by estimator. */
export type SpeedErrors = Readonly<Record<string, number>>;

const windows: Readonly<Record<string, WindowSettings>> = {
  ours: trafficDefaults.window,
  'ours without typical week': { ...trafficDefaults.window, typicalPassages: 0 },
};

export function speedErrors(roads: CityRoads, settings: SpeedRunSettings, random: Random): SpeedErrors {
  const traffic = new TrueTraffic(roads, settings.seed);
  const chosen = drawEdges(roads, settings.edges, random).map((edge, i) => ({
    edge,
    edgeId: roads.edgeId(edge),
    lengthM: roads.edgeLengthM(edge),
    freeFlowKph: roads.freeFlowKph(edge),
    hasStanding: i % 100 < settings.standing,
  }));
  type Road = (typeof chosen)[number];
  const phones = () => ({ everyMs: 1_000 + 4_000 * random.next(), afterM: random.next() < 0.3 ? 10 : 0 });

  const learnt = new Map<string, EdgeWeek>();
  const learn = (road: Road): void => {
    const week = new EdgeWeek();
    const endMs = startMs + settings.weeks * 7 * dayMs;
    for (let atMs = startMs; atMs < endMs; atMs += minuteMs) {
      const due = settings.learningPerMinute * diurnal(atMs);
      for (let left = due; left > 0 && random.next() < left; left--) {
        const { enteredMs, leftMs, driver } = probe(traffic, road, atMs, random, {
          everyMs: 1e9,
          afterM: 0,
        }).passage;
        week.add(driver, leftMs, ((leftMs - enteredMs) * road.freeFlowKph) / (road.lengthM * 3_600));
      }
    }
    week.close();
    learnt.set(road.edgeId, week);
  };
  for (const road of chosen) learn(road);
  const week = TypicalWeek.from(encodeTypicalWeek(startMs, resolveWeeks(learnt, 1)));

  const errors = new Map<string, { sum: number; count: number }>();
  const judge = (who: string, kph: number | undefined, truthKph: number): void => {
    if (kph === undefined) return;
    const error = errors.get(who) ?? { sum: 0, count: 0 };
    error.sum += Math.abs(kph - truthKph) / truthKph;
    error.count++;
    errors.set(who, error);
  };
  const naiveMinutes = [1, 2, 5];
  // Three days that the week was not learnt from: a Tuesday, a Friday, a Saturday.
  for (const day of [1, 4, 5]) {
    const dayFromMs = startMs + (settings.weeks * 7 + day) * dayMs;
    for (const road of chosen) {
      const { edge, edgeId, lengthM, freeFlowKph, hasStanding } = road;
      const fromMs = dayFromMs + (6 + 12 * random.next()) * 3_600_000;
      let window: SpeedWindow = [];
      let points: { atMs: number; kph: number }[] = [];
      let waiting: ReturnType<typeof probe>[] = [];
      for (let minute = 0; minute < 90; minute++) {
        const atMs = fromMs + minute * minuteMs;
        for (let i = poisson(settings.perMinute, random); i > 0; i--)
          waiting.push(probe(traffic, road, atMs - minuteMs * random.next(), random, phones()));
        if (hasStanding && minute % 30 < 12)
          for (let s = 0; s < 60; s += 5)
            points.push({ atMs: atMs - s * 1_000, kph: Math.abs(random.normal()) * 0.8 });
        const arrived = waiting.filter(({ passage }) => passage.receivedMs <= atMs);
        waiting = waiting.filter(({ passage }) => passage.receivedMs > atMs);
        for (const each of arrived) {
          const { driver, enteredMs, leftMs } = each.passage;
          const passage = { driver, enteredMs, leftMs, metresPerMs: lengthM / (leftMs - enteredMs) };
          window = addToWindow(window, passage, trafficDefaults.window) ?? window;
        }
        // Points arrive while the edge is still being driven.
        for (const { points: of } of [...arrived, ...waiting])
          points.push(...of.filter((p) => p.atMs <= atMs && p.atMs > atMs - minuteMs));
        points = points.filter((p) => p.atMs > atMs - 5 * minuteMs);
        if (minute < 10) continue;
        const truth = (lengthM * 3.6) / traffic.meanS(edge, atMs);
        for (const each of naiveMinutes) {
          const recent = points.filter((p) => p.atMs > atMs - each * minuteMs);
          if (recent.length > 0)
            judge(
              `naive mean of ${each} min`,
              recent.reduce((sum, p) => sum + p.kph, 0) / recent.length,
              truth,
            );
        }
        const typicalKph = freeFlowKph / week.ratio(edgeId, atMs)!;
        for (const [who, use] of Object.entries(windows))
          judge(who, speedFigure(window, atMs, use, typicalKph)?.kph, truth);
        judge('typical week alone', typicalKph, truth);
        judge('free flow', freeFlowKph, truth);
      }
    }
  }
  return Object.fromEntries(
    [...errors].map(([who, { sum, count }]) => [who, Number((sum / count).toPrecision(4))]),
  );
}

function drawEdges(roads: CityRoads, count: number, random: Random): number[] {
  const edges = new Set<number>();
  while (edges.size < count) {
    const edge = random.below(roads.edgeCount);
    if (roads.freeFlowKph(edge) > 0 && roads.edgeLengthM(edge) >= 50) edges.add(edge);
  }
  return [...edges];
}

function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = Math.exp(-mean), product = random.next(); product > left; product *= random.next()) count++;
  return count;
}
