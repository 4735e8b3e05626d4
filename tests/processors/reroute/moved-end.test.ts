import { expect, it } from 'vitest';
import { ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { searchRoutesAhead } from '#processors/reroute/reroute-step.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { navigationState } from '#schemas/messages.js';
import { drawMap } from '../../routing-engine/ascii-map.js';

it('a better route ends no farther from the destination than the current one', async () => {
  // No road leads to IJ; of the roads that do not lead there D is the nearest place.
  const { network, ...map } = await drawMap(
    `
A--B--C--D  I--J
|  |  |
E--F--G`,
  ).then((drawn) => ({
    network: drawn.network,
    edge: (pair: string) => drawn.edge(pair[0]!, pair[1]!),
    metric: (closed: readonly string[]) =>
      drawn.metric(
        'driving',
        closed.map((pair) => ({ edge: drawn.edge(pair[0]!, pair[1]!), closed: true })),
      ),
  }));
  const destination = { lat: -40 / 111_195, lng: 500 / 111_195 };
  const ask = (metric: Metric) =>
    answerRouteTask(network, {
      ...{ metric, avoid: 0, alternatives: 0, to: { point: destination } },
      from: { edge: map.edge('AB'), fraction: 0.5 },
    });
  const first = ask(map.metric([]));
  if (first.status !== 'ok') throw new Error(first.status);
  expect(first.destination).toMatchObject({ isMoved: true, edge: map.edge('CD'), fraction: 1 });
  const navigations = new ActiveNavigations(network);
  navigations.apply(
    {
      ...{ navigationId: 'n', userId: 'u', state: navigationState.started, tilesetId: network.tilesetId },
      destinationLatE7: Math.round(destination.lat * 1e7),
      destinationLngE7: Math.round(destination.lng * 1e7),
      edgeIds: Array.from(first.routes[0]!.path.edges, (edge) => network.edgeId(edge)),
      ...{ tiles: [], durationS: 1, metricVersion: 0, routeVersion: 1, avoid: [], changedMs: 1 },
    },
    0,
  );
  const navigation = navigations.of('u')!;
  const findRoute = (task: Parameters<typeof answerRouteTask>[1]) =>
    Promise.resolve(answerRouteTask(network, task));
  const waysUnder = (closed: readonly string[]) =>
    searchRoutesAhead(navigation, map.metric(closed), { network, findRoute });
  expect((await waysUnder(['BC'])).routes.map(({ path }) => path.edges.at(-1))).toEqual([map.edge('CD')]);
  // The engine would end at C now, 120 m short of D.
  const farther = ask(map.metric(['CD', 'DC']));
  expect(farther).toMatchObject({ status: 'ok', destination: { isMoved: true } });
  expect((await waysUnder(['CD', 'DC'])).routes).toEqual([]);
});
