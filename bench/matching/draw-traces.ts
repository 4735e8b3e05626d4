import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute, type RoutePath } from '#routing-engine/route/find-route.js';
import { randomEnds } from '../routing/random-ends.js';
import { driveTrace, type Phone, type Trace } from './drive-trace.js';

/** From a good receiver to a bad one, from a point a second to one in half a minute. */
export const phones: readonly Phone[] = [
  { sigmaM: 5, everyS: 1, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 10, everyS: 1, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 20, everyS: 1, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 5, everyS: 5, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 10, everyS: 5, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 20, everyS: 5, heading: true, gapsPerMinute: 0.05 },
  { sigmaM: 10, everyS: 5, heading: false, gapsPerMinute: 0.05 },
  { sigmaM: 5, everyS: 15, heading: true, gapsPerMinute: 0 },
  { sigmaM: 20, everyS: 15, heading: true, gapsPerMinute: 0 },
  { sigmaM: 10, everyS: 30, heading: true, gapsPerMinute: 0 },
  { sigmaM: 20, everyS: 30, heading: false, gapsPerMinute: 0 },
];

export const exactPhone: Phone = { sigmaM: 0.3, everyS: 2, heading: true, gapsPerMinute: 0 };

export const phoneName = ({ sigmaM, everyS, heading }: Phone): string =>
  `σ ${sigmaM} m, every ${everyS} s${heading ? '' : ', no heading'}`;

const routeMinM = 2_000;
const routeMaxM = 15_000;

/** Fastest routes between random places on roads open to all. */
export function drawRoutes(network: RoadNetwork, count: number, random: () => number): RoutePath[] {
  const ends = randomEnds(network, 'driving', random);
  const metric = freeFlowMetric(network, 'driving');
  const routes: RoutePath[] = [];
  for (let tries = 0; routes.length < count && tries < 100 * count; tries++) {
    const outcome = findRoute(network, metric, { from: [ends.open()], to: [ends.open()] });
    if (outcome.status !== 'ok') continue;
    const { lengthM } = outcome.path;
    if (lengthM >= routeMinM && lengthM <= routeMaxM) routes.push(outcome.path);
  }
  return routes;
}

export const drawTraces = (
  network: RoadNetwork,
  routes: readonly RoutePath[],
  phone: Phone,
  random: () => number,
): Trace[] => routes.map((route) => driveTrace(network, route, phone, random));
