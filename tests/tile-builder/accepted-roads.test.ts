import { describe, expect, it } from 'vitest';
import {
  type AcceptedRoad,
  decodeAcceptedRoads,
  encodeAcceptedRoads,
  readAcceptedRoads,
} from '#map-data/accepted-roads/accepted-roads.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { RoadColumns } from '#osm/elements/road-columns.js';
import { joinAcceptedRoads } from '#tile-builder/graph/join-accepted-roads.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { playFixture } from './osm-fixture.js';

const perLat = 111_195;
const perLng = perLat * Math.cos((57.7 * Math.PI) / 180);
/** Metres east and north of a corner of the map. */
const at = (east: number, north: number) => ({ lng: 11.9 + east / perLng, lat: 57.7 + north / perLat });

/** Two streets from west to east, 400 m apart, with a node each 1,000 m: nothing joins them. */
function streets(): OsmExtract {
  const roads = new RoadColumns();
  const nodes = [0, 400].flatMap((north, row) =>
    [0, 1_000, 2_000].map((east, i) => ({ id: 10 * row + i + 1, ...at(east, north) })),
  );
  const tags = { highway: 'residential' };
  playFixture(
    {
      nodes,
      ways: [
        { id: 1, refs: [1, 2, 3], tags },
        { id: 2, refs: [11, 12, 13], tags },
      ],
    },
    roads.sink,
  );
  return roads.extract();
}

function road(id: string, ...places: readonly (readonly [east: number, north: number])[]): AcceptedRoad {
  const line = places.map(([east, north]) => at(east, north));
  return {
    id,
    tags: new Map([
      ['highway', 'unclassified'],
      ['source', 'drives'],
    ]),
    lngE7: line.map(({ lng }) => Math.round(lng * 1e7)),
    latE7: line.map(({ lat }) => Math.round(lat * 1e7)),
  };
}

const refsOf = ({ wayIds, firstRef, refs }: OsmExtract, way: number): number[] => {
  const i = wayIds.indexOf(way);
  return [...refs.subarray(firstRef[i], firstRef[i + 1])];
};
const own = (extract: OsmExtract): number[] => [...extract.wayIds].filter((id) => id >= 1e14);

describe('accepted roads', () => {
  it('accepted roads have the same bytes in any order, and are read back unchanged', async () => {
    const roads = [road('b', [0, 0], [10, 10]), road('a', [5, 5], [20, 0], [30, 5])];
    const bytes = encodeAcceptedRoads(roads);
    expect(encodeAcceptedRoads(roads.toReversed())).toEqual(bytes);
    expect(decodeAcceptedRoads(bytes)).toEqual(roads.toReversed());
    expect(await readAcceptedRoads(new MemoryObjectStore())).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['another format', '{"type":"FeatureCollection","features":[]}'],
    ['a point', { type: 'Point', coordinates: [1, 2] }],
    ['one place', { type: 'LineString', coordinates: [[1, 2]] }],
    [
      'a place that is not on earth',
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [1, 200],
        ],
      },
    ],
  ])('rejects accepted roads with a sentence: %s', (_, given) => {
    const text =
      typeof given === 'string'
        ? given
        : JSON.stringify({
            format: 'meridian accepted roads 1',
            features: [{ id: 'x', properties: {}, geometry: given }],
          });
    expect(() => decodeAcceptedRoads(Buffer.from(text))).toThrow(/accepted-roads\/roads.geojson: .*delete/);
  });

  it('joins accepted roads to the roads at their ends: at a near node, else at a new one', () => {
    const before = streets();
    const { extract, joined } = joinAcceptedRoads(before, [road('r', [1_008, 9], [900, 200], [700, 385])]);
    expect(joined).toEqual(['r']);
    const [way] = own(extract);
    const line = refsOf(extract, way!);
    // The first end is 12 m from node 2; the last one 15 m below the middle of the way between nodes 11 and
    // 12.
    expect(line[0]).toBe(2);
    expect(refsOf(extract, 1)).toEqual([1, 2, 3]);
    expect(refsOf(extract, 2)).toEqual([11, line.at(-1), 12, 13]);
    expect(line.slice(1).every((id) => id > 1e14 && String(id).length === 15)).toBe(true);
    expect([...extract.nodeIds]).toEqual([...extract.nodeIds].sort((a, b) => a - b));
    const made = extract.nodeIds.indexOf(line.at(-1)!);
    expect((extract.nodeLatE7[made]! / 1e7 - 57.7) * perLat).toBeCloseTo(400, 0);
    expect(joinAcceptedRoads(before, [road('r', [1_008, 9], [900, 200], [700, 385])]).extract).toEqual(
      extract,
    );
    expect(before).toEqual(streets());
  });

  it('accepted roads may end at one another, and two may cut the same street', () => {
    const { extract, joined } = joinAcceptedRoads(streets(), [
      road('a', [300, 5], [300, 395]),
      road('b', [310, 200], [600, 200], [600, 2]),
    ]);
    expect(joined).toEqual(['a', 'b']);
    const [a, b] = own(extract).map((way) => refsOf(extract, way));
    expect(a).toContain(b![0]);
    expect(refsOf(extract, 1)).toEqual([1, a![0], b!.at(-1), 2, 3]);
    expect(refsOf(extract, 2)).toEqual([11, a!.at(-1), 12, 13]);
  });

  it('leaves out accepted roads that the map contains now, or that end near no road', () => {
    const given = [road('known', [200, 4], [500, 6], [800, 3]), road('apart', [300, 150], [600, 250])];
    const before = streets();
    expect(joinAcceptedRoads(before, given)).toEqual({
      extract: before,
      joined: [],
      known: ['known'],
      apart: ['apart'],
    });
  });
});
