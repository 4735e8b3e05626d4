import { describe, expect, it } from 'vitest';
import { RawAreas } from '#bench/routing/raw-areas.js';
import { seeded } from '#bench/routing/seeded.js';
import { memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { RoadColumns } from '#osm/elements/road-columns.js';
import { guide } from '#routing-engine/guidance/guide.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { crossAreas } from '#tile-builder/areas/cross-areas.js';
import { NEAREST_ENTRIES } from '#tile-builder/areas/crossing-lines.js';
import { areaLimits } from '#tile-builder/areas/lines-across.js';
import { type DrawnMap, drawMap, type MapRules } from '../routing-engine/ascii-map.js';
import { LegalMoves } from './legal-moves.js';
import { type Fixture, playFixture } from './osm-fixture.js';

type Point = readonly [x: number, y: number];
const square = { highway: 'pedestrian', area: 'yes' };
const AREA = 1_000;

/** Rings as ways with ids from 1,000 on, and a footway outwards from each entry, given by ring and corner. */
function plaza(
  rings: readonly (readonly Point[])[],
  entries: readonly Point[],
  tags: Readonly<Record<string, string>> = square,
): Fixture & { readonly rings: number[][] } {
  const ids = new Map<string, number>();
  const nodes: { id: number; lng: number; lat: number }[] = [];
  const nodeAt = ([x, y]: Point): number => {
    const key = `${x} ${y}`;
    if (!ids.has(key))
      nodes.push({ id: ids.set(key, ids.size + 1).size, lng: 10 + x / 1e5, lat: 50 + y / 1e5 });
    return ids.get(key)!;
  };
  const drawn = rings.map((ring) => ring.map(nodeAt));
  const inner = drawn.slice(1);
  const ways = entries.map((entry, i) => {
    const at = nodeAt(entry);
    nodes.push({ id: 500 + i, lng: 9 + i / 1e5, lat: 49 });
    return { id: 1 + i, refs: [at, 500 + i], tags: { highway: 'footway' } };
  });
  const outlines = drawn.map((ring, i) => ({
    id: AREA + i,
    refs: [...ring, ring[0]!],
    tags: inner.length === 0 ? tags : {},
  }));
  const relation = {
    id: 1,
    members: drawn.map((_, i) => ({
      type: 'way' as const,
      id: AREA + i,
      role: i === 0 ? 'outer' : 'inner',
    })),
    tags: { ...tags, type: 'multipolygon', area: '' },
  };
  return {
    nodes: nodes.toSorted((a, b) => a.id - b.id),
    ways: [...ways, ...outlines],
    relations: inner.length === 0 ? [] : [relation],
    rings: drawn,
  };
}

function extractOf(fixture: Fixture): OsmExtract {
  const columns = new RoadColumns();
  playFixture(fixture, columns.sink);
  return columns.extract();
}

/** The lines that are added, as pairs of node ids. */
function linesOf(fixture: Fixture): number[][] {
  const before = extractOf(fixture);
  const { wayIds, firstRef, refs } = crossAreas(before, memoryOfOneBuild());
  const lines: number[][] = [];
  let old = 0;
  for (const [way, id] of wayIds.entries()) {
    const nodes = [...refs.subarray(firstRef[way], firstRef[way + 1])];
    const was = [...before.refs.subarray(before.firstRef[old], before.firstRef[old + 1])];
    if (id === before.wayIds[old] && nodes.join() === was.join()) old++;
    else {
      expect(id).toBe(AREA);
      lines.push(nodes.toSorted((a, b) => a - b));
    }
  }
  expect(old).toBe(before.wayIds.length);
  return lines.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
}

const box = (x: number, y: number, size: number): Point[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
];

describe('Lines across areas', () => {
  it('join the corners of a square that other ways meet, beside its outline', () => {
    // The corners are 1 to 4; the outline is a way itself.
    expect(linesOf(plaza([box(0, 0, 9)], box(0, 0, 9)))).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(
      linesOf(
        plaza(
          [box(0, 0, 9)],
          [
            [0, 0],
            [9, 0],
          ],
        ),
      ),
    ).toEqual([]);
    expect(linesOf(plaza([box(0, 0, 9)], [[0, 0]]))).toEqual([]);
  });

  it('bend at the corners of holes and of a concave outline', () => {
    const around = linesOf(
      plaza(
        [box(0, 0, 9), box(3, 3, 3)],
        [
          [0, 0],
          [9, 9],
        ],
      ),
    );
    // Both ways around the hole are as long; one is enough. No line leads through the hole, 5 to 8.
    expect(around).toHaveLength(2);
    expect([
      [
        [1, 6],
        [3, 6],
      ],
      [
        [1, 8],
        [3, 8],
      ],
    ]).toContainEqual(around);
    const hook: Point[] = [
      [0, 0],
      [9, 0],
      [9, 9],
      [6, 9],
      [6, 3],
      [0, 3],
    ];
    expect(
      linesOf(
        plaza(
          [hook],
          [
            [0, 0],
            [6, 9],
          ],
        ),
      ),
    ).toEqual([[1, 5]]);
  });

  it('follow an outline that is no way', () => {
    expect(
      linesOf(
        plaza(
          [box(0, 0, 9), box(3, 3, 3)],
          [
            [0, 0],
            [9, 0],
          ],
        ),
      ),
    ).toEqual([[1, 2]]);
  });

  it('stop at a place on the way, instead of passing it', () => {
    const five: Point[] = [
      [0, 0],
      [9, 0],
      [18, 0],
      [18, 9],
      [0, 9],
    ];
    const lines = linesOf(
      plaza(
        [five, box(4, 4, 1)],
        [
          [0, 0],
          [9, 0],
          [18, 0],
        ],
      ),
    );
    expect(lines).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('do not pass where two outlines touch', () => {
    // Two holes touch each other in the middle, and the outline at both sides.
    const left: Point[] = [
      [0, 5],
      [4, 4],
      [5, 5],
      [4, 6],
    ];
    const right: Point[] = [
      [5, 5],
      [6, 4],
      [10, 5],
      [6, 6],
    ];
    const ends: Point[] = [
      [5, 0],
      [5, 10],
    ];
    const outline: Point[] = [
      [0, 0],
      [5, 0],
      [10, 0],
      [10, 10],
      [5, 10],
      [0, 10],
    ];
    expect(linesOf(plaza([outline, left, right], ends))).toEqual([]);
    const apart = right.map(([x, y]): Point => [x + 1 - (x === 10 ? 2 : 0), y]);
    expect(linesOf(plaza([outline, left, apart], ends)).length).toBeGreaterThan(0);
  });

  it('are for areas that people may walk on, with all their parts', () => {
    const ends: Point[] = [
      [0, 0],
      [9, 9],
    ];
    const count = (fixture: Fixture): number => linesOf(fixture).length;
    for (const tags of [
      { ...square, access: 'no' },
      { ...square, foot: 'no' },
      { highway: 'pedestrian' },
      { highway: 'motorway', area: 'yes' },
      { landuse: 'grass', area: 'yes' },
    ] as Record<string, string>[])
      expect(count(plaza([box(0, 0, 9)], ends, tags)), JSON.stringify(tags)).toBe(0);
    for (const tags of [
      { ...square, access: 'no', foot: 'yes' },
      { railway: 'platform', area: 'yes' },
    ] as Record<string, string>[])
      expect(count(plaza([box(0, 0, 9)], ends, tags)), JSON.stringify(tags)).toBe(1);
    const holed = plaza(
      [box(0, 0, 9), box(3, 3, 3)],
      [
        [9, 0],
        [9, 9],
      ],
    );
    expect(count(holed)).toBe(1);
    expect(count({ ...holed, ways: holed.ways.filter(({ id }) => id !== AREA + 1) })).toBe(0);
    expect(count({ ...holed, nodes: holed.nodes.filter(({ id }) => id !== 6) })).toBe(0);
    const closed = plaza([box(0, 0, 9)], ends);
    const motorways = closed.ways.map((way) =>
      way.id < AREA ? { ...way, tags: { highway: 'motorway' } } : way,
    );
    expect(count({ ...closed, ways: motorways })).toBe(0);
  });

  it('follow an outline that moves under the same tags', () => {
    const extract = extractOf(
      plaza(
        [box(0, 0, 9)],
        [
          [0, 0],
          [9, 9],
        ],
      ),
    );
    const count = (of: OsmExtract): number =>
      crossAreas(of, memoryOfOneBuild()).wayIds.length - extract.wayIds.length;
    expect([count(extract), count(extract)]).toEqual([1, 1]);
    const moved = (column: Int32Array, by: number): Int32Array =>
      column.map((at, i) => (i === 1 ? at + by : at));
    const { nodeLngE7, nodeLatE7 } = extract;
    // The second corner is now beyond the line.
    const dented = { nodeLngE7: moved(nodeLngE7, -700), nodeLatE7: moved(nodeLatE7, 700) };
    expect(count({ ...extract, ...dented })).toBe(0);
  });

  it('survive outlines that cross themselves, repeat nodes, have no area or are too large', () => {
    const bow: Point[] = [
      [0, 0],
      [9, 9],
      [9, 0],
      [0, 9],
    ];
    expect(linesOf(plaza([bow], bow))).toEqual([]);
    const twice: Point[] = [
      [0, 0],
      [9, 0],
      [9, 0],
      [9, 9],
      [9, 9],
      [0, 9],
      [0, 9],
    ];
    expect(linesOf(plaza([twice], box(0, 0, 9)))).toHaveLength(2);
    const flat: Point[] = [
      [0, 0],
      [5, 0],
      [9, 0],
      [5, 0],
    ];
    expect(linesOf(plaza([flat], flat))).toEqual([]);
    const wide = areaLimits.sideE7 / 100 + 1;
    expect(linesOf(plaza([box(0, 0, wide - 1)], box(0, 0, wide - 1)))).toHaveLength(2);
    expect(linesOf(plaza([box(0, 0, wide)], box(0, 0, wide)))).toEqual([]);
  });

  const circle = (corners: number, radius = 4_000): Point[] =>
    Array.from({ length: corners }, (_, i) => {
      const turn = (2 * Math.PI * i) / corners;
      return [Math.round(radius * Math.cos(turn)), Math.round(radius * Math.sin(turn))];
    });

  it('are bounded: so many vertices and entries, and from each entry to the nearest others', () => {
    const large = circle(areaLimits.vertices + 1);
    expect(linesOf(plaza([large.slice(1)], [large[1]!, large[500]!])).length).toBeGreaterThan(0);
    expect(linesOf(plaza([large], [large[1]!, large[500]!]))).toEqual([]);
    const many = circle(areaLimits.entries + 1);
    const lines = linesOf(plaza([many.slice(1)], many.slice(1)));
    expect(lines.length).toBeGreaterThan(areaLimits.entries);
    expect(lines.length).toBeLessThanOrEqual(areaLimits.entries * NEAREST_ENTRIES);
    expect(linesOf(plaza([many], many))).toEqual([]);
  });

  it('are the shortest paths between all entries, by another reading of what lies inside', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const outline = circle(6 + Math.floor(random() * 7), 1_000).map(([x, y]): Point => {
        const far = 0.5 + random();
        return [Math.round(x * far), Math.round(y * far)];
      });
      const holes = [
        box(-250, -250, 100 + Math.floor(random() * 150)),
        box(60, 60, 50 + Math.floor(random() * 150)),
      ];
      const entries = outline.filter(() => random() < 0.5);
      const fixture = plaza([outline, ...holes], entries);
      const areas = new RawAreas();
      const places = new Map<number, readonly [number, number]>();
      playFixture(fixture, {
        node: (id, lng, lat) => places.set(id, [lng, lat]),
        way: (id, refs, tags) => areas.way(id, [...refs], tags),
        relation: (_, members, tags) => areas.relation(members, tags),
      });
      const lines = linesOf(fixture);
      for (const [a, b] of lines)
        expect(areas.crossed(places, AREA, a!, b!), `${seed}: ${a}-${b}`).toBeDefined();
      const corners = fixture.rings.flat();
      const seen = corners.flatMap((a) =>
        corners.filter((b) => b > a && areas.crossed(places, AREA, a, b)).map((b) => [a, b]),
      );
      const ids = fixture.ways.filter(({ id }) => id < AREA).map(({ refs }) => refs[0]!);
      for (const from of ids) {
        const [ours, wanted] = [lines, seen].map((each) => metersFrom(from, each, places));
        // A line that cuts a corner between two samples is seen by the oracle only.
        for (const to of ids) expect(ours!.get(to)! / wanted!.get(to)! || 1, `${seed}`).toBeCloseTo(1, 2);
      }
    }
  });
});

function metersFrom(
  from: number,
  lines: readonly (readonly number[])[],
  places: ReadonlyMap<number, readonly [number, number]>,
): Map<number, number> {
  const squeeze = Math.cos((50 * Math.PI) / 180);
  const meters = new Map([[from, 0]]);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [a, b] of lines.flatMap(([a, b]) => [[a!, b!] as const, [b!, a!] as const])) {
      const [p, q] = [places.get(a)!, places.get(b)!];
      const far = (meters.get(a) ?? Infinity) + Math.hypot((q[0] - p[0]) * squeeze, q[1] - p[1]);
      if (far < (meters.get(b) ?? Infinity) - 1e-6) {
        meters.set(b, far);
        isDone = false;
      }
    }
  }
  return meters;
}

