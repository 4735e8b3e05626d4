import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { LineFinder } from '#traffic-exchange/openlr/dereference.js';
import { LineWriter } from '#traffic-exchange/openlr/encode-path.js';
import { decodeLineBase64, encodeLineBase64 } from '#traffic-exchange/openlr/line-binary.js';
import type { LineReference } from '#traffic-exchange/openlr/line-reference.js';
import { fowOf, frcOf } from '#traffic-exchange/openlr/road-attributes.js';
import { drawMap } from '../routing-engine/ascii-map.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';
import { randomWalk } from './walks.js';

/** As another map would have written it: places, bearings and classes differ. */
function ofAnotherMap(line: LineReference, random: () => number, metres: number): LineReference {
  const shift = (): number => ((random() - 0.5) * 2 * metres) / 111_000;
  return {
    ...line,
    points: line.points.map((point) => ({
      ...point,
      lat: point.lat + shift(),
      lng: point.lng + 2 * shift(),
      frc: Math.max(0, Math.min(7, point.frc + Math.round(2 * random() - 1))),
      fow: random() < 0.3 ? 'other' : point.fow,
      bearingDeg: (point.bearingDeg + 360 + 20 * (random() - 0.5)) % 360,
      ...(point.toNext === undefined
        ? {}
        : {
            toNext: {
              lowestFrc: Math.min(7, point.toNext.lowestFrc + 1),
              distanceM: Math.max(1, point.toNext.distanceM * (0.97 + 0.06 * random())),
            },
          }),
    })),
  };
}

describe('OpenLR on the roads of Gothenburg', () => {
  let network: RoadNetwork;
  let walks: readonly (readonly number[])[];
  beforeAll(async () => {
    network = await networkOf(gothenburg);
    const random = seeded(111);
    walks = Array.from({ length: 600 }, (_, i) => randomWalk(network, random, [1, 2, 5, 12, 30][i % 5]!));
  });

  it('reads at least 99 % of random paths back as exactly the same edges', () => {
    const [writer, finder] = [new LineWriter(network), new LineFinder(network)];
    let same = 0;
    for (const edges of walks) {
      const line = writer.write(edges);
      if (line === undefined) continue;
      const found = finder.find(decodeLineBase64(encodeLineBase64(line)));
      expect(found.kind).toBe('found');
      if (found.kind !== 'found') continue;
      expect(found.stretches.map(({ edge }) => edge)).toEqual(edges);
      same++;
    }
    console.log(`${same} of ${walks.length} random paths are read back exactly`);
    expect(same / walks.length).toBeGreaterThanOrEqual(0.99);
  });

  it('finds most paths of a map that differs by some metres, degrees and classes', () => {
    const random = seeded(9);
    const [writer, finder] = [new LineWriter(network), new LineFinder(network)];
    const wrong = { 5: 0, 10: 0 };
    let asked = 0;
    for (const edges of walks.filter(({ length }) => length > 1)) {
      const line = writer.write(edges);
      if (line === undefined) continue;
      asked++;
      for (const metres of [5, 10] as const) {
        const found = finder.find(ofAnotherMap(line, random, metres));
        const read = found.kind === 'found' ? found.stretches.map(({ edge }) => edge) : [];
        // An end that lies elsewhere may take a piece of the next road along or leave one out.
        const inner = edges.slice(1, -1);
        if (!(edges.length > 2 ? inner : edges).every((edge) => read.includes(edge))) wrong[metres]++;
      }
    }
    console.log(`of ${asked} paths: ${wrong[5]} not found at 5 m, ${wrong[10]} at 10 m`);
    expect(wrong[5] / asked).toBeLessThan(0.04);
    expect(wrong[10] / asked).toBeLessThan(0.15);
  });

  it('says which point has no road, and which has no way to it', () => {
    const line = new LineWriter(network).write(walks.find(({ length }) => length === 5)!)!;
    const finder = new LineFinder(network);
    const [first, last] = [line.points[0]!, line.points.at(-1)!];
    const away = { ...last, lat: last.lat + 5 };
    expect(finder.find({ ...line, points: [first, away] })).toEqual({ kind: 'no-road', point: 1 });
    const near = { ...first, toNext: { ...first.toNext!, distanceM: 9_000 } };
    expect(finder.find({ ...line, points: [near, last] })).toEqual({ kind: 'no-way', point: 1 });
  });
});

