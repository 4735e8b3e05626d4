import { guide } from '#routing-engine/guidance/guide.js';
import { encodePolyline } from '#routing-engine/network/polyline.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { findNear } from '#routing-engine/route/find-near.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import type { Engine, TripAnswer } from './engine.js';
import type { Pair } from './pairs.js';

const SNAP_METERS_MAX = 1_000;

/** Snap, search, and for a full answer line and steps: the same work as that of the peers. */
export function ourEngine(network: RoadNetwork): Engine {
  const metric = freeFlowMetric(network, 'driving');
  return timed('meridian', {
    times: (pair) => ourWay(network, metric, pair),
    full(pair) {
      const path = ourWay(network, metric, pair);
      if (path === undefined) return undefined;
      const geometry = pathGeometry(network, path);
      const steps = guide(network, metric, path, geometry, { language: 'en' });
      keep(steps.length + encodePolyline(geometry.lngLat).length);
      return path;
    },
  });
}

/** The same through `answerRouteTask`, as for a request: with line, free-flow time and summary. */
export function ourTaskEngine(network: RoadNetwork): Engine {
  const metric = freeFlowMetric(network, 'driving');
  const ask = ([fromLat, fromLng, toLat, toLng]: Pair, language?: string): RoutePath | undefined => {
    const outcome = answerRouteTask(network, {
      metric,
      from: { point: { lat: fromLat, lng: fromLng } },
      to: { point: { lat: toLat, lng: toLng } },
      avoid: 0,
      alternatives: 0,
      ...(language === undefined ? {} : { language }),
    });
    if (outcome.status !== 'ok') return undefined;
    const [route] = outcome.routes;
    keep(route!.polyline.length);
    return route!.path;
  };
  return timed('meridian-task', { times: (pair) => ask(pair), full: (pair) => ask(pair, 'en') });
}

export function ourWay(
  network: RoadNetwork,
  metric: Metric,
  [fromLat, fromLng, toLat, toLng]: Pair,
): RoutePath | undefined {
  const outcome = findNear(network, metric, {
    from: { point: { lat: fromLat, lng: fromLng } },
    to: { point: { lat: toLat, lng: toLng } },
    ...{ avoid: 0, maxMeters: SNAP_METERS_MAX, count: 1 },
  });
  return outcome.status === 'ok' ? outcome.paths[0] : undefined;
}

let written = 0;
/** Uses a value, so that no compiler can remove its computation. */
function keep(value: number): void {
  written = (written + value) | 0;
}

type Ask = (pair: Pair) => RoutePath | undefined;

function timed(name: string, asks: Readonly<Record<'times' | 'full', Ask>>): Engine {
  return {
    name,
    round(pairs, answer, repeat) {
      const ask = asks[answer];
      const found: (RoutePath | undefined)[] = [];
      const tookMs = new Float64Array(pairs.length * repeat);
      const cpu = process.cpuUsage();
      const began = performance.now();
      for (let turn = 0; turn < repeat; turn++)
        for (let i = 0; i < pairs.length; i++) {
          const before = performance.now();
          found[i] = ask(pairs[i]!);
          tookMs[turn * pairs.length + i] = performance.now() - before;
        }
      const wallS = (performance.now() - began) / 1_000;
      const { user, system } = process.cpuUsage(cpu);
      const answers = found.map(
        (path): TripAnswer => (path === undefined ? null : [path.lengthM, path.durationMs / 1_000]),
      );
      return Promise.resolve({ cpuS: (user + system) / 1e6, wallS, answers, tookMs: [...tookMs] });
    },
    close: () => Promise.resolve(),
  };
}