describe('Routes across areas', () => {
  const drawing = `
    E-A-------B-F
      |       |
      | U---V |
      | |   | |
      | X---W |
      |       |
    H-D-------C-G`;
  const lanes = { EA: {}, BF: {}, HD: {}, CG: {} };
  const closed: MapRules = {
    ways: { ...lanes, ABCDA: { ...square, name: 'Plaza' }, UVWXU: { highway: '' } },
  };
  const holed: MapRules = {
    ways: { ...lanes, ABCDA: { highway: '' }, UVWXU: { highway: '' } },
    relations: [
      {
        kind: { type: 'multipolygon', highway: 'pedestrian', name: 'Plaza' },
        roles: [
          ['outer', 'ABCDA'],
          ['inner', 'UVWXU'],
        ],
      },
    ],
  };
  const walk = (map: DrawnMap, path: string): void => map.expectPath(path, { metric: map.metric('walking') });

  it('lead straight over a square, and around its hole', async () => {
    const map = await drawMap(drawing, closed);
    walk(map, 'EACG');
    walk(map, 'GCAE');
    walk(map, 'HDBF');
    // A car goes nowhere there, a bicycle is pushed along the outline as before.
    map.expectPath('EABCG', { metric: map.metric('bicycling') });
    const around = await drawMap(drawing, holed);
    for (const path of ['EAVCG', 'HDUBF']) {
      const other = path.replace('V', 'X').replace('U', 'W');
      const outcome = around.route(path.slice(0, 2), path.slice(-2), around.metric('walking'));
      expect([path, other]).toContain(outcome.status === 'ok' && around.lettersOf(outcome.path.edges));
    }
    expect(around.route('EA', 'CG', around.metric('bicycling')).status).not.toBe('ok');
  });

  it('are told at the border of the square, not on it', async () => {
    const map = await drawMap(drawing, holed);
    const metric = map.metric('walking');
    const outcome = map.route('EA', 'CG', metric);
    if (outcome.status !== 'ok') throw new Error(outcome.reason);
    const line = pathGeometry(map.network, outcome.path);
    const told = guide(map.network, metric, outcome.path, line, {});
    expect(told.map(({ name }) => name)).toEqual(['EA', 'Plaza', 'CG', 'CG']);
    // At I, where a way ends, the walker goes straight on over another line; those to B are no forks.
    const passed = await drawMap(
      `
    A--------------------B-H
    |                    |
    |                    |
  E-D-----I--------------C-F
          |
          K`,
      {
        ways: { ED: {}, CF: {}, BH: {}, IK: {}, DABCID: { highway: '' } },
        relations: [
          {
            kind: { type: 'multipolygon', highway: 'pedestrian', name: 'Plaza' },
            roles: [['outer', 'DABCID']],
          },
        ],
      },
    );
    passed.edge('D', 'B');
    passed.edge('I', 'B');
    const through = passed.route('ED', 'CF', passed.metric('walking'));
    if (through.status !== 'ok') throw new Error(through.reason);
    expect(passed.lettersOf(through.path.edges)).toBe('EDICF');
    const ofPath = pathGeometry(passed.network, through.path);
    const steps = guide(passed.network, passed.metric('walking'), through.path, ofPath, {});
    expect(steps.filter(({ name }) => name === 'Plaza')).toHaveLength(1);
    expect(steps.map(({ maneuver: { type } }) => type)).not.toContain('fork');
    // Nor is a bend at a corner at which lines part.
    const bent = await drawMap(
      `
    A---------B
    |         |
  L-M         |
    |         |
  K-D-----W   |
          |   |
          |   |
          Z-S-Y
            |
            T`,
      {
        ways: { TS: {}, DK: {}, ML: {}, DMABYSZWD: { highway: '' } },
        relations: [
          {
            kind: { type: 'multipolygon', highway: 'pedestrian', name: 'Plaza' },
            roles: [['outer', 'DMABYSZWD']],
          },
        ],
      },
    );
    bent.edge('W', 'M');
    const corner = bent.route('TS', 'DK', bent.metric('walking'));
    if (corner.status !== 'ok') throw new Error(corner.reason);
    expect(bent.lettersOf(corner.path.edges)).toBe('TSWDK');
    const atCorner = pathGeometry(bent.network, corner.path);
    const bends = guide(bent.network, bent.metric('walking'), corner.path, atCorner, {});
    expect(bends.filter(({ name }) => name === 'Plaza')).toHaveLength(1);
    // Nothing else leads on at M and N, and yet nobody sees where to go.
    const entered = await drawMap(
      `
    A-----B
    |     |
    D-M-N-C
      | |
      S T`,
      {
        ways: { SM: {}, NT: {}, DABCNMD: { highway: '' } },
        relations: [{ kind: { type: 'multipolygon', highway: 'pedestrian' }, roles: [['outer', 'DABCNMD']] }],
      },
    );
    const along = entered.route('SM', 'NT', entered.metric('walking'));
    if (along.status !== 'ok') throw new Error(along.reason);
    const onBorder = pathGeometry(entered.network, along.path);
    const turns = guide(entered.network, entered.metric('walking'), along.path, onBorder, {});
    expect(turns.map(({ maneuver: { type, modifier } }) => `${type} ${modifier ?? ''}`.trim())).toEqual([
      'depart',
      'turn right',
      'turn right',
      'arrive',
    ]);
  });

  it('have edges with ids of their own, names of the area, and for people on foot only', async () => {
    const legal = new LegalMoves();
    const map = await drawMap(drawing, { ...closed, witness: legal.sink });
    const { network } = map;
    const { speedKph, flags, reverse } = network.arrays;
    const ids = Array.from({ length: network.edgeCount }, (_, edge) => network.edgeId(edge));
    expect(new Set(ids).size).toBe(ids.length);
    const lines = [map.edge('A', 'C'), map.edge('C', 'A'), map.edge('B', 'D'), map.edge('D', 'B')];
    for (const line of lines) {
      expect(network.edgeName(line)).toBe('Plaza');
      expect(flags[line]! & (edgeFlag.pushing | edgeFlag.acrossArea)).toBe(edgeFlag.acrossArea);
      expect(reverse[line]).toBeGreaterThanOrEqual(0);
      for (const [mode, name] of travelModes.entries())
        expect(speedKph[mode * network.edgeCount + line]! > 0, name).toBe(name === 'walking');
    }
    expect(legal.judge([network.edgeId(lines[0]!)], 'walking')).toEqual([]);
    // The same id is read as the way along the outline for others.
    expect(legal.judge([network.edgeId(lines[0]!)], 'driving')).not.toEqual([]);
  });

  it('number a line beside an outline that bends between the same crossings', async () => {
    const map = await drawMap(
      `
    E-A-----B-F
      |     |
      D-----C`,
      { ways: { EA: {}, CBF: {}, ABCDA: { ...square, name: 'Plaza' } } },
    );
    const { network } = map;
    const ids = Array.from({ length: network.edgeCount }, (_, edge) => network.edgeId(edge));
    expect(new Set(ids).size).toBe(ids.length);
    const { wayId } = network.arrays;
    const between = ids.filter((id, edge) => wayId[edge] === wayId[map.edge('A', 'B')] && id.includes('.1'));
    // From C to A along the outline by D, and straight.
    expect(between).toHaveLength(2);
    walk(map, 'EABF');
  });
});
