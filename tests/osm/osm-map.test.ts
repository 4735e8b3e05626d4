import { describe, expect, it } from 'vitest';
import { ChangingMap } from '#bench/map-tiles/changing-map.js';
import { seeded } from '#bench/routing/seeded.js';
import type { OsmChange } from '#osm/change/osm-change.js';
import { OsmMap } from '#osm/change/osm-map.js';
import { OsmColumns } from '#osm/elements/osm-columns.js';
import { nodeIndex, nodesOfRefs } from '#osm/elements/osm-extract.js';
import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { playFixture } from '../tile-builder/osm-fixture.js';
import { randomChange, smallTown } from './random-changes.js';

const readFrom = (play: (sink: OsmSink) => void): Promise<OsmMap> =>
  OsmMap.read({ kind: 'elements', read: play });

describe('a map in memory', () => {
  it('equals a new read of the changed extract, and keeps the objects of unchanged elements', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const model = new ChangingMap();
      smallTown(model.sink);
      const map = await readFrom((sink) => model.play(sink));
      for (let step = 0; step < 25; step++) {
        const before = map.elements();
        const change = randomChange(model, random);
        map.apply(change);
        model.apply(change);
        const read = new OsmColumns();
        model.play(read.sink);
        const [extract, elements] = [map.extract(), map.elements()];
        const from = `seed ${seed}, step ${step}`;
        expect(extract, from).toEqual(read.extract());
        expect([...extract.nodeTags.keys()], from).toEqual([...read.extract().nodeTags.keys()]);
        expect(elements, from).toEqual(read.elements());
        expect(nodesOfRefs(extract), from).toEqual(
          extract.refs.reduce(
            (nodes, ref, i) => nodes.fill(nodeIndex(extract, ref), i, i + 1),
            new Int32Array(extract.refs.length),
          ),
        );
        for (const kind of ['nodes', 'ways', 'relations'] as const) {
          const known = new Map<number, object>(before[kind].map((element) => [element.id, element]));
          for (const element of elements[kind]) {
            const earlier = known.get(element.id);
            if (earlier === element || earlier === undefined) continue;
            // A new object has different content.
            expect(element, from).not.toEqual(earlier);
          }
        }
      }
    }
  });

  it('detects a change of any single part of an element', async () => {
    const model = new ChangingMap();
    const member = { type: 'node', id: 1, role: 'a' } as const;
    const tags = new Map([['name', 'A']]);
    const place = { lngE7: 1, latE7: 2, tags };
    for (const id of [1, 2, 3]) model.nodes.set(id, place);
    model.ways.set(1, { refs: [1, 2], tags });
    model.relations.set(1, { members: [member], tags });
    const one: Partial<OsmChange>[] = [
      { nodes: new Map([[1, { ...place, lngE7: 3 }]]) },
      { nodes: new Map([[1, { ...place, latE7: 3 }]]) },
      { nodes: new Map([[1, { ...place, tags: new Map([['name', 'B']]) }]]) },
      { nodes: new Map([[1, { ...place, tags: new Map([['ref', 'A']]) }]]) },
      { nodes: new Map([[1, { ...place, tags: undefined }]]) },
      { ways: new Map([[1, { refs: [2, 1], tags }]]) },
      { ways: new Map([[1, { refs: [1, 2, 3], tags }]]) },
      { ways: new Map([[1, { refs: [1, 2], tags: new Map([['name', 'B']]) }]]) },
      { relations: new Map([[1, { members: [{ ...member, type: 'way' }], tags }]]) },
      { relations: new Map([[1, { members: [{ ...member, id: 2 }], tags }]]) },
      { relations: new Map([[1, { members: [{ ...member, role: 'b' }], tags }]]) },
      { relations: new Map([[1, { members: [], tags }]]) },
      { relations: new Map([[1, { members: [member], tags: new Map() }]]) },
    ];
    for (const part of one) {
      const change = { nodes: new Map(), ways: new Map(), relations: new Map(), ...part };
      const map = await readFrom((sink) => model.play(sink));
      map.apply(change);
      const read = new OsmColumns();
      model.changed(change).play(read.sink);
      expect(map.elements()).toEqual(read.elements());
      expect(map.extract()).toEqual(read.extract());
    }
  });

  it('gives the same lists when a change contains what is already known', async () => {
    const model = new ChangingMap();
    smallTown(model.sink);
    const map = await readFrom((sink) => model.play(sink));
    const { nodes, ways, relations } = map.elements();
    const { nodeIds, nodeLngE7, nodeTags } = map.extract();
    const copies = <Element extends object>(table: ReadonlyMap<number, Element>): Map<number, Element> =>
      new Map([...table].map(([id, element]) => [id, structuredClone(element)]));
    map.apply({
      nodes: new Map([...copies(model.nodes), [999_999, null]]),
      ways: new Map([...copies(model.ways), [999_999, null]]),
      relations: new Map([...copies(model.relations), [999_999, null]]),
    });
    const elements = map.elements();
    expect(elements.nodes).toBe(nodes);
    expect(elements.ways).toBe(ways);
    expect(elements.relations).toBe(relations);
    expect(map.extract()).toMatchObject({ nodeIds, nodeLngE7 });
    expect(map.extract().nodeTags).toBe(nodeTags);
  });

  it('rejects an extract that is not sorted by id, and says what to do', async () => {
    const nodes = [2, 1].map((id) => ({ id, lng: id, lat: id }));
    await expect(readFrom((sink) => playFixture({ nodes, ways: [] }, sink))).rejects.toThrow(
      InvalidMapSource,
    );
    await expect(readFrom((sink) => playFixture({ nodes, ways: [] }, sink))).rejects.toThrow(
      /node 1 comes after node 2.*osmium sort/,
    );
  });
});
