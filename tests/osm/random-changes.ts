import type { ChangingMap } from '#bench/map-tiles/changing-map.js';
import type { ChangedNode, ChangedRelation, ChangedWay, OsmChange } from '#osm/change/osm-change.js';
import type { OsmMember, OsmSink, Tags } from '#schemas/osm-sink.js';
import { addressTown } from '../geocoding/address-town.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

/**
 * The town of the addresses with crossing streets, houses, a lake of two ways, a forbidden turn and a way
 * with a missing node.
 */
export function smallTown(sink: OsmSink): void {
  const { nodes, ways, relations = [] } = addressTown;
  const inOrder = <Element extends { readonly id: number }>(list: readonly Element[]): Element[] =>
    list.toSorted((a, b) => a.id - b.id);
  playFixture({ nodes: inOrder(nodes), ways: inOrder(ways), relations: inOrder(relations) }, sink);
}

type Random = () => number;
interface Draft {
  readonly nodes: Map<number, ChangedNode | null>;
  readonly ways: Map<number, ChangedWay | null>;
  readonly relations: Map<number, ChangedRelation | null>;
}
type Step = (map: ChangingMap, draft: Draft, random: Random) => void;

const oneOf = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!;
const anyId = (table: ReadonlyMap<number, unknown>, random: Random): number =>
  oneOf([...table.keys()], random);
const newId = (random: Random): number => 1_000 + Math.floor(random() * 2 ** 40);

const withTag = (tags: Tags | undefined, key: string, value: string): Tags =>
  new Map([...(tags ?? []), [key, value]]);

const retagWay =
  (key: string, values: readonly string[]): Step =>
  ({ ways }, draft, random) => {
    const id = anyId(ways, random);
    const { refs, tags } = ways.get(id)!;
    draft.ways.set(id, { refs, tags: withTag(tags, key, oneOf(values, random)) });
  };

const retagNode =
  (key: string, values: readonly string[]): Step =>
  ({ nodes }, draft, random) => {
    const id = anyId(nodes, random);
    const node = nodes.get(id)!;
    draft.nodes.set(id, { ...node, tags: withTag(node.tags, key, oneOf(values, random)) });
  };

const near = ({ lngE7, latE7 }: ChangedNode, random: Random): ChangedNode => ({
  lngE7: lngE7 + Math.round((random() - 0.5) * 20_000),
  latE7: latE7 + Math.round((random() - 0.5) * 20_000),
  tags: undefined,
});

const steps: readonly Step[] = [
  retagWay('name', ['Storgatan', 'Kyrkogatan', 'Nygatan', 'Ängsvägen']),
  retagWay('maxspeed', ['20', '30', '70']),
  retagWay('highway', ['residential', 'footway', 'primary', 'proposed']),
  retagWay('oneway', ['yes', '-1', 'no']),
  retagWay('access', ['private', 'yes']),
  retagNode('barrier', ['gate', 'bollard']),
  retagNode('highway', ['traffic_signals', 'crossing']),
  retagNode('shop', ['books', 'bakery']),
  retagNode('addr:housenumber', ['1', '7b']),
  ({ nodes }, draft, random) => {
    const id = anyId(nodes, random);
    draft.nodes.set(id, { ...nodes.get(id)!, tags: undefined });
  },
  ({ nodes }, draft, random) => {
    const id = anyId(nodes, random);
    draft.nodes.set(id, { ...near(nodes.get(id)!, random), tags: nodes.get(id)!.tags });
  },
  ({ nodes }, draft, random) => void draft.nodes.set(anyId(nodes, random), null),
  ({ ways }, draft, random) => {
    if (ways.size > 4) draft.ways.set(anyId(ways, random), null);
  },
  ({ relations }, draft, random) => {
    if (relations.size > 0) draft.relations.set(anyId(relations, random), null);
  },
  // A street from a node of the map to a new one; sometimes its id is that of a node that the map lacks.
  ({ nodes }, draft, random) => {
    const from = anyId(nodes, random);
    const to = newId(random);
    if (random() < 0.8) draft.nodes.set(to, near(nodes.get(from)!, random));
    draft.ways.set(newId(random), {
      refs: random() < 0.2 ? [from, to, from] : [from, to],
      tags: new Map([
        ['highway', 'service'],
        ['name', 'Ny väg'],
      ]),
    });
  },
  // Adds a node that a way refers to and that the map does not hold.
  ({ nodes, ways }, draft, random) => {
    const known = nodes.get(anyId(nodes, random))!;
    for (const { refs } of ways.values())
      for (const ref of refs) if (!nodes.has(ref)) draft.nodes.set(ref, near(known, random));
  },
  // A house.
  ({ nodes }, draft, random) => {
    const at = nodes.get(anyId(nodes, random))!;
    const first = newId(random);
    const corners = [0, 1, 2].map((i) => first + i);
    for (const id of corners) draft.nodes.set(id, near(at, random));
    draft.ways.set(newId(random), {
      refs: [...corners, first],
      tags: new Map([
        ['building', 'yes'],
        ['addr:housenumber', String(Math.floor(random() * 90))],
        ['addr:street', 'Storgatan'],
      ]),
    });
  },
  // A way changes its geometry.
  ({ nodes, ways }, draft, random) => {
    const id = anyId(ways, random);
    const { refs, tags } = ways.get(id)!;
    draft.ways.set(id, { refs: refs.toSpliced(1, random() < 0.5 ? 0 : 1, anyId(nodes, random)), tags });
  },
  // A forbidden turn, or an area of two ways.
  ({ nodes, ways }, draft, random) => {
    const member = (type: OsmMember['type'], id: number, role: string): OsmMember => ({ type, id, role });
    const [a, b] = [anyId(ways, random), anyId(ways, random)];
    const via = oneOf(ways.get(a)!.refs, random);
    draft.relations.set(
      newId(random),
      random() < 0.7
        ? {
            members: [member('way', a, 'from'), member('node', via, 'via'), member('way', b, 'to')],
            tags: new Map([
              ['type', 'restriction'],
              ['restriction', 'no_left_turn'],
            ]),
          }
        : {
            members: [member('way', a, 'outer'), member('way', b, 'outer')],
            tags: new Map([
              ['type', 'multipolygon'],
              ['natural', nodes.size % 2 === 0 ? 'water' : 'wood'],
            ]),
          },
    );
  },
  ({ relations }, draft, random) => {
    if (relations.size === 0) return;
    const id = anyId(relations, random);
    const { members, tags } = relations.get(id)!;
    draft.relations.set(id, { members: members.slice(1), tags });
  },
];

/** One to four of these, as one change. */
export function randomChange(map: ChangingMap, random: Random): OsmChange {
  const draft: Draft = { nodes: new Map(), ways: new Map(), relations: new Map() };
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) oneOf(steps, random)(map, draft, random);
  return draft;
}
