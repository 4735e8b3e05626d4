import { collectMapElements, type MapElements } from '#osm/elements/map-elements.js';
import {
  type Fixture,
  type FixtureRelation,
  type FixtureWay,
  playFixture,
} from '../tile-builder/osm-fixture.js';

/** The number of crossings along one side of the town, and the distance between them. */
const side = 6;
const gap = 0.002;

const crossing = (x: number, y: number): number => 1 + y * side + x;
const at = (id: number, x: number, y: number, tags?: Readonly<Record<string, string>>) => ({
  id,
  lng: 12 + x * gap,
  lat: 58 + y * gap,
  ...(tags === undefined ? {} : { tags }),
});

/**
 * A town of crossing streets in two parishes whose common border is a street and a line between fields.
 * Houses have addresses of every kind, some of them from a relation or an interpolation; a cape is far from
 * the roads; outside there is a hamlet and a ferry to it.
 */
export function changingTown(): Fixture {
  const places = Array.from({ length: side * side }, (_, i) => ({ x: i % side, y: Math.floor(i / side) }));
  const ways: FixtureWay[] = [];
  for (const { x, y } of places) {
    const from = crossing(x, y);
    if (x + 1 < side)
      ways.push({
        id: 1_000 + from,
        refs: [from, from + 1],
        tags: { highway: 'residential', name: `Row ${y}` },
      });
    if (y + 1 < side) {
      const tags = {
        highway: y % 3 === 0 ? 'footway' : 'tertiary',
        name: `Column ${x >> 1}`,
        'name:sv': `Kolumn ${x}`,
      };
      ways.push({ id: 2_000 + from, refs: [from, from + side], tags });
    }
  }
  const corner = (x: number, y: number): number => crossing(x * (side - 1), y * (side - 1));
  const line = (id: number, ...refs: number[]): FixtureWay => ({ id, refs, tags: {} });
  // A street except for its last section, which is a line between the fields.
  const border = [...Array.from({ length: side - 2 }, (_, y) => 2_000 + crossing(2, y)), 3_014];
  const parish = (id: number, level: string, name: string, members: number[]): FixtureRelation => ({
    id,
    members: members.map((way) => ({ type: 'way', id: way, role: 'outer' })),
    tags: { type: 'boundary', boundary: 'administrative', admin_level: level, name },
  });
  const house = (id: number, x: number, y: number, number: string, more: Record<string, string>) =>
    at(id, x, y, { 'addr:housenumber': number, ...more });
  return {
    nodes: [
      ...places.map(({ x, y }) => at(crossing(x, y), x, y)),
      ...[
        at(101, 9, 1),
        at(102, 12, 1),
        at(103, 12, 2),
        at(104, 2.2, 2.2),
        at(105, 2.8, 2.2),
        at(106, 2.8, 2.8),
        at(107, 2, 4.3),
        at(108, 2, 4.7),
        at(111, 11.5, 0.5),
        at(112, 12.5, 0.5),
        at(113, 12.5, 2.5),
        at(114, 11.5, 2.5),
      ],
      at(201, 1.4, 1.4, { place: 'town', name: 'Westby', 'name:sv': 'Västby' }),
      at(202, 3.6, 3.4, { place: 'village', name: 'Eastby' }),
      at(203, 12.1, 1.6, { place: 'hamlet', name: 'Outby' }),
      at(301, 0.3, 0.1, { amenity: 'cafe', name: 'Café Å', 'addr:country': 'SE' }),
      at(302, 4.4, 4.6, { amenity: 'pharmacy' }),
      at(303, -2.6, 2.5, { natural: 'cape', name: 'Far Cape' }),
      at(305, 2.5, 4.5, { tourism: 'museum', name: 'Border Museum' }),
      at(306, 1.5, 4.5, { place: 'suburb', name: 'Fields' }),
      at(304, 6.4, 2.5, { shop: 'bakery', name: 'Bageri Row', wikidata: 'Q1' }),
      ...Array.from({ length: 6 }, (_, i) =>
        house(400 + i, i * 0.9, 1.05, `${1 + 2 * i}`, { 'addr:street': 'Row 1', 'addr:city': 'Westby' }),
      ),
      ...Array.from({ length: 6 }, (_, i) =>
        house(410 + i, 5.1, i * 0.8, `${2 + 2 * i}`, { 'addr:street': 'Nowhere', 'addr:city': 'Newtown' }),
      ),
      house(420, 1.05, 3.4, '4', { 'addr:place': 'Column 0' }),
      house(421, 3.3, 4.95, '10-14;20', {}),
      house(422, 1.2, 4.45, '3', { 'addr:street': 'Field Lane' }),
      house(423, 2.8, 4.55, '5', { 'addr:street': 'Column 1' }),
      house(430, 0.2, 2.95, '1', { 'addr:street': 'Row 3', 'addr:postcode': '123 45' }),
      house(431, 1.8, 2.95, '41', {}),
    ],
    ways: [
      ...ways,
      { id: 3_001, refs: [crossing(5, 1), 101, 102], tags: { route: 'ferry', name: 'Ferry' } },
      { id: 3_002, refs: [102, 103], tags: { highway: 'track', name: 'Row 1', 'addr:housenumber': '9' } },
      { id: 3_003, refs: [104, 105, 106, 104], tags: { leisure: 'park', name: 'The Park' } },
      { id: 3_004, refs: [430, 431], tags: { 'addr:interpolation': 'odd' } },
      line(3_011, corner(0, 0), crossing(2, 0)),
      line(3_014, crossing(2, side - 2), 107, 108, crossing(2, side - 1)),
      line(3_015, 111, 112, 113, 114, 111),
      line(3_012, crossing(2, side - 1), corner(0, 1), corner(0, 0)),
      line(3_013, crossing(2, 0), corner(1, 0), corner(1, 1), crossing(2, side - 1)),
    ],
    relations: [
      parish(501, '8', 'Westby', [3_011, ...border, 3_012]),
      parish(502, '8', 'East Parish', [3_013, ...border]),
      parish(503, '2', 'The Land', [3_011, 3_012, 3_013]),
      {
        id: 504,
        members: [
          { type: 'node', id: 421, role: 'house' },
          { type: 'node', id: 431, role: 'house' },
          { type: 'way', id: 3_002, role: 'house' },
          { type: 'way', id: 1_031, role: 'street' },
        ],
        tags: { type: 'associatedStreet' },
      },
      {
        id: 505,
        members: [{ type: 'way', id: 3_003, role: 'outer' }],
        tags: { type: 'multipolygon', leisure: 'park', name: 'Parks' },
      },
    ],
  };
}