describe('OpenLR on a drawn map', () => {
  it('writes the functional class and the form of way of each road', async () => {
    const map = await drawMap('A--B--C--D--E--F--G--H--I--J', {
      ways: {
        AB: { highway: 'motorway' },
        BC: { highway: 'motorway_link' },
        CD: { highway: 'trunk' },
        DE: { highway: 'trunk', oneway: 'yes' },
        EF: { highway: 'primary' },
        FG: { highway: 'secondary' },
        GH: { highway: 'tertiary' },
        HI: { highway: 'unclassified' },
        IJ: { highway: 'service' },
      },
    });
    const said = ['AB', 'BC', 'CD', 'DE', 'EF', 'FG', 'GH', 'HI', 'IJ'].map(([from, to]) => {
      const edge = map.edge(from!, to!);
      return [frcOf(map.network, edge), fowOf(map.network, edge)];
    });
    expect(said).toEqual([
      [0, 'motorway'],
      [0, 'slipRoad'],
      [1, 'singleCarriageway'],
      [1, 'multipleCarriageway'],
      [2, 'singleCarriageway'],
      [3, 'singleCarriageway'],
      [4, 'singleCarriageway'],
      [5, 'singleCarriageway'],
      [7, 'singleCarriageway'],
    ]);
    const street = await drawMap('A--B');
    expect(frcOf(street.network, street.edge('A', 'B'))).toBe(6);
  });

  it('begins and ends between crossings where the offsets say so', async () => {
    const map = await drawMap('A----B----C', { stepM: 40 });
    const { network } = map;
    const path = [map.edge('A', 'B'), map.edge('B', 'C')];
    const line = new LineWriter(network).write(path)!;
    expect(line.points).toHaveLength(2);
    const found = new LineFinder(network).find({ ...line, positiveOffset: 0.25, negativeOffset: 0.6 });
    expect(found.kind).toBe('found');
    if (found.kind !== 'found') return;
    expect(found.stretches).toHaveLength(1);
    const [stretch] = found.stretches;
    expect(stretch!.edge).toBe(path[0]);
    expect(stretch!.from).toBeCloseTo(0.5, 1);
    expect(stretch!.to).toBeCloseTo(0.8, 1);
  });

  it('adds a point where the path is not the shortest way', async () => {
    const map = await drawMap(
      `
      A--B
      |  |
      C--D
      |  |
      E--F`,
      { stepM: 60 },
    );
    const { network } = map;
    const path = [map.edge('A', 'B'), map.edge('B', 'D'), map.edge('D', 'F'), map.edge('F', 'E')];
    const around = [...path, map.edge('E', 'C'), map.edge('C', 'A')];
    const line = new LineWriter(network).write(around)!;
    expect(line.points.length).toBeGreaterThan(2);
    const found = new LineFinder(network).find(line);
    expect(found.kind === 'found' && found.stretches.map(({ edge }) => edge)).toEqual(around);
  });

  it('writes no line that needs more points than a line may have', async () => {
    const map = await drawMap(
      `
      A--B
      |  |
      C--D`,
      { stepM: 60 },
    );
    const round = ['AB', 'BD', 'DC', 'CA'].map((way) => map.edge(way[0]!, way[1]!));
    const rounds = (count: number): number[] => Array.from({ length: count }, () => round).flat();
    const writer = new LineWriter(map.network);
    expect(writer.write(rounds(3))!.points.length).toBeGreaterThan(3);
    expect(writer.write(rounds(70))).toBeUndefined();
  });

  it('turns back on no road', async () => {
    const map = await drawMap('D----A----B', { stepM: 40 });
    const line = new LineWriter(map.network).write([map.edge('D', 'A')])!;
    const [east, west] = [map.edge('A', 'B'), map.edge('A', 'D')].map(
      (edge) => new LineWriter(map.network).write([edge])!,
    );
    const [from, to] = [east!.points[0]!, west!.points[1]!];
    const metres = 2 * from.toNext!.distanceM + line.points[0]!.toNext!.distanceM;
    const points = [{ ...from, toNext: { lowestFrc: 7, distanceM: metres } }, to];
    expect(new LineFinder(map.network).find({ ...line, points })).toEqual({ kind: 'no-way', point: 1 });
  });

  it('writes no line for edges that do not follow one another', async () => {
    const map = await drawMap('A----B----C----D', { stepM: 40 });
    const writer = new LineWriter(map.network);
    expect(writer.write([map.edge('A', 'B'), map.edge('C', 'D')])).toBeUndefined();
    expect(writer.write([])).toBeUndefined();
  });
});
