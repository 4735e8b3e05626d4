import { describe, expect, it } from 'vitest';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import { findNear } from '#routing-engine/route/find-near.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { durationOf } from '#routing-engine/route/path-times.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import { type DrawnMap, drawMap } from './ascii-map.js';

/** A private road leads to the houses at DE; a longer one, in two parts, to F; none to XY. */
const rules = {
  ways: {
    BC: { access: 'private' },
    BG: { access: 'private' },
    HC: { access: 'private' },
    GH: {},
  },
};
const estate = `
  A----B----C----D----E    X----Y
       |    |
       G----H
`;

const place = (map: DrawnMap, from: string, to: string): LatLng => {
  const [lng, lat] = map.network.edgeGeometry(map.edge(from, to)).subarray(-2);
  return { lat: lat!, lng: lng! };
};

describe('private roads', () => {
  it('M-021: are used where nothing else leads, as few of them as possible, with a warning', async () => {
    const map = await drawMap(estate, rules);
    const { network } = map;
    const metric = map.metric();
    const [from, to] = [place(map, 'B', 'A'), place(map, 'D', 'E')];
    const outcome = answerRouteTask(network, {
      ...{ metric, from: { point: from }, to: { point: to }, avoid: 0, alternatives: 2 },
    });
    if (outcome.status !== 'ok') throw new Error(outcome.status);
    expect(outcome.routes).toHaveLength(1);
    const { path } = outcome.routes[0]!;
    expect(map.lettersOf(path.edges)).toBe('ABCDE');
    expect(outcome.warnings).toEqual([expect.stringContaining('private')]);
    expect(outcome.destination.distanceM).toBeLessThan(1);
    // The price of a private road is not a part of the time.
    const open = await drawMap(estate);
    const same = open.route('AB', 'DE');
    expect(same.status === 'ok' && same.path.durationMs).toBe(path.durationMs);
  });

  it('M-021: never where a public road leads, and a route to or from one has no warning', async () => {
    const around = await drawMap(estate, {
      ways: { BC: { access: 'private' } },
    });
    around.expectPath('ABGHCDE');
    const map = await drawMap(estate, rules);
    const visit = answerRouteTask(map.network, {
      ...{ metric: map.metric(), avoid: 0, alternatives: 0 },
      ...{ from: { point: place(map, 'B', 'A') }, to: { point: place(map, 'B', 'C') } },
    });
    expect(visit).toMatchObject({ status: 'ok', warnings: [] });
  });

  it('M-021: a plain search does not use them, and what no road reaches is moved as before', async () => {
    const map = await drawMap(estate, rules);
    const { network } = map;
    const ends = {
      from: [{ edge: map.edge('A', 'B'), fraction: 0 }],
      to: [{ edge: map.edge('D', 'E'), fraction: 1 }],
    };
    expect(findRoute(network, map.metric(), ends).status).toBe('no-route');
    const allowed = findRoute(network, map.metric(), { ...ends, throughPrivate: true });
    expect(allowed.status === 'ok' && allowed.path.throughPrivate).toBe(true);
    const moved = findNear(network, map.metric(), {
      ...{ from: { point: place(map, 'B', 'A') }, to: { point: place(map, 'X', 'Y') } },
      ...{ avoid: 0, maxMeters: 1_000, count: 1 },
    });
    expect(moved.status === 'ok' && moved.paths[0]!.throughPrivate).toBe(false);
    expect(moved.status === 'ok' && moved.to.distanceM).toBeGreaterThan(100);
  });

  it('M-021: costs are those of Dijkstra with the price, in nested cells of a random town', async () => {
    const side = 6;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij';
    const rows = [''];
    for (let y = 0; y < side; y++) {
      const row = letters.slice(y * side, (y + 1) * side);
      rows.push(row.split('').join('----'));
      if (y < side - 1) rows.push('|    '.repeat(side), '|    '.repeat(side));
    }
    let state = 11;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const ways: Record<string, Record<string, string>> = {};
    for (let at = 0; at < side * side; at++)
      for (const next of [at % side < side - 1 ? at + 1 : -1, at + side])
        if (next >= 0 && next < side * side && random() < 0.6)
          ways[letters[at]! + letters[next]!] = random() < 0.7 ? { access: 'private' } : { access: 'no' };
    const map = await drawMap(rows.join('\n'), { ways, cellNodesMax: [5, 12, 40] });
    const { network } = map;
    const metric = map.metric();
    let compared = 0;
    for (let pair = 0; pair < 150; pair++) {
      const [from, to] = [random(), random()].map((each) => Math.floor(each * network.edgeCount));
      if (metric.costMs[from!] === CLOSED || metric.costMs[to!] === CLOSED || from === to) continue;
      const ends = { from: [{ edge: from!, fraction: 1 }], to: [{ edge: to!, fraction: 1 }] };
      if (findRoute(network, metric, ends).status === 'ok') continue;
      const found = findRoute(network, metric, { ...ends, throughPrivate: true });
      if (found.status === 'ok') expect(found.path.durationMs).toBe(durationOf(network, metric, found.path));
      const priced = found.status === 'ok' ? found.path.durationMs + price(map, found.path.edges) : undefined;
      expect(priced).toBe(leastPriced(map, metric, from!, to!));
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  });

  it('M-021: the price makes the same choice in nested cells as in one', async () => {
    for (const cellNodesMax of [[256], [2, 4, 8], [3, 6]]) {
      const map = await drawMap(estate, { ...rules, cellNodesMax });
      const outcome = findRoute(map.network, map.metric(), {
        from: [{ edge: map.edge('A', 'B'), fraction: 0 }],
        to: [{ edge: map.edge('D', 'E'), fraction: 1 }],
        throughPrivate: true,
      });
      expect(outcome.status === 'ok' && map.lettersOf(outcome.path.edges)).toBe('ABCDE');
      expect(outcome.status === 'ok' && outcome.path.durationMs).toBeLessThan(600_000);
    }
  });

  it('M-021: a private gate is passed by visitors, and where nothing else leads with a warning', async () => {
    const lane = 'A----B----X----C----D';
    const gate = { barrier: 'gate', access: 'private' };
    const map = await drawMap(lane, { nodes: { X: gate } });
    const ask = (from: LatLng, to: LatLng, mode: 'driving' | 'walking') =>
      answerRouteTask(map.network, {
        ...{ metric: map.metric(mode), avoid: 0, alternatives: 0 },
        ...{ from: { point: from }, to: { point: to } },
      });
    for (const mode of ['driving', 'walking'] as const) {
      expect(map.route('AB', 'CD', map.metric(mode)).status).not.toBe('ok');
      expect(ask(place(map, 'B', 'A'), place(map, 'C', 'D'), mode)).toMatchObject({
        ...{ status: 'ok', warnings: [expect.stringContaining('private')] },
        destination: { distanceM: 0 },
      });
      expect(ask(place(map, 'B', 'A'), place(map, 'X', 'C'), mode)).toMatchObject({ warnings: [] });
    }
  });

  it('M-021: pedestrians with a right of their own on a way pass its private gate', async () => {
    const lane = 'A----B----X----C----D';
    const through = async (way: Record<string, string>, gate: Record<string, string>) => {
      const map = await drawMap(lane, { ways: { BXC: way }, nodes: { X: gate } });
      return map.route('AB', 'CD', map.metric('walking')).status === 'ok';
    };
    const gate = { barrier: 'gate', access: 'private' };
    expect(await through({ highway: 'path', foot: 'designated' }, gate)).toBe(true);
    expect(await through({ highway: 'service', foot: 'yes', access: 'private' }, gate)).toBe(true);
    expect(await through({ highway: 'service' }, gate)).toBe(false);
    expect(await through({ highway: 'path', foot: 'designated' }, { ...gate, foot: 'private' })).toBe(false);
    expect(await through({ highway: 'path', foot: 'designated' }, { barrier: 'gate', access: 'no' })).toBe(
      false,
    );
  });
});

const priceMs = 600_000;
/** Driving is the first mode. */
const entersPrivate = ({ network }: DrawnMap, from: number, to: number): boolean => {
  const { zone } = network.arrays;
  return zone[to] !== 0 && zone[to] !== zone[from];
};

const price = (map: DrawnMap, edges: Uint32Array): number =>
  Array.from(edges).filter((edge, at) => at > 0 && entersPrivate(map, edges[at - 1]!, edge)).length * priceMs;

/** By repeated relaxation of all turns; undefined without a path. */
function leastPriced(map: DrawnMap, metric: Metric, from: number, to: number): number | undefined {
  const { network } = map;
  const { head, tail } = network.arrays;
  const least = new Map([[from, 0]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [edge, ms] of least)
      for (let next = 0; next < network.edgeCount; next++) {
        if (tail[next] !== head[edge] || metric.costMs[next] === CLOSED) continue;
        const turn = turnDs(network, 'driving', edge, next);
        if (turn === undefined) continue;
        const total = ms + 100 * turn + metric.costMs[next]! + (entersPrivate(map, edge, next) ? priceMs : 0);
        if (total >= (least.get(next) ?? Number.POSITIVE_INFINITY)) continue;
        least.set(next, total);
        changed = true;
      }
  }
  return least.get(to);
}
