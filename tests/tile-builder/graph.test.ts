import { describe, expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { proves } from '#tools/acceptance/proves.js';
import { type DrawnMap, drawMap, type MapRules } from '../routing-engine/ascii-map.js';
import { LegalMoves } from './legal-moves.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { type Fixture, type FixtureRelation, playFixture } from './osm-fixture.js';

/** A crossing with an arm on each side; every arm is a separate way. */
const cross = `
       N
       |
  W----X----E
       |
       S
`;

/** Two ways that pass through the crossing: WXE and NXS. */
const through: MapRules = { ways: { WXE: {}, NXS: {} } };

interface Judged {
  readonly map: DrawnMap;
  /** The turns such as `SXE` that can be driven, one after another; the route checker agrees with each. */
  readonly driven: (paths: readonly string[], mode?: TravelMode) => string[];
}

async function judged(drawing: string, rules: MapRules, judgeAgrees = true): Promise<Judged> {
  const legal = new LegalMoves();
  // At X a vehicle may turn around, so that only relations decide about each of its sixteen turns.
  const nodes = drawing.includes('X') ? { X: { highway: 'mini_roundabout' } } : {};
  const map = await drawMap(drawing, { nodes, ...rules, witness: legal.sink });
  const driven = (paths: readonly string[], mode: TravelMode = 'driving'): string[] =>
    paths.filter((path) => {
      const edges = path
        .split('')
        .slice(1)
        .map((letter, i) => map.edge(path[i]!, letter));
      const outcome = findRoute(map.network, onlyThese(map, mode, edges), {
        from: [{ edge: edges[0]!, fraction: 0 }],
        to: [{ edge: edges.at(-1)!, fraction: 1 }],
      });
      const can = outcome.status === 'ok' && map.lettersOf(outcome.path.edges) === path;
      if (judgeAgrees)
        expect([path, mode, legal.judge(idsOf(map, path), mode).length === 0]).toEqual([path, mode, can]);
      return can;
    });
  return { map, driven };
}

/** Every other road is closed. */
function onlyThese(map: DrawnMap, mode: TravelMode, edges: readonly number[]) {
  const open = new Set(edges);
  const others = Array.from({ length: map.network.edgeCount }, (_, edge) => edge).filter(
    (edge) => map.network.arrays.copyOf[edge] === edge && !open.has(edge),
  );
  return map.metric(
    mode,
    others.map((edge) => ({ edge, closed: true })),
  );
}

const turnsFrom = (arm: string): string[] => 'NESW'.split('').map((to) => `${arm}X${to}`);
const allBut = (paths: readonly string[], ...gone: string[]): string[] =>
  paths.filter((each) => !gone.includes(each));
const everyTurn = 'NESW'.split('').flatMap(turnsFrom);

describe('the graph of a map', () => {
  proves('M-040', {
    asked: 'intersections are nodes, roads are edges',
    shown:
      'of seven points of a drawing the four ends and two crossings are nodes; ten edges, each direction',
    control: {
      in: 'tile-builder/graph/road-pieces.ts',
      change: 'if (uses[node] < 2) {',
      to: 'if (uses[node] < 1) {',
    },
  });
  it('M-040: crossings and ends are nodes, and the roads between them edges in each direction', async () => {
    // S only bends a road; X and Y are crossings of it with others.
    const { network } = await drawMap(
      `
      N    M
      |    |
 W----X----Y
      |
      S----E
    `,
      { ways: { WXY: {}, NXSE: {}, MY: {} } },
    );
    const { nodeOsmId, tail, head, copyOf } = network.arrays;
    const letters = ['E', 'M', 'N', 'S', 'W', 'X', 'Y'];
    const letterOf = (node: number): string => letters[Number(nodeOsmId[node]) - 1]!;
    const nodes = Array.from({ length: network.nodeCount }, (_, node) => letterOf(node));
    expect(nodes.toSorted()).toEqual(['E', 'M', 'N', 'W', 'X', 'Y']);
    const edges = Array.from({ length: network.edgeCount }, (_, edge) => edge)
      .filter((edge) => copyOf[edge] === edge)
      .map((edge) => letterOf(tail[edge]!) + letterOf(head[edge]!));
    expect(edges.toSorted()).toEqual(['EX', 'MY', 'NX', 'WX', 'XE', 'XN', 'XW', 'XY', 'YM', 'YX']);
  });
});

describe('turn restrictions', () => {
  it('M-022: applies each kind, from way to way over a node', async () => {
    for (const [kind, to, left] of [
      ['no_left_turn', 'XW', ['SXN', 'SXE', 'SXS']],
      ['no_right_turn', 'XE', ['SXN', 'SXS', 'SXW']],
      ['no_straight_on', 'XN', ['SXE', 'SXS', 'SXW']],
      ['no_u_turn', 'XS', ['SXN', 'SXE', 'SXW']],
      ['only_left_turn', 'XW', ['SXW']],
      ['only_right_turn', 'XE', ['SXE']],
      ['only_straight_on', 'XN', ['SXN']],
      ['only_u_turn', 'XS', ['SXS']],
      ['left', 'XE', ['SXN', 'SXE', 'SXW', 'SXS']],
      ['no_right_turn_on_red', 'XE', ['SXN', 'SXE', 'SXW', 'SXS']],
    ] as const) {
      const { driven } = await judged(cross, { restrictions: [[kind, 'SX', 'X', to]] });
      expect([kind, driven(turnsFrom('S')).sort()]).toEqual([kind, [...left].sort()]);
      const others = allBut(everyTurn, ...turnsFrom('S'));
      expect([kind, driven(others)]).toEqual([kind, others]);
    }
  });

  it('M-022: no_entry binds every way that arrives, no_exit every way that leaves', async () => {
    const members = (roles: readonly (readonly [string, string])[], kind: string) =>
      withRelation(cross, kind, roles);
    const entry = await members(
      [
        ['from', 'SX'],
        ['from', 'WX'],
        ['via', 'X'],
        ['to', 'XE'],
      ],
      'no_entry',
    );
    expect(entry.driven(everyTurn)).toEqual(allBut(everyTurn, 'SXE', 'WXE'));
    const exit = await members(
      [
        ['from', 'SX'],
        ['via', 'X'],
        ['to', 'XN'],
        ['to', 'XE'],
      ],
      'no_exit',
    );
    expect(exit.driven(everyTurn)).toEqual(allBut(everyTurn, 'SXN', 'SXE'));
    // Several possible continuations: any of them.
    const only = await members(
      [
        ['from', 'SX'],
        ['via', 'X'],
        ['to', 'XN'],
        ['to', 'XE'],
      ],
      'only_straight_on',
    );
    expect(only.driven(turnsFrom('S'))).toEqual(['SXN', 'SXE']);
  });

  it('M-022: if a member passes the crossing, the name of the turn selects the part', async () => {
    for (const [kind, from, to, gone] of [
      ['no_left_turn', 'NXS', 'WXE', 'SXW NXE'],
      ['no_right_turn', 'NXS', 'WXE', 'SXE NXW'],
      ['no_left_turn', 'WXE', 'NXS', 'WXN EXS'],
    ] as const) {
      const { map } = await judged(cross, { ...through, restrictions: [[kind, from, 'X', to]] }, false);
      const free = everyTurn.filter((path) => canTurn(map, path));
      // Two left turns fit a left turn as well: one of them is meant, and nothing else is affected.
      const missing = allBut(everyTurn, ...free);
      expect(missing.length).toBe(1);
      expect(gone.split(' ')).toContain(missing[0]);
    }
    const { driven } = await judged(cross, {
      ways: { WXE: {} },
      restrictions: [['no_left_turn', 'SX', 'X', 'WXE']],
    });
    expect(driven(everyTurn)).toEqual(allBut(everyTurn, 'SXW'));
    const fromThrough = await judged(cross, {
      ways: { WXE: {} },
      restrictions: [['only_right_turn', 'WXE', 'X', 'XS']],
    });
    expect(fromThrough.driven(everyTurn)).toEqual(allBut(everyTurn, 'WXN', 'WXE', 'WXW'));
    const oneway = await judged(cross, {
      ways: { WXE: { oneway: 'yes' } },
      restrictions: [['no_left_turn', 'WXE', 'X', 'XN']],
    });
    expect(oneway.driven(['WXN', 'WXE', 'WXS'])).toEqual(['WXE', 'WXS']);
    const back = await judged(cross, { ways: { WXE: {} }, restrictions: [['no_u_turn', 'WXE', 'X', 'WXE']] });
    expect(back.driven(everyTurn)).toEqual(allBut(everyTurn, 'WXW', 'EXE'));
  });

  it('M-022: applies except, restriction:<vehicle> and type=restriction:<vehicle> by vehicle', async () => {
    const bound = async (more: Record<string, string>): Promise<string> => {
      const { driven } = await judged(cross, { restrictions: [['no_left_turn', 'SX', 'X', 'XW', more]] });
      return (['driving', 'bicycling', 'walking'] as const)
        .map((mode) => (driven(['SXW'], mode).length === 0 ? 'bound' : 'free'))
        .join(' ');
    };
    expect(await bound({})).toBe('bound bound free');
    expect(await bound({ except: 'bicycle' })).toBe('bound free free');
    expect(await bound({ except: 'psv; motorcar' })).toBe('free bound free');
    expect(await bound({ except: 'motor_vehicle' })).toBe('free bound free');
    expect(await bound({ except: 'psv;hgv' })).toBe('bound bound free');
    expect(await bound({ restriction: '', 'restriction:hgv': 'no_left_turn' })).toBe('free free free');
    expect(await bound({ restriction: '', 'restriction:motorcar': 'no_left_turn' })).toBe('bound free free');
    expect(await bound({ restriction: '', 'restriction:bicycle': 'no_left_turn' })).toBe('free bound free');
    expect(await bound({ restriction: '', 'restriction:foot': 'no_left_turn' })).toBe('free free bound');
    expect(await bound({ type: 'restriction:bus' })).toBe('free free free');
    expect(await bound({ type: 'restriction:motor_vehicle' })).toBe('bound free free');
    expect(await bound({ type: 'route' })).toBe('free free free');
  });

  it('M-022: without an hour no turn that is forbidden at some; other vehicles do not matter', async () => {
    const free = async (more: Record<string, string>): Promise<boolean> => {
      const rules: MapRules = {
        restrictions: [['no_left_turn', 'SX', 'X', 'XW', { restriction: '', ...more }]],
      };
      return (await judged(cross, rules)).driven(['SXW']).length === 1;
    };
    expect(await free({ 'restriction:conditional': 'no_left_turn @ (Mo-Fr 07:00-09:00)' })).toBe(false);
    expect(await free({ 'restriction:conditional': 'no_left_turn @ (24/7)' })).toBe(false);
    expect(await free({ 'restriction:motorcar:conditional': 'no_left_turn @ (16:00-18:00)' })).toBe(false);
    expect(await free({ 'restriction:conditional': 'no_left_turn @ (weight>3.5)' })).toBe(true);
    expect(await free({ 'restriction:bicycle:conditional': 'no_left_turn @ (07:00-09:00)' })).toBe(true);
    expect(await free({ restriction: 'no_left_turn', hour_on: '07:00', hour_off: '09:00' })).toBe(false);
  });

  const ladder = `
  A----B----C
       |
       |
  D----E----F
`;

  it('M-022: no_u_turn and only_* over a way bind vehicles that arrive from there', async () => {
    const turn = await judged(ladder, { restrictions: [['no_u_turn', 'CB', 'BE', 'EF']] });
    expect(turn.driven(['CBEF', 'CBED', 'ABEF', 'FEBC'])).toEqual(['CBED', 'ABEF', 'FEBC']);
    const only = await judged(ladder, { restrictions: [['only_straight_on', 'CB', 'BE', 'ED']] });
    expect(only.driven(['CBED', 'CBEF', 'CBEB', 'ABEF', 'CBA'])).toEqual(['CBED', 'ABEF']);
  });

  it('M-022: only_* over ways binds at the first crossing vehicles that can drive the ways', async () => {
    const paths = ['CBEF', 'CBED', 'CBA', 'ABC', 'ABED'];
    const rules: MapRules = { restrictions: [['only_left_turn', 'CB', 'BE', 'EF']] };
    expect((await judged(ladder, rules)).driven(paths)).toEqual(['CBEF', 'ABC', 'ABED']);
    const closed = await judged(ladder, { ...rules, ways: { BE: { motor_vehicle: 'no' } } });
    expect(closed.driven(['CBA', 'ABC'])).toEqual(['CBA', 'ABC']);
    expect(closed.driven(paths, 'bicycling')).toEqual(['CBEF', 'ABC', 'ABED']);
    // Over two ways the middle crossing binds too; a vehicle that enters there is free.
    const long = `
  A----B----C----D----E
       |    |    |
       F    G    H
`;
    const over = await judged(long, { restrictions: [['only_straight_on', 'AB', 'BC CD', 'DE']] });
    expect(over.driven(['ABCDE', 'ABF', 'ABCG', 'ABCDH', 'FBCG', 'FBCDH', 'GCDH'])).toEqual([
      'ABCDE',
      'FBCG',
      'FBCDH',
      'GCDH',
    ]);
  });

  it('M-022: only one of two only_* that start on the same road must be obeyed', async () => {
    const both = await judged(
      ladder,
      {
        restrictions: [
          ['only_left_turn', 'CB', 'BE', 'EF'],
          ['only_right_turn', 'CB', 'BE', 'ED'],
        ],
      },
      false,
    );
    expect(both.driven(['CBEF', 'CBED', 'CBA'])).toEqual(['CBEF', 'CBED']);
  });

  it('M-022: does not replace a forbidden turn over a way by two U-turns', async () => {
    // From A right onto BE and right onto ED is forbidden. A vehicle may turn around at the dead ends C and
    // F.
    const towers = `
  C
  |
  |    F
  |    |
  B----E
  |    |
  A    D
`;
    const legal = new LegalMoves();
    const map = await drawMap(towers, {
      restrictions: [['no_right_turn', 'AB', 'BE', 'ED']],
      witness: legal.sink,
    });
    map.expectPath('ABEFED');
    expect(legal.judge(idsOf(map, 'ABEFED'), 'driving')).toEqual([]);
    expect(legal.judge(idsOf(map, 'ABEBED'), 'driving')).toHaveLength(2);
    // No vehicle turns around at F, where a road continues.
    const open = await drawMap(towers.replace('|    F', '|    F----G'), {
      ways: { FG: { oneway: 'yes' } },
      restrictions: [['no_right_turn', 'AB', 'BE', 'ED']],
    });
    open.expectPath('ABCBED');
  });

  it("M-022: two restrictions over one split way, each lifted at the other side's dead end", async () => {
    const bent = `
  C
  |
  |       F
  |       |
  B---G---E
  |       |
  |       D
  |
  A
`;
    const map = await drawMap(bent, {
      ways: { BGE: {} },
      restrictions: [
        ['no_right_turn', 'AB', 'BGE', 'ED'],
        ['no_left_turn', 'CB', 'BGE', 'EF'],
      ],
    });
    for (const path of ['ABEFED', 'ABEF', 'CBED', 'CBEDEF']) map.expectPath(path);
  });

  it('M-022: a turn restricted to the way back over two ways is not reached by a loop', async () => {
    const oneway = { oneway: 'yes' };
    const map = await drawMap(
      `
  E---D
      |
  F---C---G
      |
  H---B---I
      |
      A
`,
      {
        ways: { HB: oneway, BI: oneway, GC: oneway, CF: oneway },
        relations: [
          {
            kind: 'no_left_turn',
            roles: [
              ['from', 'AB'],
              ['via', 'BC'],
              ['via', 'CD'],
              ['to', 'DE'],
            ],
          },
        ],
      },
    );
    expect(map.route('AB', 'DE').status).not.toBe('ok');
    map.expectPath('ABCF');
    map.expectPath('ABI');
    map.expectPath('GCDE');
  });

  it('M-022: a U-turn over the first link of two carriageways is forbidden, over the next not', async () => {
    const oneway = { oneway: 'yes' };
    const map = await drawMap(
      `
  A    J
  |    |
  B----I
  |    |
  C----H
  |    |
  D----G
  |    |
  E    F
`,
      {
        ways: { ABCDE: oneway, FGHIJ: oneway },
        restrictions: [
          ['no_u_turn', 'ABCDE', 'BI', 'FGHIJ'],
          ['no_u_turn', 'ABCDE', 'CH', 'FGHIJ'],
          ['no_u_turn', 'FGHIJ', 'GD', 'ABCDE'],
          ['no_u_turn', 'FGHIJ', 'HC', 'ABCDE'],
        ],
      },
    );
    map.expectPath('ABCDGHIJ');
    map.expectPath('FGHIBCDE');
  });

  it('M-022: many restrictions that share ways, each over one way or more', async () => {
    const oneway = { oneway: 'yes' };
    const over = (kind: string, from: string, via: readonly string[], to: string) => ({
      kind,
      roles: [['from', from] as const, ...via.map((each) => ['via', each] as const), ['to', to] as const],
    });
    const map = await drawMap(
      `
  P---A-------N---O---X
  |   |           |
  |   |           M
  |   |           |
  R-Q-B-----------L-------K---W
  |   |           |       |
  |   |           |   F   |
  |   |           |   |   |
  |   C-----------D---E---J
  |               |   |
  |               G   H
  |               |
  S---------------T
                  |
                  V
`,
      {
        ways: {
          ...{ ON: oneway, NA: oneway, AP: oneway, PR: oneway, RQB: oneway, BL: oneway, OML: oneway },
          ...{ LD: oneway, LK: oneway, BA: oneway, BCD: {}, DE: {}, EH: {}, EJK: oneway, RST: oneway },
          ...{ DGT: oneway, FE: oneway, XO: oneway, TV: oneway, KW: oneway },
        },
        relations: [
          over('no_right_turn', 'PR', ['RQB', 'BCD'], 'DGT'),
          over('no_left_turn', 'RQB', ['BCD', 'DE'], 'EJK'),
          over('no_right_turn', 'RQB', ['BCD'], 'DGT'),
          over('no_u_turn', 'FE', ['DE'], 'DGT'),
          over('no_right_turn', 'FE', ['DE', 'BCD'], 'BL'),
          over('no_right_turn', 'EH', ['DE', 'BCD'], 'BL'),
          over('no_u_turn', 'OML', ['LD', 'DE'], 'EJK'),
        ],
        restrictions: [
          ['no_u_turn', 'AP', 'P', 'PR'],
          ['no_left_turn', 'RQB', 'B', 'BA'],
          ['no_right_turn', 'LD', 'D', 'BCD'],
          ['no_left_turn', 'OML', 'L', 'LK'],
          ['no_left_turn', 'NA', 'A', 'BA'],
          ['no_right_turn', 'BCD', 'B', 'BL'],
          ['no_right_turn', 'BL', 'L', 'LD'],
          ['no_u_turn', 'EH', 'H', 'EH'],
        ],
      },
    );
    const ends: readonly (readonly [string, string])[] = [
      ['PR', 'AP'],
      ['FE', 'TV'],
      ['XO', 'KW'],
    ];
    for (const [from, to] of ends) expect([from, to, map.route(from, to).status]).not.toContain('ok');
    // C, G, J, M, Q and S are bends.
    for (const path of ['PRTV', 'PRBDEH', 'PRBLKW', 'FEH', 'FEKW', 'FEDBAP']) map.expectPath(path);
    for (const path of ['HEDTV', 'HEKW', 'HEDBAP', 'XOLDTV', 'XOLDEH', 'XONAP']) map.expectPath(path);
  });

  it('M-022: applies over a way beyond the crossing, and over a way of several parts', async () => {
    const longer = `
  A----B----C
       |
  D----E----F
       |
       G
`;
    const { map } = await judged(
      longer,
      { ways: { BEG: {} }, restrictions: [['no_left_turn', 'AB', 'BEG', 'EF']] },
      false,
    );
    expect(['ABEF', 'ABED', 'CBEF', 'ABEG'].filter((path) => canTurn(map, path))).toEqual([
      'ABED',
      'CBEF',
      'ABEG',
    ]);
    const parts = await judged(
      longer,
      { ways: { BEG: {} }, restrictions: [['no_u_turn', 'AB', 'BEG', 'BEG']] },
      false,
    );
    expect(canTurn(parts.map, 'ABEG')).toBe(true);
  });

  it('M-022: applies a restriction whose end is its start', async () => {
    const block = `
  A----B----C
       |    |
       E----F
`;
    const round = await judged(block, {
      restrictions: [
        ['no_u_turn', 'AB', 'BC CF FE EB', 'BA'],
        ['no_u_turn', 'AB', 'B', 'AB'],
      ],
    });
    expect(round.driven(['ABCFEBA', 'ABEFCBA'])).toEqual(['ABEFCBA']);
    const ring = await judged('A----B----C\n     |    |\n     E----F', {
      ways: { BCFEB: {} },
      restrictions: [['no_left_turn', 'AB', 'B', 'BCFEB']],
    });
    expect(ring.map.network.edgeCount).toBeGreaterThan(0);
  });

  it('ignores a relation with missing members, without via or with a via elsewhere', async () => {
    const complete = await withRelation(cross, 'no_left_turn', [
      ['from', 'SX'],
      ['via', 'X'],
      ['to', 'XW'],
    ]);
    expect(complete.driven(['SXW'])).toEqual([]);
    for (const roles of [
      [
        ['from', 'SX'],
        ['to', 'XW'],
      ],
      [
        ['via', 'X'],
        ['to', 'XW'],
      ],
      [
        ['from', 'SX'],
        ['via', 'X'],
      ],
      [
        ['from', 'SX'],
        ['via', 'N'],
        ['to', 'XW'],
      ],
      [
        ['from', '#404'],
        ['via', 'X'],
        ['to', 'XW'],
      ],
      [
        ['from', 'SX'],
        ['via', '#404'],
        ['to', 'XW'],
      ],
      [],
    ] as const)
      expect((await withRelation(cross, 'no_left_turn', roles)).driven(everyTurn)).toEqual(everyTurn);
  });
});

const idsOf = (map: DrawnMap, path: string): string[] =>
  path
    .split('')
    .slice(1)
    .map((letter, i) => map.idOf(path[i]!, letter));

function canTurn(map: DrawnMap, path: string): boolean {
  const edges = path
    .split('')
    .slice(1)
    .map((letter, i) => map.edge(path[i]!, letter));
  const outcome = findRoute(map.network, onlyThese(map, 'driving', edges), {
    from: [{ edge: edges[0]!, fraction: 0 }],
    to: [{ edge: edges.at(-1)!, fraction: 1 }],
  });
  return outcome.status === 'ok' && map.lettersOf(outcome.path.edges) === path;
}

/** A relation with any members; `#404` is an element that the extract does not contain. */
async function withRelation(
  drawing: string,
  kind: string,
  roles: readonly (readonly [role: string, member: string])[],
): Promise<Judged> {
  return judged(drawing, { relations: [{ kind, roles }] });
}

describe('U-turns', () => {
  const uturnsIn = async (drawing: string, rules: MapRules, paths: readonly string[]): Promise<string[]> =>
    (await judged(drawing, rules)).driven(paths);

  it('M-022: U-turns are possible at dead ends and turning places, and at no crossing', async () => {
    const bend = 'A----B----C';
    expect(await uturnsIn(bend, {}, ['ABA', 'BCB'])).toEqual(['BCB']);
    expect(
      await uturnsIn(
        cross,
        { nodes: {} },
        everyTurn.filter((path) => path[0] === path[2]),
      ),
    ).toEqual([]);
    for (const highway of ['turning_circle', 'turning_loop', 'mini_roundabout'])
      expect(await uturnsIn(bend, { nodes: { B: { highway } } }, ['ABA'])).toEqual(['ABA']);
    for (const highway of ['traffic_signals', 'crossing'])
      expect(await uturnsIn(bend, { nodes: { B: { highway } } }, ['ABA'])).toEqual([]);
  });

  it('M-022: U-turns are possible if nothing else is legal: one-ways, gates, private roads', async () => {
    const bend = 'A----B----C';
    const fork = `${bend}\n     |\n     D`;
    const bc = (tags: Record<string, string>): MapRules => ({ ways: { BC: tags } });
    expect(await uturnsIn(bend, bc({ oneway: 'yes' }), ['ABA'])).toEqual([]);
    expect(await uturnsIn(bend, bc({ oneway: '-1' }), ['ABA'])).toEqual(['ABA']);
    expect(await uturnsIn(bend, bc({ highway: 'footway' }), ['ABA'])).toEqual(['ABA']);
    expect(await uturnsIn(bend, bc({ access: 'private' }), ['ABA'])).toEqual(['ABA']);
    expect(await uturnsIn(bend, { ways: { AB: { access: 'private' } } }, ['ABA'])).toEqual([]);
    expect(await uturnsIn(bend, { nodes: { B: { barrier: 'bollard' } } }, ['ABA'])).toEqual(['ABA']);
    const no = ['no_straight_on', 'AB', 'B', 'BC'] as const;
    expect(await uturnsIn(bend, { restrictions: [no] }, ['ABA'])).toEqual(['ABA']);
    expect(await uturnsIn(fork, { restrictions: [no] }, ['ABA'])).toEqual([]);
    expect(await uturnsIn(fork, { restrictions: [['only_u_turn', 'AB', 'B', 'AB']] }, ['ABA'])).toEqual([
      'ABA',
    ]);
  });

  it('M-022: restrictions on U-turns bind vehicles; pedestrians turn around anywhere', async () => {
    const { driven } = await judged('A----B----C', {});
    expect(driven(['ABA'], 'bicycling')).toEqual([]);
    expect(driven(['ABA'], 'walking')).toEqual(['ABA']);
  });
});

describe('faulty map data', () => {
  const place = (id: number, x: number, y: number) => ({ id, lng: 10 + x / 1000, lat: 50 + y / 1000 });
  const road = (id: number, ...refs: number[]) => ({ id, refs, tags: { highway: 'residential' } });

  it('missing nodes cut a road; repeated nodes and roads of one node do no harm', async () => {
    const network = await networkOf({
      nodes: [place(1, 0, 0), place(2, 1, 0), place(3, 2, 0), place(4, 3, 0), place(5, 4, 0)],
      ways: [road(10, 1, 2, 99, 3, 4), road(11, 4, 4, 5, 5), road(12, 5), road(13, 98, 97), road(14, 2, 2)],
    });
    expect(edgeIds(network)).toEqual(['10:1-2+', '10:2-1-', '10:3-4+', '10:4-3-', '11:4-5+', '11:5-4-']);
  });

  it('a road that is a loop, or meets itself, is driven all around', async () => {
    const network = await networkOf({
      nodes: [place(1, 0, 0), place(2, 1, 0), place(3, 2, 1), place(4, 2, -1)],
      ways: [road(10, 1, 2), { ...road(11, 2, 3, 4, 2), tags: { highway: 'residential', oneway: 'yes' } }],
    });
    // Against the one-way only on foot.
    expect(edgeIds(network)).toEqual(['10:1-2+', '10:2-1-', '11:2-2+', '11:2-2-']);
    const [out, loop] = ['10:2-1-', '11:2-2+'].map((id) => network.edgeByStableId(id)!);
    const round = findRoute(network, freeFlowMetric(network, 'driving'), {
      from: [{ edge: loop!, fraction: 0.5 }],
      to: [{ edge: loop!, fraction: 0.25 }],
    });
    expect(round.status === 'ok' && [...round.path.edges]).toEqual([loop, loop]);
    const away = findRoute(network, freeFlowMetric(network, 'driving'), {
      from: [{ edge: loop!, fraction: 0.5 }],
      to: [{ edge: out!, fraction: 1 }],
    });
    expect(away.status === 'ok' && [...away.path.edges]).toEqual([loop, out]);
    const lasso = await networkOf({
      nodes: [place(1, 0, 0), place(2, 1, 0), place(3, 2, 1), place(4, 2, -1)],
      ways: [road(10, 1, 2, 3, 4, 2)],
    });
    expect(edgeIds(lasso)).toEqual(['10:1-2+', '10:2-1-', '10:2-2+', '10:2-2-']);
  });

  it('the same element twice, two nodes in one place and a road through the poles do no harm', async () => {
    const network = await networkOf({
      nodes: [
        place(1, 0, 0),
        place(2, 0, 0),
        place(3, 1, 0),
        { id: 4, lng: 180, lat: 90 },
        { id: 5, lng: -180, lat: -90 },
      ],
      ways: [road(10, 1, 2, 3), road(11, 4, 5)],
    });
    expect(network.edgeCount).toBe(4);
    for (const length of network.arrays.lengthCm) expect(length).toBeGreaterThan(0);
  });

  it('loops that restrictions close keep the search finite', async () => {
    const relations: FixtureRelation[] = [11, 12, 13].map((way, i) => ({
      id: i,
      members: [
        { type: 'way', id: way, role: 'from' },
        { type: 'node', id: [3, 4, 2][i]!, role: 'via' },
        { type: 'way', id: [12, 13, 11][i]!, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: 'only_straight_on' },
    }));
    const network = await networkOf({
      nodes: [place(1, 0, 0), place(2, 1, 0), place(3, 2, 1), place(4, 2, -1), place(5, 3, 0)],
      ways: [road(10, 1, 2), road(11, 2, 3), road(12, 3, 4), road(13, 4, 2), road(14, 3, 5)],
      relations,
    });
    // A vehicle on the ring in its direction never leaves it.
    const outcome = findRoute(network, freeFlowMetric(network, 'driving'), {
      from: [{ edge: network.edgeByStableId('11:2-3+')!, fraction: 0 }],
      to: [{ edge: network.edgeByStableId('14:3-5+')!, fraction: 1 }],
    });
    expect(outcome).toEqual({ status: 'no-route', reason: 'unreachable' });
  });
});

async function networkOf(fixture: Fixture): Promise<RoadNetwork> {
  const objects = new MemoryObjectStore();
  await buildTileset({ kind: 'elements', read: (sink) => playFixture(fixture, sink) }, objects);
  return openTileset(objects);
}

const edgeIds = (network: RoadNetwork): string[] =>
  Array.from({ length: network.edgeCount }, (_, edge) => network.edgeId(edge)).sort();
