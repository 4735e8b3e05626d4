import { ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { affectedNavigations, metricDifference } from '#processors/reroute/affected-navigations.js';
import { makeLandmarks } from '#processors/reroute/landmarks.js';
import { type RerouteStepResult, rerouteStep } from '#processors/reroute/reroute-step.js';
import { rerouteDefaults } from '#processors/reroute/settings.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { navigationState } from '#schemas/messages.js';
import { E7 } from '#schemas/units.js';
import { appendResult, spread } from './append-result.js';
import { chosenArea } from './routing/areas.js';
import { changeSet } from './routing/change-set.js';
import { openArea } from './routing/open-area.js';
import { randomPairs } from './routing/pairs.js';
import { seeded } from './routing/seeded.js';

/**
 * What does an update of a few edges cost where many routes are subscribed? CPU of finding the routes
 * concerned and searching those, over CPU of searching all of them, in one thread and in turns. The full
 * search is the oracle: every route that it would change must have been found, else the figure is void. Of
 * the changed edges half get worse, some of them closed, and as many as were changed before get better again.
 */
const area = chosenArea('heidelberg');
const routes = Number(process.env['ROUTES'] ?? 10_000);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const share = Number(process.env['SHARE'] ?? 0.1) / 100;
const seed = Number(process.env['SEED'] ?? 1);
const landmarksCount = Number(process.env['LANDMARKS'] ?? 8);
const closedShare = 0.1;

const network = await openArea(area);
const began = process.cpuUsage();
const landmarks = makeLandmarks(network, landmarksCount);
const landmarksS = secondsSince(began);
for (const pattern of ['clustered', 'random'] as const) await measure(network, pattern);

async function measure(roads: RoadNetwork, pattern: 'clustered' | 'random'): Promise<void> {
  const random = seeded(seed);
  let before = applyTraffic(roads, freeFlowMetric(roads, 'driving'), [
    ...changeSet(roads, 0.02, 'clustered', random),
  ]);
  const navigations = new ActiveNavigations(roads);
  for (const [i, pair] of randomPairs(roads, routes, seed).entries())
    subscribe(roads, navigations, i, pair, before);
  const figures = { ours: [] as number[], all: [] as number[], ratio: [] as number[], index: [] as number[] };
  const found: number[] = [];
  let [changed, missed] = [0, 0];
  let last: (readonly [number, number])[] = [];
  // The first round warms both ways and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const worse = [...changeSet(roads, share / 2, pattern, random)];
    const changes: EdgeChange[] = [
      ...worse.map(
        ([edge, speedKph]): EdgeChange =>
          random() < closedShare ? { edge, closed: true } : { edge, speedKph },
      ),
      ...last.map(([edge]): EdgeChange => ({ edge, cleared: true })),
    ];
    last = worse;
    const after = applyChanges(roads, before, changes, before.version + 1);
    const state = [...navigations.all()];
    const searchAll = async () => {
      const cpu = process.cpuUsage();
      const results = new Map<string, RerouteStepResult>();
      for (const each of state) results.set(each.userId, await search(roads, each, after));
      return { results, cpuS: secondsSince(cpu) };
    };
    const searchSome = async () => {
      const cpu = process.cpuUsage();
      const affected = affectedNavigations({
        ...{ network: roads, navigations, before, after, landmarks, settings: rerouteDefaults },
        difference: metricDifference(roads, before, after),
      });
      const indexS = secondsSince(cpu);
      const results = new Map<string, RerouteStepResult>();
      for (const each of affected) results.set(each.userId, await search(roads, each, after));
      return { results, indexS, cpuS: secondsSince(cpu) };
    };
    const all = round % 2 === 0 ? await searchAll() : undefined;
    const some = await searchSome();
    const oracle = all ?? (await searchAll());
    for (const [userId, { change }] of oracle.results) {
      if (change === undefined) continue;
      if (round > 0) changed++;
      if (some.results.get(userId)?.change === undefined) missed++;
    }
    for (const [userId, { change, slackMs }] of some.results) {
      if (change !== undefined) navigations.reroute(change);
      navigations.proved(userId, slackMs);
    }
    before = after;
    const ratio = some.cpuS / oracle.cpuS;
    console.error(
      `${area}, ${pattern}, round ${round}: ${changes.length} edges, ` +
        `${some.results.size} of ${state.length} searched, ` +
        `${(some.cpuS * 1e3).toFixed(1)} ms (${(some.indexS * 1e3).toFixed(1)} to find them) over ` +
        `${(oracle.cpuS * 1e3).toFixed(0)} ms: ${ratio.toFixed(4)}`,
    );
    if (round === 0) continue;
    figures.ours.push(some.cpuS);
    figures.all.push(oracle.cpuS);
    figures.ratio.push(ratio);
    figures.index.push(some.indexS);
    found.push(some.results.size);
  }
  const result = {
    ...{ area, pattern, routes: navigations.size, share: share * 100, landmarks: landmarksCount, landmarksS },
    oursOverAll: spread(figures.ratio),
    cpuS: { ours: spread(figures.ours), finding: spread(figures.index), all: spread(figures.all) },
    searched: spread(found),
    changed,
    missed,
  };
  console.log(JSON.stringify(result, undefined, 2));
  if (missed > 0) throw new Error(`void: ${missed} routes that the full search changes were not found`);
  appendResult('reroute-update', result);
}

function applyTraffic(
  roads: RoadNetwork,
  metric: Metric,
  slow: readonly (readonly [number, number])[],
): Metric {
  return applyChanges(
    roads,
    metric,
    slow.map(([edge, speedKph]) => ({ edge, speedKph })),
    metric.version + 1,
  );
}

/** On the best way under the metric, as the gateway begins a navigation. */
function subscribe(
  roads: RoadNetwork,
  navigations: ActiveNavigations,
  nth: number,
  [fromLat, fromLng, toLat, toLng]: readonly [number, number, number, number],
  metric: Metric,
): void {
  const outcome = answerRouteTask(roads, {
    metric,
    from: { point: { lat: fromLat, lng: fromLng } },
    to: { point: { lat: toLat, lng: toLng } },
    avoid: 0,
    alternatives: 0,
  });
  if (outcome.status !== 'ok') return;
  const route = outcome.routes[0]!;
  navigations.apply(
    {
      navigationId: `n${nth}`,
      userId: `u${nth}`,
      state: navigationState.started,
      tilesetId: roads.tilesetId,
      destinationLatE7: Math.round(toLat * E7),
      destinationLngE7: Math.round(toLng * E7),
      edgeIds: Array.from(route.path.edges, (edge) => roads.edgeId(edge)),
      tiles: [],
      durationS: route.path.durationMs / 1_000,
      metricVersion: metric.version,
      routeVersion: 1,
      avoid: [],
      changedMs: 0,
    },
    0,
  );
}

function search(
  roads: RoadNetwork,
  navigation: Parameters<typeof rerouteStep>[0],
  metric: Metric,
): Promise<RerouteStepResult> {
  return rerouteStep(
    navigation,
    metric,
    { causedMs: 0, reasons: [] },
    {
      network: roads,
      findRoute: (task) => Promise.resolve(answerRouteTask(roads, task)),
      settings: rerouteDefaults,
      clock: () => 0,
    },
  );
}

function secondsSince(cpu: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1e6;
}
