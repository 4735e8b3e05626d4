import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OsmColumns } from '#osm/elements/osm-columns.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import { RoadColumns } from '#osm/elements/road-columns.js';
import type { OsmMember, OsmSink, Tags } from '#schemas/osm-sink.js';

type Element =
  | { readonly kind: 'node'; readonly id: number; readonly lngE7: number; readonly tags?: Tags }
  | { readonly kind: 'way'; readonly id: number; readonly refs: number[]; readonly tags: Tags }
  | { readonly kind: 'relation'; readonly id: number; readonly members: OsmMember[]; readonly tags: Tags };

const tagged = (...pairs: (readonly [string, string])[]): fc.Arbitrary<Tags> =>
  fc.constant(new Map(pairs) as Tags);
const nodeId = fc.constantFrom(-2, 1, 2, 3, 4, 5, 6, 7, 8, 2 ** 32 + 1, 999_999_999_999_999);
const wayId = fc.integer({ min: 1, max: 5 });
const refs = fc
  .tuple(fc.array(nodeId, { maxLength: 5 }), fc.boolean())
  .map(([ids, closed]) => (closed ? [...ids, ...ids.slice(0, 1)] : ids));

const node = fc.record({
  kind: fc.constant('node' as const),
  id: nodeId,
  lngE7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  tags: fc.oneof(tagged(['barrier', 'gate']), tagged(['shop', 'books'])),
});
const way = fc.record({
  kind: fc.constant('way' as const),
  id: wayId,
  refs,
  tags: fc.oneof(
    tagged(['highway', 'residential']),
    tagged(['highway', 'pedestrian'], ['area', 'yes']),
    tagged(['building', 'yes']),
    tagged(),
  ),
});
const relation = fc.record({
  kind: fc.constant('relation' as const),
  id: wayId,
  members: fc.array(
    fc.record({
      type: fc.constantFrom('way' as const, 'node' as const),
      id: wayId,
      role: fc.constantFrom('outer', 'inner', 'from', 'to', 'via', ''),
    }),
    { maxLength: 4 },
  ),
  tags: fc.oneof(
    tagged(['type', 'restriction'], ['restriction', 'no_left_turn']),
    tagged(['type', 'multipolygon'], ['highway', 'pedestrian']),
    tagged(['type', 'multipolygon'], ['building', 'yes']),
  ),
});

function play(elements: readonly Element[], sink: OsmSink): void {
  for (const element of elements)
    if (element.kind === 'node') sink.node(element.id, element.lngE7, element.id % 900_000_000, element.tags);
    else if (element.kind === 'way') sink.way(element.id, element.refs, element.tags);
    else sink.relation(element.id, element.members, element.tags);
}

/** An extract without the numbers of its nodes, which are others where nodes are left out. */
function described(extract: OsmExtract) {
  const { nodeIds, nodeLngE7, nodeLatE7, areas, wayIds, firstRef, refs, ...others } = extract;
  expect([...nodeIds]).toEqual([...nodeIds].sort((a, b) => a - b));
  const placeOf = new Map([...nodeIds].map((id, at) => [id, [nodeLngE7[at], nodeLatE7[at]]] as const));
  return {
    ...others,
    wayIds: [...wayIds],
    firstRef: [...firstRef],
    refs: [...refs],
    places: [...refs].map((id) => placeOf.get(id)),
    areas: areas.map(({ rings, ...area }) => ({
      ...area,
      rings: rings.map((ring) => [...ring].map((at) => nodeIds[at])),
    })),
  };
}

it('the roads alone are those of the whole extract, in any order of its elements', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(node, { minLength: 8, maxLength: 11, selector: ({ id }) => id }),
      fc.array(fc.oneof(way, relation), { maxLength: 12 }),
      fc.boolean(),
      (nodes, others, inOrder) => {
        const elements: Element[] = [...(inOrder ? nodes.toSorted((a, b) => a.id - b.id) : nodes), ...others];
        const whole = new OsmColumns();
        const alone = new RoadColumns();
        play(elements, whole.sink);
        play(elements, alone.sink);
        expect(described(alone.extract())).toEqual(described(whole.extract()));
      },
    ),
    { numRuns: 300 },
  );
});

it('holds only the nodes of its roads, and nothing after they were taken', () => {
  const columns = new RoadColumns();
  const house: Tags = new Map([['building', 'yes']]);
  const street: Tags = new Map([['highway', 'residential']]);
  for (let id = 1; id <= 100; id++) columns.sink.node(id, id, id, undefined);
  columns.sink.way(1, [10, 11, 12, 10], house);
  columns.sink.way(2, [20, 21, 99], street);
  const { nodeIds, wayIds } = columns.extract();
  expect([...nodeIds]).toEqual([20, 21, 99]);
  expect([...wayIds]).toEqual([2]);
  expect(() => columns.extract()).toThrow('taken before');
});
