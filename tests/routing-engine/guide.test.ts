import { describe, expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import { crossingAt } from '#routing-engine/guidance/crossing.js';
import { guidanceLanguages, guide, type RouteStep } from '#routing-engine/guidance/guide.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute, type RoutePath } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { foundLeg } from '#routing-engine/tasks/found-leg.js';
import type { OsmMember } from '#schemas/osm-sink.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

type Tags = Readonly<Record<string, string>>;
type Places = Readonly<Record<string, readonly [east: number, north: number]>>;

interface Town {
  readonly network: RoadNetwork;
  /** Edges along letters. */
  readonly edges: (path: string) => number[];
}

/** A relation of a way, the crossing, ways between, and a way. */
interface StatedRelation extends Tags {
  readonly from: string;
  readonly node: string;
  readonly over?: string;
  readonly to: string;
}

/** A town by its crossings, in steps of 100 m, and its ways by the letters they run through. */
async function town(
  places: Places,
  ways: Readonly<Record<string, Tags>>,
  crossings: Readonly<Record<string, Tags>> = {},
  relations: readonly StatedRelation[] = [],
): Promise<Town> {
  const letters = Object.keys(places);
  const id = (letter: string): number => letters.indexOf(letter) + 1;
  const objects = new MemoryObjectStore();
  await buildTileset(
    {
      kind: 'elements',
      read: (sink) =>
        playFixture(
          {
            nodes: letters.map((letter) => {
              const [east, north] = places[letter]!;
              return { id: id(letter), lng: east / 1112, lat: north / 1112, tags: crossings[letter] ?? {} };
            }),
            ways: Object.entries(ways).map(([name, tags], i) => ({
              id: 100 + i,
              refs: name.split('').map(id),
              tags: tags['route'] === undefined ? { highway: 'residential', ...tags } : tags,
            })),
            relations: relations.map(({ from, node, over = '', to, ...tags }, i) => ({
              id: 1 + i,
              members: [
                wayMember(ways, from, 'from'),
                ...node.split('').map((letter) => ({ type: 'node' as const, id: id(letter), role: 'via' })),
                ...over
                  .split(' ')
                  .filter((name) => name !== '')
                  .map((name) => wayMember(ways, name, 'via')),
                wayMember(ways, to, 'to'),
              ],
              tags: { type: 'maneuver', ...tags },
            })),
          },
          sink,
        ),
    },
    objects,
  );
  const network = await openTileset(objects);
  const { tail, head, nodeOsmId } = network.arrays;
  const edgeOf = (from: string, to: string): number => {
    for (let edge = 0; edge < network.edgeCount; edge++)
      if (nodeOsmId[tail[edge]!] === id(from) && nodeOsmId[head[edge]!] === id(to)) return edge;
    throw new Error(`there is no road from ${from} to ${to}`);
  };
  return {
    network,
    edges: (path) =>
      path
        .split('')
        .slice(1)
        .map((letter, i) => edgeOf(path[i]!, letter)),
  };
}

const wayMember = (ways: object, name: string, role: string): OsmMember => ({
  type: 'way',
  id: 100 + Object.keys(ways).indexOf(name),
  role,
});

function guideAlong({ network, edges }: Town, path: string, language = 'en'): RouteStep[] {
  const metric = freeFlowMetric(network, 'driving');
  const list = edges(path);
  const outcome = findRoute(network, metric, {
    from: [{ edge: list[0]!, fraction: 0 }],
    to: [{ edge: list.at(-1)!, fraction: 1 }],
  });
  if (outcome.status !== 'ok') throw new Error(outcome.reason);
  expect([...outcome.path.edges]).toEqual(list);
  return guide(network, metric, outcome.path, pathGeometry(network, outcome.path), { language });
}

const maneuvers = (steps: readonly RouteStep[]): string[] =>
  steps
    .slice(1, -1)
    .map(
      ({ maneuver: { type, modifier, exit } }) =>
        `${type} ${modifier}${exit === undefined ? '' : ` ${exit}`}`,
    );

const cross: Places = { W: [0, 0], X: [2, 0], E: [4, 0], N: [2, 2], S: [2, -2] };

describe('guidance', () => {
  it('announces turns at a crossing and new names, but not the road straight on', async () => {
    const named = await town(cross, {
      WX: { name: 'Long Street' },
      XE: { name: 'Long Street' },
      NX: { name: 'North Road' },
      XS: {},
    });
    expect(maneuvers(guideAlong(named, 'WXE'))).toEqual([]);
    expect(maneuvers(guideAlong(named, 'WXN'))).toEqual(['turn left']);
    expect(maneuvers(guideAlong(named, 'WXS'))).toEqual(['turn right']);
    expect(guideAlong(named, 'WXN').map(({ instruction }) => instruction)).toEqual([
      'Head east on Long Street',
      'Turn left onto North Road',
      'You have arrived at your destination',
    ]);
    const renamed = await town(cross, { WX: { name: 'Long Street' }, XE: { name: 'Short Street' }, NXS: {} });
    expect(maneuvers(guideAlong(renamed, 'WXE'))).toEqual(['new name straight']);
    const nameless = await town(cross, { WX: { name: 'Long Street' }, XE: {}, NXS: {} });
    expect(maneuvers(guideAlong(nameless, 'WXE'))).toEqual([]);
  });

  it('a sentence that was made before is that of the road, the turn and the language', async () => {
    const roads = await town(cross, {
      WX: { name: 'Long Street' },
      XE: { name: 'Long Street' },
      NX: { name: 'North' },
    });
    const said = (path: string, language?: string): string[] =>
      guideAlong(roads, path, language).map(({ instruction }) => instruction);
    for (let again = 0; again < 2; again++) {
      expect(said('WXN')).toEqual(['Head east on Long Street', 'Turn left onto North', expect.anything()]);
      expect(said('EXN')).toEqual(['Head west on Long Street', 'Turn right onto North', expect.anything()]);
      expect(said('WXN', 'de')[1]).toBe('Links abbiegen auf North');
      expect(said('NXE')).toEqual(['Head south on North', 'Turn left onto Long Street', expect.anything()]);
    }
  });

  it('announces the end of a road, a street that goes around a corner, and a U-turn', async () => {
    const { W, X, N, S } = cross as Record<'W' | 'X' | 'N' | 'S', readonly [number, number]>;
    const ending = await town({ W, X, N, S }, { WX: { name: 'A' }, NXS: { name: 'B' } });
    expect(maneuvers(guideAlong(ending, 'WXN'))).toEqual(['end of road left']);
    expect(maneuvers(guideAlong(ending, 'WXS'))).toEqual(['end of road right']);
    const corner = await town(cross, {
      WX: { name: 'A' },
      XN: { name: 'A' },
      XE: { name: 'B' },
      XS: { name: 'B' },
    });
    expect(maneuvers(guideAlong(corner, 'WXN'))).toEqual(['continue left']);
    const bend = await town({ W, X, N }, { WX: { name: 'A' }, XN: { name: 'A' } });
    expect(maneuvers(guideAlong(bend, 'WXN'))).toEqual([]);
    const { network, edges } = ending;
    const [there, back] = [edges('XS')[0]!, edges('SX')[0]!];
    const metric = freeFlowMetric(network, 'driving');
    const outcome = findRoute(network, metric, {
      from: [{ edge: there, fraction: 0 }],
      to: [{ edge: back, fraction: 1 }],
    });
    if (outcome.status !== 'ok') throw new Error(outcome.reason);
    const steps = guide(network, metric, outcome.path, pathGeometry(network, outcome.path), {});
    expect(maneuvers(steps)).toEqual(['continue uturn']);
  });

  it('a road that may not be entered counts as a branch: a forced turn there is announced', async () => {
    const oneway = { oneway: 'yes' };
    const maneuversOf = async (ways: Readonly<Record<string, Tags>>, path = 'WXN', places = cross) =>
      maneuvers(guideAlong(await town(places, ways), path));
    // A T-junction onto a one-way street, with any names.
    const { W, X, E, N, S } = cross as Record<'W' | 'X' | 'E' | 'N' | 'S', readonly [number, number]>;
    const tee: Places = { W, X, N, S };
    for (const [from, to] of [
      [{}, { name: 'B' }],
      [{ name: 'A' }, {}],
      [{ highway: 'service' }, {}],
      [{ access: 'private' }, {}],
    ] as const)
      expect(await maneuversOf({ WX: from, SXN: { ...to, ...oneway } }, 'WXN', tee)).toEqual([
        'end of road left',
      ]);
    expect(await maneuversOf({ WX: { name: 'A' }, SXN: { name: 'B', ...oneway } }, 'WXN', tee)).toEqual([
      'end of road left',
    ]);
    const same = { name: 'A' };
    expect(await maneuversOf({ WX: same, SXN: { ...same, ...oneway } }, 'WXN', tee)).toEqual([
      'continue left',
    ]);
    // Straight ahead is a one-way street in the opposite direction, or a road that cars may not use.
    const closed = [oneway, { motor_vehicle: 'no' }, { highway: 'track' }];
    for (const tags of closed)
      expect(await maneuversOf({ WX: same, EX: tags, XN: { name: 'B' } }, 'WXN', { W, X, E, N })).toEqual([
        'turn left',
      ]);
    // A road around a bend is not announced, and a footway is no branch.
    expect(await maneuversOf({ WXN: same, EX: oneway }, 'WXN', { W, X, E, N })).toEqual([]);
    expect(
      await maneuversOf({ WX: same, XN: {}, XE: { highway: 'footway' } }, 'WXN', { W, X, E, N }),
    ).toEqual([]);
    // No turn, or no forced one: as before.
    const wide: Places = { W, X, E: [4, 1], N };
    expect(await maneuversOf({ WX: same, XE: {}, NX: oneway }, 'WXE', wide)).toEqual([]);
  });

  it('announces a corner that exists only in the geometry of a crossing, except of one road', async () => {
    // 3 m to the north at the crossing, then on to the east.
    const places: Places = { W: [0, 0], X: [2, 0], C: [2, 0.03], E: [4, 0.1], S: [2, -2] };
    const along = async (name: string): Promise<string[]> =>
      maneuvers(guideAlong(await town(places, { WX: { name: 'A' }, XCE: { name }, XS: {} }), 'WXE'));
    expect(await along('')).toEqual(['turn left']);
    expect(await along('A')).toEqual([]);
  });

  it('announces forks: keep to the side', async () => {
    const fork = await town(
      { A: [0, 0], B: [3, 0], L: [6, 1], R: [6, -1] },
      { AB: { name: 'Both' }, BL: { name: 'Left' }, BR: { name: 'Right' } },
    );
    expect(maneuvers(guideAlong(fork, 'ABL'))).toEqual(['fork slight left']);
    expect(maneuvers(guideAlong(fork, 'ABR'))).toEqual(['fork slight right']);
    expect(guideAlong(fork, 'ABL')[1]!.instruction).toBe('Keep left onto Left');
    const lesser = await town(
      { A: [0, 0], B: [3, 0], L: [6, 1], R: [6, -1] },
      { AB: { name: 'Both' }, BL: { name: 'Both' }, BR: { highway: 'service' } },
    );
    expect(maneuvers(guideAlong(lesser, 'ABL'))).toEqual([]);
  });

  it('announces ramps on and off a motorway, and merging from the side of the ramp', async () => {
    const motorway = { highway: 'motorway', ref: 'A 5' };
    const ramp = { highway: 'motorway_link', oneway: 'yes' };
    const roads = await town(
      { A: [0, 0], B: [3, 0], C: [6, 0], D: [9, 0], P: [3, -3], Q: [2, -1], U: [5, -1], V: [6, -3] },
      {
        AB: motorway,
        BC: motorway,
        CD: motorway,
        PQ: { highway: 'primary', name: 'Feeder' },
        QB: ramp,
        BU: ramp,
        UV: { highway: 'primary', name: 'Exit Street' },
      },
    );
    expect(maneuvers(guideAlong(roads, 'ABUV'))[0]).toBe('off ramp slight right');
    const up = maneuvers(guideAlong(roads, 'PQBC'));
    expect(up.at(-1)).toBe('merge slight left');
    const leftSide = await town(
      { A: [0, 0], B: [3, 0], C: [6, 0], Q: [1, 1] },
      { AB: motorway, BC: motorway, QB: ramp },
    );
    expect(maneuvers(guideAlong(leftSide, 'QBC'))).toEqual(['merge slight right']);
    expect(maneuvers(guideAlong(leftSide, 'ABC'))).toEqual([]);
    const onto = await town(
      { A: [0, 0], B: [3, 0], C: [6, 0], R: [5, -2] },
      { AB: { highway: 'primary', name: 'Feeder' }, BC: { highway: 'primary', name: 'Feeder' }, BR: ramp },
    );
    expect(maneuvers(guideAlong(onto, 'ABR'))).toEqual(['on ramp slight right']);
    // A ramp that leaves almost straight on has the side of the road that it lies on.
    for (const [north, side] of [
      [-0.6, 'slight right'],
      [0.6, 'slight left'],
    ] as const) {
      const narrow = await town(
        { A: [0, 0], B: [3, 0], C: [6, 0], R: [6, north] },
        { AB: motorway, BC: motorway, BR: ramp },
      );
      expect(maneuvers(guideAlong(narrow, 'ABR'))).toEqual([`off ramp ${side}`]);
    }
    // The road bends away to the left, and the ramp goes straight on: it lies on the right.
    const bend = await town(
      { A: [0, 0], B: [3, 0], C: [6, 2], R: [6, 0] },
      { AB: motorway, BC: motorway, BR: ramp },
    );
    expect(maneuvers(guideAlong(bend, 'ABR'))).toEqual(['off ramp slight right']);
  });

  it('roundabouts: the number of the exit, and the name behind it', async () => {
    const ring: Places = {
      S: [0, -4],
      s: [0, -1],
      E: [4, 0],
      e: [1, 0],
      N: [0, 4],
      n: [0, 1],
      W: [-4, 0],
      w: [-1, 0],
    };
    const roads = await town(ring, {
      senws: { junction: 'roundabout' },
      Ss: { name: 'South' },
      Ee: { name: 'East' },
      Nn: { name: 'North' },
      Ww: { name: 'West' },
    });
    expect(maneuvers(guideAlong(roads, 'SseE'))).toEqual([
      'roundabout right 1',
      'exit roundabout slight right 1',
    ]);
    expect(maneuvers(guideAlong(roads, 'SsenN'))[0]).toBe('roundabout straight 2');
    expect(maneuvers(guideAlong(roads, 'SsenwW'))[0]).toBe('roundabout left 3');
    const steps = guideAlong(roads, 'SsenN');
    expect(steps[1]!.instruction).toBe('Enter the roundabout and take the 2nd exit onto North');
    expect(steps[2]!.instruction).toBe('Exit the roundabout onto North');
    expect(steps[1]!.name).toBe('North');
    // An exit that cars may not take does not count.
    const walk = await town(ring, {
      senws: { junction: 'roundabout' },
      Ss: {},
      Ee: { highway: 'footway' },
      Nn: {},
    });
    expect(maneuvers(guideAlong(walk, 'SsenN'))[0]).toBe('roundabout straight 1');
  });

  it('roundabouts: a road that leaves at the node of the entry counts if it lies ahead', async () => {
    const places: Places = {
      A: [-2, -4],
      X: [2, -4],
      s: [0, -1],
      e: [1, 0],
      n: [0, 1],
      w: [-1, 0],
      N: [0, 4],
    };
    const exits = (roads: Town): unknown[] =>
      ['AsnN', 'XsnN'].map((path) => guideAlong(roads, path)[1]!.maneuver.exit);
    const others = { As: {}, Xs: {}, Nn: {} };
    expect(exits(await town(places, { senws: { junction: 'roundabout' }, ...others }))).toEqual([2, 1]);
    // The same ring where traffic keeps left.
    expect(exits(await town(places, { swnes: { junction: 'roundabout' }, ...others }))).toEqual([1, 2]);
  });

  it('two turns from one carriageway of a divided road onto the other are one U-turn', async () => {
    const divided = (apart: number, back: Tags) =>
      town(
        { A: [0, 0], B: [2, 0], C: [4, 0], F: [4, apart], E: [2, apart], D: [0, apart] },
        {
          ABC: { name: 'Avenue', oneway: 'yes' },
          FED: { name: 'Avenue', oneway: 'yes', ...back },
          BE: { name: 'Link' },
        },
      );
    const turns = async (apart: number, back: Tags = {}) =>
      maneuvers(guideAlong(await divided(apart, back), 'ABED'));
    const steps = guideAlong(await divided(0.2, {}), 'ABED');
    expect(maneuvers(steps)).toEqual(['continue uturn']);
    expect(steps[1]).toMatchObject({ name: 'Avenue', instruction: 'Make a U-turn and continue on Avenue' });
    expect(steps[1]!.distanceM).toBeCloseTo(220, -1);
    // Of a street in both directions as well; not too far apart, nor onto another street.
    expect(await turns(0.2, { oneway: 'no' })).toEqual(['continue uturn']);
    expect(await turns(0.6)).toHaveLength(2);
    expect(await turns(0.2, { name: 'Other Street' })).toHaveLength(2);
  });

  it('a turn behind another one without another way is part of it', async () => {
    const zigzag = (apart: number) =>
      town(
        { A: [0, 0], B: [2, 0], X: [4, 0], C: [2, apart], Y: [4, apart] },
        {
          ABX: { name: 'First' },
          BC: { name: 'Second', oneway: 'yes' },
          CY: { name: 'Third', oneway: 'yes' },
          YC: { name: 'Third', highway: 'footway' },
        },
      );
    const steps = guideAlong(await zigzag(0.2), 'ABCY');
    expect(maneuvers(steps)).toEqual(['turn left']);
    expect(steps[1]).toMatchObject({ name: 'Third', edgeBehind: 2 });
    expect(maneuvers(guideAlong(await zigzag(0.4), 'ABCY'))).toHaveLength(2);
  });

  it('a link that begins nearly straight on and leads round a corner is a turn where it leaves', async () => {
    const places: Places = {
      J: [2, -0.01],
      C: [0.16, -0.01],
      L: [0.11, -0.02],
      N: [0.04, -0.07],
      G: [0, -0.17],
      H: [0, -0.18],
      I: [0, -2],
      D: [0.16, 2],
    };
    const roads = (link: Tags) =>
      town(places, {
        JC: { name: 'Kap', highway: 'primary', oneway: 'yes' },
        CLNGH: { name: 'Kap', oneway: 'yes', ...link },
        HI: { name: 'Kurt', highway: 'primary', oneway: 'yes' },
        CD: { name: 'Kurt', highway: 'secondary', oneway: 'yes' },
      });
    const path = 'JCHI';
    const steps = guideAlong(await roads({ highway: 'primary_link' }), path);
    expect(maneuvers(steps)).toEqual(['turn left']);
    expect(steps[1]).toMatchObject({ name: 'Kurt', edgeFrom: 1 });
    expect(maneuvers(guideAlong(await roads({ highway: 'primary' }), path))).not.toContain('turn left');
  });

  it('of three roads that go nearly straight on, the middle one is straight', async () => {
    const roads = await town(
      { A: [0, -4], X: [0, 0], B: [-0.3, 2], C: [0.1, 2], D: [0.5, 2] },
      { AX: { name: 'In' }, XB: { name: 'B' }, XC: { name: 'C' }, XD: { name: 'D' } },
    );
    expect(['AXB', 'AXC', 'AXD'].map((path) => maneuvers(guideAlong(roads, path)))).toEqual([
      ['fork slight left'],
      ['fork straight'],
      ['fork slight right'],
    ]);
  });

  it('a road across the island is no way round, and a road that is drawn twice is one exit', async () => {
    const places: Places = {
      ...{ S: [0, -4], s: [0, -1], e: [1, 0], n: [0, 1], w: [-1, 0], N: [0, 4], E: [4, 0], W: [-4, 0] },
    };
    const ring = { senws: { junction: 'roundabout' }, Ss: {}, Nn: {}, wW: {} };
    const across = await town(places, { ...ring, eE: {}, sn: { highway: 'primary' } });
    expect(maneuvers(guideAlong(across, 'SsnN')).join()).not.toContain('roundabout');
    const twice = await town(places, { ...ring, eE: {}, Ee: {} });
    expect(guideAlong(twice, 'SsenN')[1]!.maneuver.exit).toBe(2);
  });

  it('a road that divides is one arm of the crossing', async () => {
    const roads = await town(
      { A: [-3, 0], X: [0, 0], B: [0.3, 0.1], C: [3, 0.1], D: [0.3, -0.1], E: [3, -0.1] },
      {
        AX: { name: 'Road' },
        XDE: { name: 'Road', oneway: 'yes' },
        CBX: { name: 'Road', oneway: 'yes' },
      },
    );
    const [ax, xe] = roads.edges('AXE');
    const path = { edges: Uint32Array.of(ax!, xe!) } as RoutePath;
    const { bearings, entry } = crossingAt(roads.network, 'driving', path, 1);
    expect(bearings.map((each) => Math.round(each))).toEqual([90, 270]);
    expect(entry).toEqual([true, false]);
  });

  it('a route that begins at a crossing begins on the road behind it', async () => {
    const { network, edges } = await town(
      { A: [0, 0], B: [3, 0], C: [6, 0] },
      { AB: { name: 'Old' }, BC: { name: 'New' } },
    );
    const metric = freeFlowMetric(network, 'driving');
    const names = (fraction: number): string[] => {
      const [from, to] = edges('ABC');
      const outcome = findRoute(network, metric, {
        from: [{ edge: from!, fraction }],
        to: [{ edge: to!, fraction: 1 }],
      });
      if (outcome.status !== 'ok') throw new Error(outcome.reason);
      const geometry = pathGeometry(network, outcome.path);
      return guide(network, metric, outcome.path, geometry, {}).map(({ name }) => name);
    };
    expect(names(1)).toEqual(['New', 'New']);
    expect(names(0.5)).toEqual(['Old', 'New', 'New']);
  });

  it('a route that ends at a crossing ends on the road before it', async () => {
    const { network, edges } = await town(cross, {
      WX: { name: 'West' },
      XE: { name: 'East' },
      XN: { name: 'North' },
      XS: { name: 'South' },
    });
    const metric = freeFlowMetric(network, 'driving');
    const told = (fraction: number): string[] => {
      const [from, to] = edges('WXS');
      const outcome = findRoute(network, metric, {
        from: [{ edge: from!, fraction: 0 }],
        to: [{ edge: to!, fraction }],
      });
      if (outcome.status !== 'ok') throw new Error(outcome.reason);
      const geometry = pathGeometry(network, outcome.path);
      const steps = guide(network, metric, outcome.path, geometry, {});
      return steps.map(({ name, maneuver: { type } }) => `${type} ${name}`);
    };
    expect(told(0)).toEqual(['depart West', 'arrive West']);
    expect(told(0.2)).toEqual(['depart West', 'turn South', 'arrive South']);
  });

  it('announces boarding and leaving a ferry', async () => {
    const roads = await town(
      { A: [0, 0], B: [3, 0], C: [20, 0], D: [23, 0] },
      { AB: { name: 'Quay' }, BC: { route: 'ferry', name: 'The Ferry' }, CD: { name: 'Other Quay' } },
    );
    const steps = guideAlong(roads, 'ABCD');
    expect(maneuvers(steps)).toEqual(['notification straight', 'notification straight']);
    expect(steps[1]!.instruction).toBe('Take the ferry The Ferry');
    expect(steps.map(({ mode }) => mode)).toEqual(['driving', 'ferry', 'driving', 'driving']);
  });

  it('a roundabout leads to the ferry that leaves from it; the ferry is a step', async () => {
    const places: Places = {
      S: [0, -4],
      s: [0, -1],
      n: [0, 1],
      F: [0, 9],
      w: [-1, 0],
      e: [1, 0],
      D: [0, 12],
      E: [4, 0],
    };
    const roads = (ring: Tags): Promise<Town> =>
      town(places, { Ss: {}, senws: ring, Ee: {}, nF: { route: 'ferry', name: 'Line' }, FD: {} });
    const round = await roads({ junction: 'roundabout' });
    const steps = guideAlong(round, 'SsenFD');
    expect(maneuvers(steps)).toEqual([
      'roundabout straight 2',
      'exit roundabout slight right 2',
      'notification straight',
    ]);
    expect(steps.map(({ mode }) => mode)).toEqual(['driving', 'driving', 'ferry', 'driving', 'driving']);
    expect(steps[1]!.instruction).toBe('Enter the roundabout and take the 2nd exit onto Line');
    expect(steps[2]!.instruction).toBe('Take the ferry Line');
    expect(maneuvers(guideAlong(round, 'enF'))).toEqual(['exit roundabout slight right']);
    for (const language of guidanceLanguages)
      for (const { instruction } of guideAlong(round, 'SsenFD', language))
        expect(instruction).not.toMatch(/^$|undefined|[{}]/);
    const ships = await roads({ junction: 'roundabout', route: 'ferry' });
    expect(guideAlong(ships, 'SsenFD').map(({ mode }) => mode)).toContain('ferry');
  });

  it('escapes names in HTML and only in HTML', async () => {
    const roads = await town(cross, {
      WX: {},
      XN: { name: `<img src=x onerror="alert('1')"> & Söner` },
      XE: {},
    });
    const [, turn] = guideAlong(roads, 'WXN');
    expect(turn!.instruction).toContain(`<img src=x onerror="alert('1')"> & Söner`);
    expect(turn!.htmlInstruction).toBe(
      'Turn left onto <b>&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Söner</b>',
    );
  });

  it('names ramps by their exit number and their signs, streets by their names', async () => {
    const motorway: Places = {
      W: [0, 0],
      X: [5, 0],
      E: [10, 0],
      R: [10, -1],
      S: [10, -4],
      Q: [10, -6],
      Z: [14, -4],
    };
    const signed = (tags: Tags, exit: Tags = { ref: '37' }): Promise<Town> =>
      town(
        motorway,
        {
          WXE: { highway: 'motorway', oneway: 'yes', ref: 'A 5' },
          XRS: { highway: 'motorway_link', oneway: 'yes', ...tags },
          SZ: { highway: 'primary', name: 'Ring <1>', oneway: 'yes', destination: 'Centrum' },
          SQ: {},
        },
        { X: { highway: 'motorway_junction', ...exit } },
      );
    const off = async (tags: Tags, exit?: Tags): Promise<RouteStep> => {
      const step = guideAlong(await signed(tags, exit), 'WXSZ')[1]!;
      expect(step.maneuver.type).toBe('off ramp');
      return step;
    };
    const full = await off({ 'destination:ref': 'B 37;B 3', destination: 'Heidelberg; Mannheim' });
    expect(full).toMatchObject({ destinations: 'B 37, B 3: Heidelberg, Mannheim', exits: '37' });
    expect(full.instruction).toBe('Take exit 37 towards B 37: Heidelberg');
    expect(full.htmlInstruction).toBe('Take exit <b>37</b> towards <b>B 37: Heidelberg</b>');
    expect((await off({}, { ref: '12', exit_to: 'North <b> Road' })).htmlInstruction).toBe(
      'Take exit <b>12</b> towards <b>North &lt;b&gt; Road</b>',
    );
    // The number on the ramp precedes that of the crossing.
    expect((await off({ 'junction:ref': '9a' })).instruction).toBe('Take exit 9a');
    expect((await off({ destination: 'Airport' }, {})).instruction).toBe('Take the ramp towards Airport');
    expect((await off({}, {})).instruction).toBe('Take the ramp');
    const street = guideAlong(await signed({}), 'WXSZ').find(({ name }) => name === 'Ring <1>')!;
    // A client may show the sign; the instruction has the name.
    expect(street).toMatchObject({ destinations: 'Centrum', exits: '' });
    expect(street.instruction).toContain('Ring <1>');
    expect(street.instruction).not.toContain('Centrum');
  });

  it('relations that state an instruction: another turn, a new one, or none', async () => {
    // B Street goes on at X, C Street leaves to the south; D is one block on.
    const places: Places = { W: [0, 0], X: [2, 0], E: [4, 0], S: [2, -2], D: [2, -4], F: [4, -4] };
    const ways = {
      WX: { name: 'A Street' },
      XE: { name: 'A Street' },
      XS: { name: 'C Street' },
      SD: { name: 'C Street' },
      DF: { name: 'D Street' },
    };
    const told = async (path: string, ...relations: StatedRelation[]): Promise<string[]> =>
      maneuvers(guideAlong(await town(places, ways, {}, relations), path));
    const turn = { from: 'WX', node: 'X', to: 'XS', maneuver: 'turn', direction: 'sharp_right' };
    expect(await told('WXS')).toEqual(['turn right']);
    expect(await told('WXS', turn)).toEqual(['turn sharp right']);
    expect(await told('WXS', { ...turn, type: 'manoeuvre', manoeuvre: 'fork', maneuver: 'turn' })).toEqual([
      'fork sharp right',
    ]);
    expect(await told('WXE', turn)).toEqual([]);
    expect(await told('WXE', { ...turn, to: 'XE', direction: 'slight_left' })).toEqual(['turn slight left']);
    expect(await told('EXW', { ...turn, to: 'XE', direction: 'slight_left' })).toEqual([]);
    expect(await told('WXS', { ...turn, maneuver: 'suppress', direction: '' })).toEqual([]);
    const over = { ...turn, over: 'XS SD', to: 'DF', node: 'D', direction: 'slight_left' };
    expect(await told('WXSDF', over)).toEqual(['turn right', 'turn slight left']);
    expect(await told('SDF', over)).toEqual(['new name left']);
    // An instruction at a place where nothing else can be done is none.
    expect(await told('XSD', { ...turn, from: 'XS', node: 'S', to: 'SD' })).toEqual([]);
  });

  it('a relation suppresses one of two turns: the other leads onto the road behind', async () => {
    const places: Places = { W: [0, 0], X: [2, 0], E: [4, 0], S: [2, -2], Q: [0, -2], F: [4, -2] };
    const ways = { WX: { name: 'A' }, XE: { name: 'A' }, XS: {}, SQ: { name: 'B' }, SF: { name: 'B' } };
    const over = { from: 'WX', over: 'XS', to: 'SQ', maneuver: 'suppress' };
    const steps = async (...relations: StatedRelation[]): Promise<string[]> =>
      guideAlong(await town(places, ways, {}, relations), 'WXSQ')
        .slice(1, -1)
        .map(({ name, maneuver: { type, modifier } }) => `${type} ${modifier}: ${name}`);
    expect(await steps()).toEqual(['turn right: ', 'end of road right: B']);
    expect(await steps({ ...over, node: 'S' })).toEqual(['turn right: B']);
    expect(await steps({ ...over, node: 'S', maneuver: 'uturn' }, { ...over, node: 'X' })).toEqual([
      'turn uturn: B',
    ]);
  });

  it.each<[string, Partial<StatedRelation>]>([
    ['of a node that it does not pass', { node: 'E' }],
    ['with two nodes', { node: 'XE' }],
    ['without a node', { node: '' }],
    ['of another maneuver', { maneuver: 'teleport' }],
    ['of another direction', { direction: '"><b>' }],
    ['of another type', { type: 'site' }],
    ['over ways that do not follow', { over: 'XE' }],
  ])('F: a relation %s states nothing', async (_, wrong) => {
    const ways = { WX: { name: 'A' }, XE: { name: 'B' }, XN: { name: 'C' }, XS: { name: 'D' } };
    const stated = { from: 'WX', node: 'X', to: 'XS', maneuver: 'turn', direction: 'sharp_right', ...wrong };
    expect(maneuvers(guideAlong(await town(cross, ways, {}, [stated]), 'WXS'))).toEqual(['turn right']);
  });

  it('a crossing of a step is also where a road enters or leaves a tunnel', async () => {
    const places: Places = { A: [0, 0], B: [1, 0], C: [2, 0], D: [3, 0], E: [4, 0] };
    const roads = await town(places, {
      AB: { name: 'A' },
      BC: { name: 'A', tunnel: 'yes' },
      CD: { name: 'A' },
      DE: { name: 'A' },
    });
    const metric = freeFlowMetric(roads.network, 'driving');
    const [first, , , last] = roads.edges('ABCDE');
    const from = [{ edge: first!, fraction: 0.5 }];
    const outcome = findRoute(roads.network, metric, { from, to: [{ edge: last!, fraction: 1 }] });
    if (outcome.status !== 'ok') throw new Error(outcome.reason);
    const options = { metric, language: 'en', annotate: false };
    const { steps } = foundLeg(roads.network, options, outcome.path, undefined);
    expect(steps.map(({ crossings }) => crossings.map(({ classes = [] }) => classes))).toEqual([
      [[], ['tunnel'], []],
      [[]],
    ]);
  });

  it('the pronunciation of a name, in both directions, also beside signs and lanes', async () => {
    const said = async (tags: Tags): Promise<string[]> => {
      const roads = await town(cross, { WX: { name: 'A' }, EX: { name: 'B' }, XN: tags, XS: { name: 'D' } });
      return ['WXN', 'NXW'].map(
        (route) => guideAlong(roads, route).find(({ name }) => name === 'Houston St')?.pronunciation ?? '-',
      );
    };
    const houston = { name: 'Houston St', 'name:pronunciation': '/ˈhaʊstən/' };
    expect(await said(houston)).toEqual(['/ˈhaʊstən/', '/ˈhaʊstən/']);
    expect(await said({ ...houston, destination: 'Quay', 'turn:lanes:forward': 'left|right' })).toEqual([
      '/ˈhaʊstən/',
      '/ˈhaʊstən/',
    ]);
    expect(await said({ name: 'Houston St' })).toEqual(['', '']);
    // Characters that would end a field do not.
    expect(await said({ ...houston, 'name:pronunciation': 'a\u001fb' })).toEqual(['ab', 'ab']);
    expect(await said({ ...houston, 'name:pronunciation': 'a'.repeat(256) })).toEqual(['', '']);
    const unnamed = await town(cross, { WX: {}, EX: {}, XN: { 'name:pronunciation': 'b' }, XS: {} });
    expect(guideAlong(unnamed, 'WXN').map(({ pronunciation }) => pronunciation)).toEqual(['', '', '']);
  });

  it('signs of a two-way road apply only in their direction', async () => {
    const roads = (tags: Tags): Promise<Town> =>
      town(cross, { WX: { name: 'A' }, EX: { name: 'B' }, XN: tags, XS: { name: 'D' } });
    const along = async (tags: Tags): Promise<string> =>
      guideAlong(await roads(tags), 'WXN')[1]!.destinations;
    expect(await along({ 'destination:forward': 'Quay' })).toBe('Quay');
    expect(await along({ destination: 'Quay' })).toBe('');
    expect(await along({ 'destination:backward': 'Quay' })).toBe('');
    expect(await along({ destination: 'Quay', oneway: 'yes' })).toBe('Quay');
    expect(await along({ 'destination:forward': 'Quay', name: 'Quay Road' })).toBe('Quay');
    const against = { oneway: '-1', destination: 'Quay', 'destination:backward': 'Market' };
    const back = await town(cross, { WX: { name: 'A' }, EX: { name: 'B' }, NX: against, XS: { name: 'D' } });
    expect(guideAlong(back, 'WXN')[1]!.destinations).toBe('Market');
    expect(await along({ 'destination:street': 'Quay', oneway: 'yes' })).toBe('Quay');
    expect(await along({ 'destination:street': 'Quay', destination: 'Market', oneway: 'yes' })).toBe(
      'Market',
    );
  });
});
