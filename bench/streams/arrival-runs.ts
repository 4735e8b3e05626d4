import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import type { Random } from '#platform/random/random.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { addToWindow, type SpeedWindow, speedFigure } from '#processors/traffic/speed-window.js';
import { EdgeWeek } from '#processors/typical-week/edge-week.js';
import { resolveWeeks } from '#processors/typical-week/resolve-weeks.js';
import {
  type ArrivalEstimate,
  type ArrivalModel,
  estimateArrival,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { horizonOf, noDrift } from '#routing-engine/arrival-times/interval-reach.js';
import { routeFeatures } from '#routing-engine/arrival-times/route-features.js';
import { noSteering, steeredModel, steeringAfter } from '#routing-engine/arrival-times/steering.js';
import { encodeTypicalWeek, TypicalWeek } from '#routing-engine/network/typical-week.js';
import type { CityRoads } from '#simulated-city/city-roads.js';
import { diurnal } from '#simulated-city/crossing.js';
import { TrueTraffic } from '#simulated-city/true-traffic.js';
import { mean } from './statistics.js';

const dayMs = 86_400_000;
/**
 * From the end of a trip to a reader whose interval includes it: one publication and one poll, a minute each.
 */
const steeredAfterMs = 120_000;
/**
 * Days before the evaluated ones on which the interval is already adjusted, as on a platform that has run for
 * a while.
 */
const steeredBefore = 3;
/** A Monday. */
const startMs = 1_794_787_200_000;

export interface ArrivalRunSettings {
  readonly seed: number;
  readonly routes: number;
  readonly tripsPerDay: number;
  /** Days for learning speeds, then for the correction, then evaluated days. */
  readonly days: readonly [typical: number, correction: number, judged: number];
}

export interface ArrivalErrors {
  readonly trips: number;
  /** Mean of |said - actual| / actual. */
  readonly mape: Readonly<Record<string, number>>;
  /** Share of the actual times within the interval, and its mean width over the actual time. */
  readonly covered: number;
  readonly coveredWithoutSteering: number;
  /** The same by horizon, and on the best and the worst day. */
  readonly coveredByHorizon: readonly number[];
  readonly coveredOfADay: readonly [least: number, most: number];
  readonly width: number;
  readonly biasOfOurs: number;
}

interface Route {
  readonly edges: readonly {
    readonly edge: number;
    readonly edgeId: string;
    readonly freeFlowMs: number;
    readonly lengthM: number;
  }[];
}

/** A city that drives for weeks. Every passage teaches speeds, every finished trip the correction. */
export async function arrivalErrors(
  roads: CityRoads,
  { seed, routes: count, tripsPerDay, days: [typicalDays, correctionDays, judgedDays] }: ArrivalRunSettings,
  random: Random,
): Promise<ArrivalErrors> {
  const traffic = new TrueTraffic(roads, seed);
  const routes = drawRoutes(roads, count, random);
  const weeks = new Map<string, EdgeWeek>();
  let typical: TypicalWeek | undefined;
  const ratio = (edgeId: string, atMs: number): number | undefined => typical?.ratio(edgeId, atMs);
  const live = new Map<string, SpeedWindow>();
  const trips: FinishedTrip[] = [];
  const said: (FinishedTrip &
    ArrivalEstimate & { readonly still: boolean; readonly freeS: number; readonly metricS: number })[] = [];
  let model: ArrivalModel | undefined;
  const prior = arrivalPrior('city');
  let steering = noSteering;
  /** Trips whose end no reader has received yet. */
  let underWay: { readonly trip: FinishedTrip; readonly saidS: number; readonly knownMs: number }[] = [];
  const steer = (nowMs: number): void => {
    const known = underWay.filter(({ knownMs }) => knownMs <= nowMs);
    if (known.length === 0) return;
    underWay = underWay.filter(({ knownMs }) => knownMs > nowMs);
    for (const { trip, saidS } of known.toSorted((a, b) => a.knownMs - b.knownMs))
      if (model !== undefined) steering = steeringAfter(model, steering, trip, saidS);
  };
  for (let day = 0; day < typicalDays + correctionDays + judgedDays; day++) {
    if (day >= typicalDays) {
      for (const week of weeks.values()) week.close();
      typical = TypicalWeek.from(encodeTypicalWeek(startMs, resolveWeeks(weeks, 1)));
    }
    // Every night from the last weeks, as the processor does; each day is evaluated with what was learned
    // before it.
    const isJudged = day >= typicalDays + correctionDays;
    if (day >= typicalDays + correctionDays - steeredBefore) {
      const known = trips.slice(-tripsPerDay * correctionDays);
      model = await trainArrivalModel(known, { tilesetId: 'city', version: day, prior });
      steering = { ...noSteering, trips: known.length, drift: steering.drift };
    }
    for (const departMs of departures(startMs + day * dayMs, tripsPerDay, random)) {
      steer(departMs);
      const { edges } = random.pick(routes);
      const pace = 0.88 + 0.24 * random.next();
      const localMs = roads.localMs(departMs);
      const outlook = { departMs, localMs, metricS: metricSeconds(edges, live, departMs, ratio), edges };
      const features = day < typicalDays ? undefined : routeFeatures(outlook, ratio);
      let atMs = departMs;
      for (const { edge, edgeId, freeFlowMs, lengthM } of edges) {
        const { movingS, waitingS } = traffic.drive(edge, atMs, pace, random);
        const enteredMs = atMs;
        atMs += (movingS + waitingS) * 1_000;
        const driver = 1 + random.below(2 ** 40);
        const week = weeks.get(edgeId) ?? new EdgeWeek();
        weeks.set(edgeId, week);
        week.add(driver, atMs, (atMs - enteredMs) / freeFlowMs);
        const passage = { driver, enteredMs, leftMs: atMs, metresPerMs: lengthM / (atMs - enteredMs) };
        const before = (live.get(edgeId) ?? []).slice(-20);
        live.set(edgeId, addToWindow(before, passage, trafficDefaults.window) ?? before);
      }
      if (features === undefined) continue;
      const freeS = edges.reduce((sum, { freeFlowMs }) => sum + freeFlowMs, 0) / 1_000;
      const trip = { ...features, departMs, actualS: (atMs - departMs) / 1_000 };
      trips.push(trip);
      if (model === undefined) continue;
      const estimate = estimateArrival(steeredModel(model, steering), trip);
      underWay.push({ trip, saidS: estimate.durationS, knownMs: atMs + steeredAfterMs });
      if (!isJudged) continue;
      const still = isWithin(trip.actualS, estimateArrival(model, trip));
      said.push({ ...trip, ...estimate, still, freeS, metricS: outlook.metricS });
    }
  }
  const mape = (of: (trip: (typeof said)[number]) => number): number =>
    mean(said.map((trip) => Math.abs(of(trip) - trip.actualS) / trip.actualS));
  const ofDays = Array.from({ length: judgedDays }, (_, day) => {
    const fromMs = startMs + (typicalDays + correctionDays + day) * dayMs;
    return coverage(said.filter(({ departMs }) => departMs >= fromMs && departMs < fromMs + dayMs));
  }).sort((a, b) => a - b);
  const scale = mean(trips.map(({ actualS, physicalS }) => actualS / physicalS));
  return {
    trips: said.length,
    mape: {
      'free flow': mape(({ freeS }) => freeS),
      'live metric': mape(({ metricS }) => metricS),
      physical: mape(({ physicalS }) => physicalS),
      'physical, one factor': mape(({ physicalS }) => physicalS * scale),
      ours: mape(({ durationS }) => durationS),
    },
    covered: coverage(said),
    coveredWithoutSteering: mean(said.map(({ still }) => (still ? 1 : 0))),
    coveredByHorizon: noDrift.map((_, horizon) =>
      coverage(said.filter(({ physicalS }) => horizonOf(physicalS) === horizon)),
    ),
    coveredOfADay: [ofDays[0]!, ofDays.at(-1)!],
    width: mean(said.map(({ lowS, highS, actualS }) => (highS - lowS) / actualS)),
    biasOfOurs: mean(said.map(({ durationS, actualS }) => (durationS - actualS) / actualS)),
  };
}

const isWithin = (actualS: number, { lowS, highS }: ArrivalEstimate): boolean =>
  lowS <= actualS && actualS <= highS;

const coverage = (said: readonly (ArrivalEstimate & { readonly actualS: number })[]): number =>
  mean(said.map((each) => (isWithin(each.actualS, each) ? 1 : 0)));

function departures(fromMs: number, count: number, random: Random): number[] {
  const times: number[] = [];
  while (times.length < count) {
    const atMs = fromMs + random.next() * dayMs;
    if (random.next() * 3.2 < diurnal(atMs)) times.push(atMs);
  }
  return times.sort((a, b) => a - b);
}

/** What the published metric says: live where enough drivers passed lately, else the empty road. */
function metricSeconds(
  edges: Route['edges'],
  live: ReadonlyMap<string, SpeedWindow>,
  atMs: number,
  ratio: (edgeId: string, atMs: number) => number | undefined,
): number {
  let seconds = 0;
  for (const { edgeId, freeFlowMs, lengthM } of edges) {
    const usual = ratio(edgeId, atMs);
    const typicalKph = usual === undefined ? undefined : (lengthM * 3_600) / freeFlowMs / usual;
    // A passage that is still in progress has not been observed.
    const window = (live.get(edgeId) ?? []).filter(({ leftMs }) => leftMs <= atMs);
    const figure = speedFigure(window, atMs, trafficDefaults.window, typicalKph);
    const freeKph = (lengthM * 3_600) / freeFlowMs;
    const isSaid = figure !== undefined && Math.abs(figure.kph - freeKph) > 0.15 * freeKph;
    seconds += isSaid ? (lengthM * 3.6) / figure.kph : freeFlowMs / 1_000;
  }
  return seconds;
}

function drawRoutes(roads: CityRoads, count: number, random: Random): Route[] {
  const routes: Route[] = [];
  const places = Array.from({ length: 40 }, () => random.below(roads.edgeCount)).filter(
    (edge) => roads.freeFlowKph(edge) > 0,
  );
  for (let tries = 0; routes.length < count && tries < 50 * count; tries++) {
    const [from, to] = [random.pick(places), random.pick(places)];
    const way = from === to ? undefined : roads.findPath(from, 0, to, new Set());
    if (way === undefined || way.length < 15) continue;
    routes.push({
      edges: way.map((edge) => ({
        edge,
        edgeId: roads.edgeId(edge),
        lengthM: roads.edgeLengthM(edge),
        freeFlowMs: (roads.edgeLengthM(edge) * 3_600) / roads.freeFlowKph(edge),
      })),
    });
  }
  return routes;
}
