import { describe, expect, it } from 'vitest';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import { type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { type EdgeChange, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import { type DrawnMap, drawMap, type MapRules } from '../routing-engine/ascii-map.js';
import { conditionsAt } from './clock-conditions.js';
import { LegalMoves } from './legal-moves.js';
import type { Holds } from './legal-tags.js';

type Tags = Readonly<Record<string, string>>;

/** A day of a week in May, or of one in December, by the clock of the map: that of Malabo, all year UTC+1. */
const at = (day: string, time: string, month = 'May'): Date => {
  const first = month === 'May' ? '2026-05-04' : '2026-12-07';
  const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].indexOf(day);
  return new Date(Date.parse(`${first}T${time}:00+01:00`) + days * 86_400_000);
};

const conditions = (time: Date): Holds => conditionsAt(new Date(time.getTime() + 3_600_000));

const metricAt = (map: DrawnMap, mode: TravelMode, time: Date, changes: Iterable<EdgeChange> = []): Metric =>
  applyHours(map.network, map.metric(mode, changes), openEdges(map.network, mode, time.getTime()));

/** The road in question is BC; G and H are the detour. */
const town = `
  A----B----C----D
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       G----H
`;

/** Trucks are like cars here. */
const asked = ['driving', 'bicycling', 'walking'] as const;

/** For driving, bicycling and walking, from A to D and back: `t`hrough BC, or `r`ound it. */
async function ways(tags: Tags, ...times: readonly Date[]): Promise<string[]> {
  const legal = new LegalMoves();
  const map = await drawMap(town, { ways: { BC: tags }, witness: legal.sink });
  return times.map((time) =>
    ['a', 'd']
      .map((start) =>
        asked
          .map((mode) => {
            const [path, round] = start === 'a' ? ['ABCD', 'ABGHCD'] : ['DCBA', 'DCHGBA'];
            const found = map.route(path.slice(0, 2), path.slice(-2), metricAt(map, mode, time));
            const letters = found.status === 'ok' ? map.lettersOf(found.path.edges) : found.reason;
            expect([path, round]).toContain(letters);
            const ids = path
              .slice(1)
              .split('')
              .map((letter, i) => map.idOf(path[i]!, letter));
            const wrongs = legal.judge(ids, mode, conditions(time));
            expect([tags, mode, time, wrongs.length === 0]).toEqual([tags, mode, time, letters === path]);
            return letters === path ? 't' : 'r';
          })
          .join(''),
      )
      .join(' '),
  );
}

const rush = at('Mo', '08:00');
const noon = at('Mo', '12:00');

describe('roads at some hours', () => {
  it('M-021: a road that is shut at some hours is open at the others, to the minute', async () => {
    const tags = { 'motor_vehicle:conditional': 'no @ (Mo-Fr 07:00-09:00)' };
    const times = [
      at('Mo', '06:59'),
      at('Mo', '07:00'),
      at('Fr', '08:59'),
      at('Fr', '09:00'),
      at('Sa', '08:00'),
    ];
    expect(await ways(tags, ...times)).toEqual(['ttt ttt', 'rtt rtt', 'rtt rtt', 'ttt ttt', 'ttt ttt']);
  });

  it('M-021: the more specific key comes first, and of its conditions the last', async () => {
    const rows: readonly (readonly [Tags, string, string])[] = [
      [{ 'access:conditional': 'no @ (07:00-09:00)' }, 'rrr rrr', 'ttt ttt'],
      [{ 'access:conditional': 'no @ (07:00-09:00)', foot: 'yes' }, 'rrt rrt', 'ttt ttt'],
      [{ 'vehicle:conditional': 'no @ (07:00-09:00)' }, 'rrt rrt', 'ttt ttt'],
      [{ 'motorcar:conditional': 'no @ (07:00-09:00)' }, 'rtt rtt', 'ttt ttt'],
      [{ 'bicycle:conditional': 'no @ (07:00-09:00)' }, 'trt trt', 'ttt ttt'],
      [{ 'foot:conditional': 'no @ (07:00-09:00)' }, 'ttr ttr', 'ttt ttt'],
      [{ 'motor_vehicle:forward:conditional': 'no @ (07:00-09:00)' }, 'rtt ttt', 'ttt ttt'],
      [{ motor_vehicle: 'no', 'motor_vehicle:conditional': 'yes @ (07:00-09:00)' }, 'ttt ttt', 'rtt rtt'],
      [{ access: 'no', 'motorcar:conditional': 'yes @ (07:00-09:00)' }, 'trr trr', 'rrr rrr'],
      [{ 'access:conditional': 'no @ (07:00-13:00); yes @ (07:30-09:00)' }, 'ttt ttt', 'rrr rrr'],
      [{ highway: 'pedestrian', 'motor_vehicle:conditional': 'yes @ (07:00-09:00)' }, 'ttt ttt', 'rtt rtt'],
      // A bicycle is pushed there.
      [{ highway: 'footway', 'foot:conditional': 'no @ (07:00-09:00)' }, 'rrr rrr', 'rtt rtt'],
      [{ highway: 'footway', 'bicycle:conditional': 'no @ (07:00-09:00)' }, 'rrt rrt', 'rtt rtt'],
      [{ 'access:conditional': 'no @ (weight>3.5)' }, 'ttt ttt', 'ttt ttt'],
    ];
    for (const [tags, inRush, atNoon] of rows)
      expect([tags, ...(await ways(tags, rush, noon))]).toEqual([tags, inRush, atNoon]);
  });

  it('M-021: one-way streets turn round or open by the hour', async () => {
    const rows: readonly (readonly [Tags, string, string])[] = [
      [{ 'oneway:conditional': 'yes @ (07:00-09:00)' }, 'ttt rrt', 'ttt ttt'],
      [{ oneway: 'yes', 'oneway:conditional': 'no @ (07:00-09:00)' }, 'ttt ttt', 'ttt rrt'],
      [{ oneway: 'yes', 'oneway:conditional': '-1 @ (07:00-09:00)' }, 'rrt ttt', 'ttt rrt'],
      [
        { oneway: 'reversible', 'oneway:conditional': 'yes @ (07:00-09:00); -1 @ (11:00-13:00)' },
        'ttt rrt',
        'rrt ttt',
      ],
      [
        { 'oneway:conditional': 'yes @ (07:00-09:00)', 'motor_vehicle:conditional': 'no @ (11:00-13:00)' },
        'ttt rrt',
        'rtt rtt',
      ],
    ];
    for (const [tags, inRush, atNoon] of rows)
      expect([tags, ...(await ways(tags, rush, noon))]).toEqual([tags, inRush, atNoon]);
  });

  it('M-021: seasons, midnight and school days', async () => {
    expect(
      await ways(
        { 'motor_vehicle:conditional': 'no @ (Nov-Mar)' },
        ...[at('We', '12:00'), at('We', '12:00', 'Dec')],
      ),
    ).toEqual(['ttt ttt', 'rtt rtt']);
    expect(
      await ways(
        { 'motor_vehicle:conditional': 'no @ (Fr,Sa 22:00-06:00)' },
        ...[at('Fr', '21:59'), at('Fr', '22:00'), at('Sa', '05:59'), at('Su', '03:00'), at('Mo', '03:00')],
      ),
    ).toEqual(['ttt ttt', 'rtt rtt', 'rtt rtt', 'rtt rtt', 'ttt ttt']);
    const map = await drawMap(town, {
      ways: { BC: { 'motor_vehicle:conditional': 'no @ (Mo-Fr 07:30-16:00; SH off)' } },
    });
    // School holidays are not known, so none is assumed.
    map.expectPath('ABGHCD', { metric: metricAt(map, 'driving', at('Mo', '08:00')) });
    map.expectPath('ABCD', { metric: metricAt(map, 'driving', at('Sa', '08:00')) });
  });

  it('M-021: a road that is shut is no destination, and may be left', async () => {
    const map = await drawMap(town, { ways: { BC: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' } } });
    expect(map.route('AB', 'BC', metricAt(map, 'driving', rush)).status).toBe('no-route');
    map.expectPath('ABC', { metric: metricAt(map, 'driving', noon) });
    map.expectPath('BCD', { metric: metricAt(map, 'driving', rush) });
  });

  it('M-021: an end on roads that are shut is moved to one that is open, with a warning', async () => {
    const line = 'A----B----C----D----E';
    const map = await drawMap(line, {
      ways: {
        CD: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' },
        DE: { 'motor_vehicle:conditional': 'no @ (06:00-10:00)' },
      },
    });
    const place = (from: string, to: string): LatLng => {
      const [lng, lat] = map.network.edgeGeometry(map.edge(from, to)).subarray(-2);
      return { lat: lat!, lng: lng! };
    };
    const ask = (time: Date) =>
      answerRouteTask(map.network, {
        ...{ metric: metricAt(map, 'driving', time), avoid: 0, alternatives: 0 },
        ...{ from: { point: place('B', 'A') }, to: { point: place('D', 'E') } },
      });
    const open = ask(noon);
    expect(open).toMatchObject({ status: 'ok', warnings: [], destination: { distanceM: 0 } });
    const shut = ask(rush);
    expect(shut).toMatchObject({ status: 'ok', warnings: [expect.stringContaining('destination')] });
    expect(shut.status === 'ok' && shut.destination.distanceM).toBeGreaterThan(300);
    // Also from a road that is shut itself.
    const both = await drawMap(line, {
      ways: {
        AB: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' },
        DE: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' },
      },
    });
    const [from, to] = [place('A', 'B'), place('D', 'E')];
    const moved = answerRouteTask(both.network, {
      ...{ metric: metricAt(both, 'driving', rush), avoid: 0, alternatives: 0 },
      ...{ from: { point: { ...from, lng: from.lng - 0.001 } }, to: { point: to } },
    });
    expect(moved).toMatchObject({ status: 'ok', warnings: [expect.stringContaining('destination')] });
  });

  it('M-024: a closure and a speed count while the road is open; without an hour it is closed', async () => {
    const map = await drawMap(town, { ways: { BC: { 'motor_vehicle:conditional': 'no @ (07:00-09:00)' } } });
    const edge = map.edge('B', 'C');
    map.expectPath('ABGHCD', { metric: map.metric('driving', [{ edge, speedKph: 30 }]) });
    const blocked = openEdges(map.network, 'driving', noon.getTime());
    const closed = applyHours(map.network, map.metric(), blocked, (each) => each === edge);
    map.expectPath('ABGHCD', { metric: closed });
    const back = applyHours(map.network, metricAt(map, 'driving', noon), new Set());
    expect(back.costMs).toEqual(freeFlowMetric(map.network, 'driving').costMs);
    expect(back.weightsMs).toEqual(freeFlowMetric(map.network, 'driving').weightsMs);
  });
});

const cross = `
       N
       |
  W----X----E
       |
       S
`;
const ladder = `
  A----B----C
       |
       |
  D----E----F
`;

/** The paths that can be driven at the time when all other roads are closed; the oracle agrees. */
async function driven(drawing: string, rules: MapRules, paths: readonly string[], ...times: readonly Date[]) {
  const legal = new LegalMoves();
  const nodes = drawing.includes('X') ? { X: { highway: 'mini_roundabout' } } : {};
  const map = await drawMap(drawing, { nodes, ...rules, witness: legal.sink });
  const { network } = map;
  return times.map((time) =>
    paths.filter((path) => {
      const edges = path
        .slice(1)
        .split('')
        .map((letter, i) => map.edge(path[i]!, letter));
      const changes = Array.from({ length: network.edgeCount }, (_, edge) => edge)
        .filter((edge) => network.arrays.copyOf[edge] === edge && !edges.includes(edge))
        .map((edge) => ({ edge, closed: true }) as const);
      const found = findRoute(network, metricAt(map, 'driving', time, changes), {
        from: [{ edge: edges[0]!, fraction: 0 }],
        to: [{ edge: edges.at(-1)!, fraction: 1 }],
      });
      const can = found.status === 'ok' && map.lettersOf(found.path.edges) === path;
      const ids = path
        .slice(1)
        .split('')
        .map((letter, i) => map.idOf(path[i]!, letter));
      const wrongs = legal.judge(ids, 'driving', conditions(time));
      expect([path, time, wrongs.length === 0]).toEqual([path, time, can]);
      return can;
    }),
  );
}

describe('turns at some hours', () => {
  const conditional = (kind: string, more: Tags = {}): Tags => ({
    restriction: '',
    'restriction:conditional': `${kind} @ (Mo-Fr 07:00-09:00)`,
    ...more,
  });

  it('M-022: a turn that is forbidden at some hours is taken at the others', async () => {
    const rules: MapRules = { restrictions: [['', 'SX', 'X', 'XW', conditional('no_left_turn')]] };
    const paths = ['SXW', 'SXN', 'EXW', 'SXS'];
    expect(await driven(cross, rules, paths, rush, noon, at('Su', '08:00'))).toEqual([
      ['SXN', 'EXW', 'SXS'],
      paths,
      paths,
    ]);
  });

  it('M-022: only_* at some hours leaves one way on, and all at the others', async () => {
    const rules: MapRules = { restrictions: [['', 'SX', 'X', 'XN', conditional('only_straight_on')]] };
    const paths = ['SXW', 'SXN', 'SXE', 'SXS', 'WXS'];
    expect(await driven(cross, rules, paths, rush, noon)).toEqual([['SXN', 'WXS'], paths]);
  });

  it('M-024: a turn that opens leads onto a road as slow as it is', async () => {
    const map = await drawMap(cross, {
      restrictions: [['', 'SX', 'X', 'XW', conditional('no_left_turn')]],
    });
    const road = map.edge('X', 'W');
    const [, turn] = map.network.copiesOf(road);
    const slow = map.metric('driving', [{ edge: road, speedKph: 5 }]);
    const open = openEdges(map.network, 'driving', noon.getTime());
    expect([...open]).toEqual([turn]);
    const { costMs } = applyHours(map.network, slow, open);
    expect(costMs[turn!]).toBe(slow.costMs[road]);
  });

  it('M-022: over several ways, beside a restriction that always holds', async () => {
    const rules: MapRules = {
      restrictions: [
        ['', 'CB', 'BE', 'EF', conditional('no_left_turn')],
        ['no_right_turn', 'BE', 'E', 'ED'],
      ],
    };
    const paths = ['CBEF', 'ABEF', 'CBED', 'CBA'];
    expect(await driven(ladder, rules, paths, rush, noon)).toEqual([
      ['ABEF', 'CBA'],
      ['CBEF', 'ABEF', 'CBA'],
    ]);
  });

  it('M-022: only the vehicles that it is for', async () => {
    const rules: MapRules = {
      restrictions: [['', 'SX', 'X', 'XW', conditional('no_left_turn', { except: 'bicycle' })]],
    };
    const map = await drawMap(cross, rules);
    const arrives = (mode: TravelMode): string => {
      const found = map.route('SX', 'XW', metricAt(map, mode, rush));
      return found.status === 'ok' ? map.lettersOf(found.path.edges) : found.reason;
    };
    expect(travelModes.map(arrives)).toEqual(['SXNXW', 'SXW', 'SXW', 'SXNXW']);
  });
});

describe('the oracle at each hour', () => {
  it('M-022: routes and their costs are those of Dijkstra, whatever is open, in nested cells', async () => {
    const side = 7;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw';
    const rows: string[] = [''];
    for (let y = 0; y < side; y++) {
      rows.push(
        letters
          .slice(y * side, (y + 1) * side)
          .split('')
          .join('----'),
      );
      if (y < side - 1) rows.push('|    '.repeat(side), '|    '.repeat(side));
    }
    let state = 7;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const hours = ['07:00-09:00', 'Sa,Su 10:00-18:00', '22:00-06:00', 'Nov-Mar', 'Mo-Fr 06:00-20:00'];
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const roads: Record<string, Tags> = {};
    const restrictions: [string, string, string, string, Tags][] = [];
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const here = letters[y * side + x]!;
        const [east, south] = [
          x < side - 1 ? letters[y * side + x + 1]! : '',
          letters[(y + 1) * side + x] ?? '',
        ];
        for (const next of [east, south])
          if (next !== '' && random() < 0.35)
            roads[here + next] = pick([
              { 'motor_vehicle:conditional': `no @ (${pick(hours)})` },
              { motor_vehicle: 'no', 'motor_vehicle:conditional': `yes @ (${pick(hours)})` },
              { 'oneway:conditional': `yes @ (${pick(hours)})` },
            ]);
        if (east !== '' && south !== '' && x > 0 && random() < 0.5)
          restrictions.push([
            '',
            letters[y * side + x - 1]! + here,
            here,
            pick([here + east, here + south]),
            {
              restriction: '',
              'restriction:conditional': `${pick(['no_left_turn', 'only_straight_on'])} @ (${pick(hours)})`,
            },
          ]);
      }
    const legal = new LegalMoves();
    const map = await drawMap(rows.join('\n'), {
      ways: roads,
      restrictions,
      cellNodesMax: [6, 18, 60],
      witness: legal.sink,
    });
    const { network } = map;
    const times = [rush, noon, at('Sa', '11:00'), at('We', '23:30'), at('Su', '12:00', 'Dec')];
    const costs = new Set<string>();
    for (const time of times) {
      const metric = metricAt(map, 'driving', time);
      for (let pair = 0; pair < 60; pair++) {
        const ends = [0, 1].map(() => ({ edge: Math.floor(random() * network.edgeCount), fraction: 0.5 }));
        const [from, to] = ends.map(({ edge }) => [{ edge: network.arrays.copyOf[edge]!, fraction: 0.5 }]);
        const found = findRoute(network, metric, { from: from!, to: to! });
        const expected = dijkstra(network, metric, from!, 0, to!).costTo(to!);
        expect(found.status === 'ok' ? found.path.durationMs : undefined).toBe(expected);
        if (found.status !== 'ok') continue;
        const ids = Array.from(found.path.edges, (edge) => network.edgeId(edge));
        // A traveller may leave a road that was shut behind them.
        if (found.path.closedAtStart) continue;
        expect(legal.judge(ids, 'driving', conditions(time))).toEqual([]);
        costs.add(`${time.getTime()} ${from![0]!.edge} ${to![0]!.edge} ${expected}`);
      }
    }
    expect(costs.size).toBeGreaterThan(150);
  });
});
