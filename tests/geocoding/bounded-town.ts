import type { OsmMember } from '#schemas/osm-sink.js';
import type { Fixture, FixtureNode, FixtureRelation, FixtureWay } from '../tile-builder/osm-fixture.js';
import { addressTown } from './address-town.js';

/** Columns and rows are those of `addressTown`. */
const at = (id: number, column: number, row: number, tags?: Record<string, string>): FixtureNode => ({
  id,
  lng: 12 + column * 0.002,
  lat: 58 + row * 0.002,
  ...(tags === undefined ? {} : { tags }),
});

interface Area {
  readonly id: number;
  readonly level: number;
  /** West, south, east, north, as columns and rows. */
  readonly box: readonly [number, number, number, number];
  readonly tags: Readonly<Record<string, string>>;
  readonly label?: number;
}

/** Malmköping is in the country, and in none of the smaller areas. */
const areas: readonly Area[] = [
  {
    ...{ id: 910, level: 2, box: [-10, -10, 60, 12] },
    tags: { name: 'Sverige', 'name:en': 'Sweden', 'ISO3166-1:alpha2': 'SE' },
  },
  { ...{ id: 920, level: 4, box: [-8, -8, 30, 8] }, tags: { name: 'Testlän', 'name:en': 'Test County' } },
  { ...{ id: 930, level: 8, box: [-1, -1, 3, 3] }, tags: { name: 'Testby' }, label: 30 },
  { ...{ id: 940, level: 10, box: [-0.5, 1.3, 2.5, 2.5] }, tags: { name: 'Norr' } },
];

function outlineOf({ id, box: [west, south, east, north] }: Area): {
  nodes: FixtureNode[];
  way: FixtureWay;
} {
  const [first, second, third, fourth] = [1, 2, 3, 4].map((corner) => 10 * id + corner) as [
    number,
    number,
    number,
    number,
  ];
  return {
    nodes: [at(first, west, south), at(second, east, south), at(third, east, north), at(fourth, west, north)],
    way: { id, refs: [first, second, third, fourth, first], tags: {} },
  };
}

function relationOf({ id, level, tags, label }: Area): FixtureRelation {
  const outer: OsmMember = { type: 'way', id, role: 'outer' };
  const labels: OsmMember[] = label === undefined ? [] : [{ type: 'node', id: label, role: 'label' }];
  return {
    id,
    members: [outer, ...labels],
    tags: { type: 'boundary', boundary: 'administrative', admin_level: String(level), ...tags },
  };
}

const hall = [at(64, 1.2, 0.2), at(65, 1.4, 0.2), at(66, 1.4, 0.4), at(67, 1.2, 0.4)];

/** `addressTown` with the areas around it, and places of several layers. */
export const boundedTown: Fixture = {
  nodes: [
    ...addressTown.nodes,
    ...areas.flatMap((area) => outlineOf(area).nodes),
    at(60, 0.4, 0.95, {
      tourism: 'hotel',
      name: 'Grand Hotel',
      'addr:street': 'Storgatan',
      'addr:housenumber': '4',
      'addr:postcode': '123 45',
    }),
    at(61, 1.8, 0.1, { railway: 'station', name: 'Testby central' }),
    at(62, 0.2, 2.2, { natural: 'peak', name: 'Toppen' }),
    at(63, 1.7, 1.04, { amenity: 'cafe', name: 'Kaffé Ålund' }),
    ...hall,
  ],
  ways: [
    ...addressTown.ways,
    ...areas.map((area) => outlineOf(area).way),
    { id: 310, refs: [64, 65, 66, 67, 64], tags: { building: 'yes', name: 'Rådhuset' } },
  ],
  relations: areas.map(relationOf),
};
