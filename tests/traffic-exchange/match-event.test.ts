import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { EventPlace, Position, RoadEvent } from '#traffic-exchange/events/road-event.js';
import { edgesPerEventMax } from '#traffic-exchange/feeds/limits.js';
import { EventMatcher } from '#traffic-exchange/feeds/match-event.js';
import { LineWriter } from '#traffic-exchange/openlr/encode-path.js';
import { drawMap } from '../routing-engine/ascii-map.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';
import { pathBetween, randomWalk } from './walks.js';

const event = (place: EventPlace, over: Partial<RoadEvent> = {}): RoadEvent => ({
  id: 'e',
  effect: { kind: 'closed' },
  periods: [{ startMs: 0, endMs: undefined }],
  places: [place],
  bothDirections: false,
  description: '',
  ...over,
});

function lineOf(network: RoadNetwork, edges: readonly number[], shift = (): number => 0): Position[] {
  const line: Position[] = [];
  for (const edge of edges) {
    const points = network.edgeGeometry(edge);
    for (let p = line.length === 0 ? 0 : 2; p < points.length; p += 2)
      line.push([points[p]! + 2 * shift(), points[p + 1]! + shift()]);
  }
  return line;
}

describe('an event on the roads of Gothenburg', () => {
  let network: RoadNetwork;
  let matcher: EventMatcher;
  beforeAll(async () => {
    network = await networkOf(gothenburg);
    matcher = new EventMatcher(network);
  });

  const found = (each: RoadEvent): readonly number[] => {
    const matched = matcher.match(each);
    return matched.kind === 'edges' ? matched.edges : [];
  };

  it.each([
    ['exactly', 0, 0.98],
    ['5 m beside', 5, 0.97],
  ])('is found by a line that is %s on its roads', (_name, metres, share) => {
    const random = seeded(31);
    let [same, all] = [0, 0];
    const wrong: string[] = [];
    for (let i = 0; i < 300; i++) {
      const edges = pathBetween(network, random, [2, 4, 8, 20][i % 4]!);
      if (edges.reduce((sum, edge) => sum + network.edgeLengthM(edge), 0) < 80) continue;
      all++;
      const shift = (): number => ((random() - 0.5) * 2 * metres) / 111_000;
      const read = found(event({ line: lineOf(network, edges, shift) }));
      // Very short edges at either end may be left out or added.
      const long = (edge: number): boolean => network.edgeLengthM(edge) > 15;
      const missing = edges.filter((edge) => long(edge) && !read.includes(edge));
      const added = read.filter((edge) => long(edge) && !edges.includes(edge));
      if (missing.length + added.length === 0) same++;
      else wrong.push(`${edges.length} edges: ${missing.length} missing, ${added.length} added`);
    }
    console.log(`${same} of ${all} lines at ${metres} m; ${wrong.join('; ')}`);
    expect(same / all).toBeGreaterThanOrEqual(share);
  });

  it('is on no more roads than an import takes', () => {
    const random = seeded(3);
    const point = (): Position => {
      const [lng, lat, nextLng, nextLat] = network.edgeGeometry(randomWalk(network, random, 1)[0]!);
      return [(lng! + nextLng!) / 2, (lat! + nextLat!) / 2];
    };
    const places = Array.from({ length: edgesPerEventMax }, () => ({ point: point() }));
    expect(matcher.match({ ...event({}), places: places.slice(0, 100) }).kind).toBe('edges');
    expect(matcher.match({ ...event({}), places })).toMatchObject({
      kind: 'unmatched',
      reason: 'it is on more than 5000 roads',
    });
  });

  it('is found by OpenLR, and by its line where OpenLR does not fit', () => {
    const random = seeded(5);
    const writer = new LineWriter(network);
    const edges = randomWalk(network, random, 6);
    const openlr = [writer.write(edges)!];
    expect(new Set(found(event({ openlr })))).toEqual(new Set(edges));
    const away = openlr.map((line) => ({
      ...line,
      points: line.points.map((point) => ({ ...point, lat: point.lat + 1 })),
    }));
    expect(matcher.match(event({ openlr: away }))).toMatchObject({
      kind: 'unmatched',
      reason: 'the map has no road at OpenLR point 1',
    });
    const path = pathBetween(network, random, 8);
    expect(found(event({ openlr: away, line: lineOf(network, path) }))).toEqual(
      found(event({ line: lineOf(network, path) })),
    );
  });

  it.each([
    [
      'a line through houses',
      {
        line: [
          [11.9, 57.7],
          [11.9, 57.75],
        ],
      },
      /does not/,
    ],
    [
      'a line in the sea',
      {
        line: [
          [0, 0],
          [0.01, 0],
        ],
      },
      /does not follow roads/,
    ],
    ['a place in the sea', { point: [0, 0] }, /no road within 30 m/],
  ] as const)('%s is on no road', (_name, place, reason) => {
    const matched = matcher.match(event(place as unknown as EventPlace));
    expect(matched).toMatchObject({ kind: 'unmatched', reason: expect.stringMatching(reason) });
  });
});