/** One change of a town; `pick` chooses the element by its own count. */
export type TownChange = (town: Fixture, pick: (count: number) => number) => Fixture;

type Element = { readonly id: number; readonly tags?: Readonly<Record<string, string>> };
type List = 'nodes' | 'ways' | 'relations';

const edited =
  (
    list: List,
    change: (tags: Record<string, string>, pick: (count: number) => number) => void,
    of: (tags: Readonly<Record<string, string>>) => boolean,
  ): TownChange =>
  (town, pick) => {
    const elements: readonly Element[] = town[list] ?? [];
    const fitting = elements.filter(({ tags }) => tags !== undefined && of(tags));
    if (fitting.length === 0) return town;
    const chosen = fitting[pick(fitting.length)]!;
    const tags = { ...chosen.tags };
    change(tags, pick);
    return { ...town, [list]: elements.with(elements.indexOf(chosen), { ...chosen, tags }) };
  };
const isRoad = (tags: Readonly<Record<string, string>>): boolean => 'highway' in tags;
const isHouse = (tags: Readonly<Record<string, string>>): boolean => 'addr:housenumber' in tags;
const any = (): boolean => true;
const set =
  (key: string, ...values: string[]) =>
  (tags: Record<string, string>, pick: (count: number) => number): void => {
    const value = values[pick(values.length)]!;
    if (value === '') delete tags[key];
    else tags[key] = value;
  };