async function drawn(drawing: string) {
  const map = await drawMap(drawing, { stepM: 40 });
  return { network: map.network, edge: (from: string, to: string) => map.edge(from, to) };
}

describe('an event on a drawn map', () => {
  const draw = () =>
    drawMap(
      `
      A----B----C
           |
      D----E----F`,
      { stepM: 40, ways: { DEF: { oneway: 'yes', maxspeed: '50' }, ABC: { maxspeed: '50' } } },
    );

  it('is on one direction of a line, or on both', async () => {
    const map = await draw();
    const { network } = map;
    const matcher = new EventMatcher(network);
    const ab = map.edge('A', 'B');
    const line = lineOf(network, [ab]);
    expect(matcher.match(event({ line }))).toEqual({ kind: 'edges', edges: [ab] });
    const back = map.edge('B', 'A');
    expect(matcher.match(event({ line: line.toReversed() }))).toEqual({ kind: 'edges', edges: [back] });
    expect(matcher.match(event({ line }, { bothDirections: true }))).toEqual({
      kind: 'edges',
      edges: [ab, back],
    });
    const [west, east] = [line[0]!, line.at(-1)!];
    const middle: Position = [(west[0] + east[0]) / 2, (west[1] + east[1]) / 2];
    const matched = matcher.match(event({ point: middle }));
    expect(matched.kind === 'edges' && new Set(matched.edges)).toEqual(new Set([ab, back]));
  });

  it('against a one-way street is on no road', async () => {
    const map = await draw();
    const line = lineOf(map.network, [map.edge('D', 'E')]).toReversed();
    expect(new EventMatcher(map.network).match(event({ line })).kind).toBe('unmatched');
  });

  it('is found by a line beside its road, up to where that may be another one', async () => {
    const map = await draw();
    const matcher = new EventMatcher(map.network);
    const ab = map.edge('A', 'B');
    const beside = (metres: number): Position[] =>
      lineOf(map.network, [ab]).map(([lng, lat]) => [lng, lat + metres / 111_195]);
    expect(matcher.match(event({ line: beside(18) }))).toEqual({ kind: 'edges', edges: [ab] });
    expect(matcher.match(event({ line: beside(32) })).kind).toBe('unmatched');
  });

  it('is on no way that is much longer than its line', async () => {
    // 1,000 m apart, and 1,800 m by the road.
    const gap = 24;
    const sides = `|${' '.repeat(gap)}|\n`.repeat(9);
    const { network, edge } = await drawn(`A${' '.repeat(gap)}B\n${sides}C${'-'.repeat(gap)}D`);
    const [from, to] = [lineOf(network, [edge('A', 'C')])[0]!, lineOf(network, [edge('B', 'D')])[0]!];
    expect(new EventMatcher(network).match(event({ line: [from, to] }))).toMatchObject({
      kind: 'unmatched',
      reason: 'its line does not follow roads of the map',
    });
  });

  it('leaves out what it only touches', async () => {
    const map = await draw();
    const { network } = map;
    const [ab, bc] = [map.edge('A', 'B'), map.edge('B', 'C')];
    const [from, to] = [lineOf(network, [ab]), lineOf(network, [bc])];
    const end: Position = [to[0]![0] + (to.at(-1)![0] - to[0]![0]) * 0.05, to[0]![1]];
    expect(new EventMatcher(network).match(event({ line: [...from, end] }))).toEqual({
      kind: 'edges',
      edges: [ab],
    });
  });

  it('slows only what is faster', async () => {
    const map = await draw();
    const { network } = map;
    const matcher = new EventMatcher(network);
    const line = lineOf(network, [map.edge('A', 'B')]);
    const slow = (speedKph: number): RoadEvent => event({ line }, { effect: { kind: 'slow', speedKph } });
    expect(matcher.match(slow(20)).kind).toBe('edges');
    expect(matcher.match(slow(150))).toMatchObject({
      kind: 'unmatched',
      reason: 'its roads are not faster than 150 km/h anyway',
    });
  });
});