export const townChanges: Readonly<Record<string, TownChange>> = {
  'a road renamed': edited('ways', set('name', '', 'Row 1', 'Row 2', 'Nowhere', 'Storgatan'), isRoad),
  'another name of a road': edited('ways', set('alt_name', '', 'Nowhere', 'Row 3', 'Shortcut;Lane'), isRoad),
  'who may use a road': edited('ways', set('highway', 'footway', 'motorway', 'residential', 'steps'), isRoad),
  'a road closed': edited('ways', set('access', '', 'no', 'private'), isRoad),
  'a road in one direction': edited('ways', set('oneway', '', 'yes', '-1'), isRoad),
  'a speed': edited('ways', set('maxspeed', '20', '30'), isRoad),
  'a postcode of a road': edited('ways', set('postal_code', '', '11111'), isRoad),
  'numbers on a line': edited(
    'ways',
    set('addr:interpolation', 'odd', 'all', 'unknown'),
    (tags) => 'addr:interpolation' in tags,
  ),
  'a name of something': edited('nodes', set('name', '', 'Westby', 'Newtown', 'Ny By'), any),
  'a kind of place': edited(
    'nodes',
    set('place', 'village', 'suburb', 'island', 'city'),
    (tags) => 'place' in tags,
  ),
  'a kind of shop': edited('nodes', set('amenity', 'bank', '', 'toilets'), any),
  'a country': edited('nodes', set('addr:country', 'se', 'NO', '', 'Sweden'), any),
  'a number of a house': edited('nodes', set('addr:housenumber', '1', '7a', '3;5', '', '21'), isHouse),
  'a street of a house': edited('nodes', set('addr:street', 'Row 1', 'Nowhere', '', 'Storgatan'), isHouse),
  'a town of a house': edited('nodes', set('addr:city', 'Eastby', '', 'Newtown'), isHouse),
  'a name of a relation': edited('relations', set('name', '', 'Row 2', 'Westby', 'Outby'), any),
  'a level of a parish': edited('relations', set('admin_level', '4', '8', '9'), any),
  'a country of a relation': edited('relations', set('ISO3166-1', 'SE', 'NO', ''), any),
  'a postcode of a relation': edited('relations', set('postal_code', '22222', ''), any),
  'a kind of parish': edited('relations', set('place', 'village', 'town', ''), any),
  'a border moved': (town, pick) => {
    const index = town.nodes.findIndex(({ id }) => id === 107 + pick(2));
    const node = town.nodes[index];
    if (node === undefined) return town;
    const moved = {
      ...node,
      lng: 12 + gap * (0.6 * pick(9) - 0.4),
      lat: node.lat + gap * 0.1 * (pick(3) - 1),
    };
    return { ...town, nodes: town.nodes.with(index, moved) };
  },
  'a border drawn again': (town, pick) => {
    const index = town.ways.findIndex(({ id }) => id === 3_014);
    const way = town.ways[index];
    if (way === undefined) return town;
    const [from, to] = [crossing(2, side - 2), crossing(2, side - 1)];
    const courses = [
      [from, 107, 108, to],
      [to, 108, 107, from],
      [from, 108, to],
      [from, to],
    ];
    return { ...town, ways: town.ways.with(index, { ...way, refs: courses[pick(courses.length)]! }) };
  },
  'a parish under another id': (town) => {
    const index = (town.relations ?? []).findIndex(({ id }) => id === 502 || id === 506);
    const parish = town.relations?.[index];
    if (town.relations === undefined || parish === undefined) return town;
    const relations = town.relations.with(index, { ...parish, id: 502 + 506 - parish.id });
    return { ...town, relations: relations.toSorted(byId) };
  },
  'an exclave': (town, pick) => {
    const relations = town.relations ?? [];
    const index = pick(3);
    const parish = relations[index]!;
    const others = parish.members.filter(({ id }) => id !== 3_015);
    const own = { type: 'way' as const, id: 3_015, role: 'outer' };
    const members = others.length === parish.members.length ? [...others, own] : others;
    return { ...town, relations: relations.with(index, { ...parish, members }) };
  },
  'a member gone': (town, pick) => {
    const relations = town.relations ?? [];
    const index = pick(relations.length);
    const chosen = relations[index]!;
    if (chosen.members.length === 0) return town;
    return {
      ...town,
      relations: relations.with(index, {
        ...chosen,
        members: chosen.members.toSpliced(pick(chosen.members.length), 1),
      }),
    };
  },
  'a label': (town, pick) => {
    const relations = town.relations ?? [];
    const index = pick(relations.length);
    const chosen = relations[index]!;
    const label = { type: 'node' as const, id: 201 + pick(3), role: 'label' };
    return { ...town, relations: relations.with(index, { ...chosen, members: [...chosen.members, label] }) };
  },
  'a way gone': (town, pick) => ({ ...town, ways: town.ways.toSpliced(pick(town.ways.length), 1) }),
  'a node gone': (town, pick) => ({ ...town, nodes: town.nodes.toSpliced(pick(town.nodes.length), 1) }),
  'a node moved': (town, pick) => {
    const index = pick(town.nodes.length);
    const node = town.nodes[index]!;
    const moved = { ...node, lng: node.lng + 0.0004 * (pick(5) - 2), lat: node.lat + 0.0003 * (pick(5) - 2) };
    return { ...town, nodes: town.nodes.with(index, moved) };
  },
  'a new road': (town, pick) => {
    const from = town.nodes[pick(town.nodes.length)]!;
    const id = 10_000 + pick(10_000);
    const node = { id, lng: from.lng + 0.0007 * (pick(9) - 4), lat: from.lat + 0.001 * pick(3) };
    const tags = { highway: ['service', 'cycleway'][pick(2)]!, name: ['Lane', 'Row 3'][pick(2)]! };
    const isFree = !town.nodes.some((each) => each.id === id);
    return isFree
      ? {
          ...town,
          nodes: [...town.nodes, node],
          ways: [...town.ways, { id: 10_000 + id, refs: [from.id, id], tags }],
        }
      : town;
  },
  'a new house': (town, pick) => {
    const near = town.nodes[pick(town.nodes.length)]!;
    const id = 30_000 + pick(10_000);
    const tags = {
      'addr:housenumber': `${1 + pick(30)}`,
      'addr:street': ['Row 1', 'Nowhere', 'Lane'][pick(3)]!,
    };
    if (town.nodes.some((each) => each.id === id)) return town;
    return { ...town, nodes: [...town.nodes, { id, lng: near.lng + 0.0001, lat: near.lat + 0.0002, tags }] };
  },
  nothing: (town) => town,
};

/** The elements of a town: those that are unchanged since `before` are the same objects. */
export function elementsOf(town: Fixture, before?: MapElements): MapElements {
  const { sink, elements } = collectMapElements();
  playFixture({ ...town, nodes: town.nodes.toSorted(byId), ways: town.ways.toSorted(byId) }, sink);
  const { nodes, ways, relations } = elements();
  return {
    nodes: sameWhereAlike(nodes, before?.nodes),
    ways: sameWhereAlike(ways, before?.ways),
    relations: sameWhereAlike(relations, before?.relations),
  };
}

const byId = (a: Element, b: Element): number => a.id - b.id;

function sameWhereAlike<Each extends { readonly id: number; readonly tags: ReadonlyMap<string, string> }>(
  now: readonly Each[],
  before: readonly Each[] = [],
): readonly Each[] {
  const content = (each: Each): string => JSON.stringify({ ...each, tags: [...each.tags] });
  const known = new Map(before.map((each) => [content(each), each]));
  return now.map((each) => known.get(content(each)) ?? each);
}
