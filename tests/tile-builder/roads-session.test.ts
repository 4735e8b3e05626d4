import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedRoadsKey, encodeAcceptedRoads } from '#map-data/accepted-roads/accepted-roads.js';
import { openTileset } from '#map-data/open-tileset.js';
import { OsmColumns } from '#osm/elements/osm-columns.js';
import type { OsmExtract } from '#osm/elements/osm-extract.js';
import type { OsmMember, Tags } from '#schemas/osm-sink.js';
import { type BuildOptions, type BuiltTileset, stageTileset } from '#tile-builder/build-tileset.js';
import { publishRelease } from '#tile-builder/publish-release.js';
import { RoadsSession } from '#tile-builder/roads-session.js';
import { readPartition } from '#tile-builder/tiles/previous-tileset.js';
import { MemoryObjectStore } from './memory-object-store.js';
import type { Fixture, FixtureNode, FixtureRelation, FixtureWay } from './osm-fixture.js';

const side = 9;
const cellNodesMax = [8, 40];
type Tagged = Readonly<Record<string, string>>;

/**
 * An unchanged object of the fixture stays the same object in the extract, so that a map in memory can be
 * reused.
 */
const tagsOf = new WeakMap<Tagged, Tags>();
function kept(tags: Tagged): Tags {
  const known = tagsOf.get(tags) ?? new Map(Object.entries(tags));
  tagsOf.set(tags, known);
  return known;
}

function extractOf({ nodes, ways, relations = [] }: Fixture): OsmExtract {
  const columns = new OsmColumns();
  const { sink } = columns;
  for (const { id, lng, lat, tags } of nodes.toSorted((a, b) => a.id - b.id))
    sink.node(id, Math.round(lng * 1e7), Math.round(lat * 1e7), tags && kept(tags));
  for (const { id, refs, tags } of ways.toSorted((a, b) => a.id - b.id)) sink.way(id, refs, kept(tags));
  for (const { id, members, tags } of relations) sink.relation(id, members, kept(tags));
  return columns.extract();
}

/**
 * Streets in a grid with a bend between crossings; every second pair of blocks is one way. A ferry, a ramp
 * and a private yard.
 */
function town(): Fixture {
  const crossing = (x: number, y: number): number => 1 + y * side + x;
  const nodes: FixtureNode[] = [];
  const ways: FixtureWay[] = [];
  for (let i = 0; i < side * side; i++)
    nodes.push({ id: 1 + i, lng: 10 + (i % side) / 500, lat: 50 + Math.floor(i / side) / 500 });
  const street = (id: number, ends: readonly number[], tags: Tagged): void => {
    const refs: number[] = [];
    for (const [i, end] of ends.entries()) {
      refs.push(end);
      if (i + 1 === ends.length) break;
      const [a, b] = [nodes[end - 1]!, nodes[ends[i + 1]! - 1]!];
      const bend = 10_000 + 10 * id + i;
      nodes.push({ id: bend, lng: (a.lng + b.lng) / 2 + 0.0001, lat: (a.lat + b.lat) / 2 + 0.0001 });
      refs.push(bend);
    }
    ways.push({ id, refs, tags });
  };
  for (let y = 0; y < side; y++)
    for (let x = 0; x + 2 < side; x += 2) {
      const row = [crossing(x, y), crossing(x + 1, y), crossing(x + 2, y)];
      const column = [crossing(y, x), crossing(y, x + 1), crossing(y, x + 2)];
      street(1000 + crossing(x, y), row, { highway: 'residential', name: `Row ${y}` });
      street(2000 + crossing(y, x), column, { highway: 'tertiary', name: `Column ${y}`, ref: `${x}` });
    }
  street(3000, [crossing(0, 0), crossing(8, 8)], { route: 'ferry', duration: '00:20' });
  street(3001, [crossing(3, 3), crossing(4, 4)], {
    highway: 'primary_link',
    oneway: 'yes',
    destination: 'Harbour',
  });
  street(3002, [crossing(5, 5), crossing(6, 6)], { highway: 'service', access: 'private' });
  // Squares with corners at crossings: a closed way, and a multipolygon with a hole.
  const corners = (x: number, y: number) =>
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([dx, dy]) => crossing(x + dx!, y + dy!));
  const [a, b, c, d] = corners(2, 2);
  ways.push({
    id: 3003,
    refs: [a!, b!, c!, d!, a!],
    tags: { highway: 'pedestrian', area: 'yes', name: 'Square' },
  });
  const [e, f, g, h] = corners(6, 2);
  ways.push({ id: 3004, refs: [e!, f!, g!], tags: { barrier: 'kerb' } });
  ways.push({ id: 3005, refs: [g!, h!, e!], tags: {} });
  ways.push({ id: 3006, refs: [9_001, 9_002, 9_003, 9_001], tags: {} });
  for (const [i, [lng, lat]] of [
    [0.9, 0.9],
    [1.1, 1],
    [1, 1.2],
  ].entries())
    nodes.push({ id: 9_001 + i, lng: 10 + 6 / 500 + lng! / 1000, lat: 50 + 2 / 500 + lat! / 1000 });
  const members = [3004, 3005, 3006].map((id) => ({
    type: 'way' as const,
    id,
    role: id < 3006 ? 'outer' : 'inner',
  }));
  const tags = { type: 'multipolygon', highway: 'pedestrian', name: 'Market' };
  return { nodes, ways, relations: [{ id: 1, members, tags }] };
}

type Change = (town: Fixture, at: number) => Fixture;

const retagged =
  (tags: (way: FixtureWay) => Tagged): Change =>
  (town, at) => {
    const way = town.ways[at % town.ways.length]!;
    return {
      ...town,
      ways: town.ways.with(at % town.ways.length, { ...way, tags: { ...way.tags, ...tags(way) } }),
    };
  };

const withNode = (town: Fixture, at: number, change: (node: FixtureNode) => FixtureNode): Fixture => ({
  ...town,
  nodes: town.nodes.with(at, change(town.nodes[at]!)),
});

/** A node of a road, not only a crossing. */
const tagged =
  (tags: Tagged | undefined): Change =>
  (town, at) =>
    withNode(town, at % town.nodes.length, ({ id, lng, lat }) => ({ id, lng, lat, ...(tags && { tags }) }));

const forbid =
  (restriction: string): Change =>
  (town, at) => {
    const from = town.ways[at % town.ways.length]!;
    const via = from.refs.at(-1)!;
    const to = town.ways.find(({ id, refs }) => id !== from.id && refs.includes(via));
    if (to === undefined) return town;
    const members: OsmMember[] = [
      { type: 'way', id: from.id, role: 'from' },
      { type: 'node', id: via, role: 'via' },
      { type: 'way', id: to.id, role: 'to' },
    ];
    const id = 1 + Math.max(0, ...town.relations!.map((relation) => relation.id));
    const relation: FixtureRelation = { id, members, tags: { type: 'restriction', restriction } };
    return { ...town, relations: [...town.relations!, relation] };
  };

const changes: Readonly<Record<string, Change>> = {
  renamed: retagged(({ id }) => ({ name: `Renamed ${id}` })),
  'named as another': retagged(() => ({ name: 'Row 1' })),
  numbered: retagged(({ id }) => ({ ref: `B ${id}` })),
  'with a source': retagged(() => ({ source: 'survey' })),
  slower: retagged(() => ({ maxspeed: '20' })),
  private: retagged(() => ({ access: 'private' })),
  'one-way': retagged(() => ({ oneway: 'yes' })),
  signposted: retagged(({ id }) => ({ oneway: 'yes', destination: `Town ${id % 7}` })),
  'no road': retagged(() => ({ highway: 'proposed', route: 'none' })),
  gone: (town, at) => ({ ...town, ways: town.ways.toSpliced(at % town.ways.length, 1) }),
  turned: (town, at) => {
    const way = town.ways[at % town.ways.length]!;
    return { ...town, ways: town.ways.with(at % town.ways.length, { ...way, refs: way.refs.toReversed() }) };
  },
  shortened: (town, at) => {
    const way = town.ways[at % town.ways.length]!;
    if (way.refs.length < 4) return town;
    return { ...town, ways: town.ways.with(at % town.ways.length, { ...way, refs: way.refs.slice(0, -2) }) };
  },
  'back to a crossing': (town, at) => {
    const way = town.ways[at % town.ways.length]!;
    const refs = [...way.refs, way.refs[0]!];
    return { ...town, ways: town.ways.with(at % town.ways.length, { ...way, refs }) };
  },
  moved: (town, at) =>
    withNode(town, at % town.nodes.length, (node) => ({ ...node, lat: node.lat + 0.0003 })),
  'a node missing': (town, at) => ({ ...town, nodes: town.nodes.toSpliced(at % town.nodes.length, 1) }),
  'a node come back': (town) => {
    const have = new Set(town.nodes.map(({ id }) => id));
    const missing = town.ways.flatMap(({ refs }) => refs).find((ref) => !have.has(ref));
    return missing === undefined
      ? town
      : { ...town, nodes: [...town.nodes, { id: missing, lng: 10.01, lat: 50.01 }] };
  },
  'a gate': tagged({ barrier: 'gate', access: 'private' }),
  'a signal': tagged({ highway: 'traffic_signals' }),
  'an exit': tagged({ highway: 'motorway_junction', ref: '7', exit_to: 'Mill' }),
  'nothing there': tagged(undefined),
  'a house': (town) => ({
    ...town,
    nodes: [...town.nodes, { id: 1_000_000 + town.nodes.length, lng: 10.003, lat: 50.003 }],
  }),
  'a lane to nowhere': (town, at) => {
    const from = town.nodes[at % town.nodes.length]!;
    const id = 500_000 + 2 * town.nodes.length;
    const way = { id, refs: [from.id, id], tags: { highway: 'service', name: `Lane ${id}` } };
    return {
      ...town,
      nodes: [...town.nodes, { id, lng: from.lng + 0.0007, lat: from.lat }],
      ways: [...town.ways, way],
    };
  },
  'an island': (town, at) => {
    const near = town.nodes[at % town.nodes.length]!;
    const id = 500_000 + 2 * town.nodes.length;
    const [lng, lat] = [near.lng + 0.0002, near.lat + 0.0003];
    const way = { id, refs: [id, id + 1], tags: { highway: 'track' } };
    return {
      ...town,
      nodes: [...town.nodes, { id, lng, lat }, { id: id + 1, lng, lat: lat + 0.0003 }],
      ways: [...town.ways, way],
    };
  },
  'a forbidden turn': forbid('no_left_turn'),
  'the only turn': forbid('only_straight_on'),
  'a turn of others': (town, at) => {
    const relations = town.relations!;
    const relation = relations[at % Math.max(1, relations.length)];
    if (relation === undefined) return town;
    const way = town.ways[at % town.ways.length]!;
    const members = relation.members.with(2, { type: 'way', id: way.id, role: 'to' });
    return { ...town, relations: relations.with(at % relations.length, { ...relation, members }) };
  },
  'a turn allowed again': (town) => ({ ...town, relations: town.relations!.slice(1) }),
};

class Builder {
  readonly objects = new MemoryObjectStore();
  readonly session = new RoadsSession();

  async build(fixture: Fixture, options: Partial<BuildOptions> = {}): Promise<BuiltTileset> {
    const { session } = this;
    const built = await stageTileset(() => extractOf(fixture), this.objects, {
      cellNodesMax,
      session,
      ...options,
    });
    await publishRelease(this.objects, { tilesetId: built.tilesetId, mapId: null, geocodeId: null });
    return built;
  }

  /** The tileset must equal that of a build from scratch with the same cells, byte for byte. */
  async check(fixture: Fixture, { tilesetId, ...built }: BuiltTileset): Promise<void> {
    const scratch = new MemoryObjectStore();
    const accepted = this.objects.objects.get(acceptedRoadsKey);
    if (accepted !== undefined) scratch.objects.set(acceptedRoadsKey, accepted);
    const partition = await readPartition(this.objects, tilesetId);
    const full = await stageTileset(() => extractOf(fixture), scratch, {
      cellNodesMax,
      partition,
      reuse: false,
    });
    expect({ ...full, writtenTiles: 0 }).toEqual({ tilesetId, ...built, writtenTiles: 0 });
    for (const [key, bytes] of scratch.objects)
      if (!key.startsWith('build-memo/')) expect(this.objects.objects.get(key), key).toEqual(bytes);
  }
}

describe('roads of a long-running builder', () => {
  it('M-043: the roads equal those of a build from scratch after every change', async () => {
    let written = 0;
    let cells = 0;
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(10_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 6 }),
        async (rounds) => {
          const builder = new Builder();
          let changed = town();
          await builder.build(changed);
          for (const round of rounds) {
            for (const [what, at] of round) changed = changes[what]!(changed, at);
            const built = await builder.build(changed);
            await builder.check(changed, built);
            written += built.writtenTiles;
            cells += built.cellCount;
          }
        },
      ),
      { numRuns: 24, seed: 6 },
    );
    // Super tiles and few cells each, or the test proves nothing.
    expect(written / cells).toBeLessThan(0.6);
  });

  it('M-043: numbers and turns are as relations say now, with roads that are the same', async () => {
    const map = town();
    // The first street of a column: its number is `0`.
    const way = map.ways.find(({ tags }) => tags['ref'] === '0')!;
    const signed = (direction: string, role: string, more: readonly FixtureRelation[] = []): Fixture => {
      const tags = { type: 'route', route: 'road', ref: '0', direction };
      return { ...map, relations: [{ id: 1, members: [{ type: 'way', id: way.id, role }], tags }, ...more] };
    };
    const builder = new Builder();
    const said = async (fixture: Fixture): Promise<string[]> => {
      const built = await builder.build(fixture);
      await builder.check(fixture, built);
      const network = await openTileset(builder.objects);
      const edges = [...network.arrays.wayId.keys()].filter((edge) => network.arrays.wayId[edge] === way.id);
      return [...new Set(edges.map((edge) => network.edgeDirections(edge)))].sort();
    };
    expect(await said(map)).toEqual(['']);
    expect(await said(signed('west', 'forward'))).toEqual(['', 'west']);
    expect(await said(signed('north', 'forward'))).toEqual(['', 'north']);
    // A two-way road has no direction of its own.
    expect(await said(signed('north', ''))).toEqual(['']);
    const back = signed('south', 'backward').relations!.map((relation) => ({ ...relation, id: 2 }));
    expect(await said(signed('north', 'forward', back))).toEqual(['north', 'south']);
    expect(await said(map)).toEqual(['']);

    const stated = (direction: string): Fixture => {
      const members: OsmMember[] = [
        { type: 'way', id: way.id, role: 'from' },
        { type: 'node', id: way.refs.at(-1)!, role: 'via' },
        { type: 'way', id: map.ways[0]!.id, role: 'to' },
      ];
      return {
        ...map,
        relations: [{ id: 1, members, tags: { type: 'maneuver', maneuver: 'turn', direction } }],
      };
    };
    const ids = new Set<string>();
    for (const fixture of [stated('left'), stated('right'), map]) {
      const built = await builder.build(fixture);
      await builder.check(fixture, built);
      ids.add(built.tilesetId);
    }
    expect(ids.size).toBe(3);
  });

  it('M-043: a road that moves over a border follows the laws there', async () => {
    const road = { highway: 'trunk' };
    const ways = [{ id: 1, refs: [1, 2], tags: road }];
    // From Freilassing to Salzburg: only in Germany a trunk road is open to bicycles.
    const ending = (lng: number): Fixture => ({
      nodes: [
        { id: 1, lng: 12.83, lat: 47.82 },
        { id: 2, lng, lat: 47.82 },
      ],
      ways,
    });
    const builder = new Builder();
    await builder.build(ending(12.93));
    const moved = ending(13.04);
    await builder.check(moved, await builder.build(moved));
  });

  it('applies the changes of a cell that a distant road causes', async () => {
    // Two streets side by side, joined at their end: otherwise no cell changes except the parts that its
    // roads belong to.
    const length = 24;
    const nodes: FixtureNode[] = [];
    const ways: FixtureWay[] = [];
    for (let y = 0; y < 2; y++)
      for (let x = 0; x < length; x++) {
        const id = 1 + y * length + x;
        nodes.push({ id, lng: 10 + x / 1000, lat: 50 + y / 4000 });
        if (x > 0) ways.push({ id, refs: [id - 1, id], tags: { highway: 'residential' } });
      }
    const rungs = Array.from({ length }, (_, x) => ({
      id: 900 + x,
      refs: [1 + x, 1 + x + length],
      tags: { highway: 'service' },
    }));
    const builder = new Builder();
    const { tilesetId } = await builder.build({ nodes, ways: [...ways, ...rungs], relations: [] });
    const { nodeIds, cellFirstNode } = await readPartition(builder.objects, tilesetId);
    const first = nodeIds.subarray(0, cellFirstNode[1]);
    expect([first.some((id) => id <= length), first.some((id) => id > length)]).toEqual([true, true]);
    const joined = { nodes, ways: [...ways, rungs.at(first.includes(1) ? -1 : 0)!], relations: [] };
    for (const changed of [joined, { ...joined, ways }, joined])
      await builder.check(changed, await builder.build(changed));
  });

  it('cuts nothing if no road changed', async () => {
    const builder = new Builder();
    const { tilesetId } = await builder.build(town());
    const phases = new Set<string>();
    const onProgress = (phase: string): void => void phases.add(phase);
    const same = town();
    await builder.build(same);
    const again = await builder.build(changes['a house']!(same, 0), { onProgress });
    expect(again).toMatchObject({ tilesetId, writtenTiles: 0 });
    expect(phases).not.toContain('tiles');
    // A gate that becomes a signal is a change of a road, although nothing is added or removed.
    const gate = changes['a gate']!(same, 30);
    await builder.build(gate);
    const signal = changes['a signal']!(gate, 30);
    await builder.check(signal, await builder.build(signal));
    await builder.build(same);
    phases.clear();
    // Except if the tileset no longer exists.
    builder.objects.objects.delete(`tilesets/${tilesetId}/manifest.json`);
    const whole = await builder.build(same, { onProgress });
    expect(whole.tilesetId).toBe(tilesetId);
    expect(phases).toContain('tiles');
    await builder.check(same, whole);
  });

  it('searches cells again where hours are for other modes than before', async () => {
    const builder = new Builder();
    const plain = town();
    const turned = forbid('no_left_turn')(plain, 10);
    const withTags = (way: Tagged, turn: Tagged): Fixture => ({
      ...turned,
      ways: turned.ways.map((each) =>
        each.id === 3001 ? { ...each, tags: { ...each.tags, ...way } } : each,
      ),
      relations: turned.relations!.map((each) => ({ ...each, tags: { type: 'restriction', ...turn } })),
    });
    const shut = 'no @ (07:00-09:00)';
    const turn = 'no_left_turn @ (07:00-09:00)';
    const cars = { 'motor_vehicle:conditional': shut };
    const bicycles = { 'bicycle:conditional': shut };
    const turnOfCars = { 'restriction:motorcar:conditional': turn };
    const turnOfBicycles = { 'restriction:bicycle:conditional': turn };
    const ids = new Set<string>();
    for (const fixture of [
      withTags(cars, turnOfCars),
      withTags(bicycles, turnOfCars),
      withTags(bicycles, turnOfBicycles),
      withTags({}, turnOfBicycles),
    ]) {
      const built = await builder.build(fixture);
      ids.add(built.tilesetId);
      await builder.check(fixture, built);
    }
    expect(ids.size).toBe(4);
  });

  it('uses a node again that was missing', async () => {
    const builder = new Builder();
    const whole = town();
    await builder.build(whole);
    const bend = side * side + 9;
    await builder.build(changes['a node missing']!(whole, bend));
    await builder.check(whole, await builder.build(whole));
  });

  it('starts again after a failed build, for another store, other cells or another release', async () => {
    const builder = new Builder();
    const first = town();
    const before = await builder.build(first);
    const changed = changes['gone']!(first, 20);
    builder.objects.beforePut = (key) => {
      if (key.endsWith('.weights')) throw new Error('the disk is full');
    };
    await expect(builder.build(changed)).rejects.toThrow('full');
    builder.objects.beforePut = () => {};
    await builder.check(changed, await builder.build(changed));

    await publishRelease(builder.objects, { tilesetId: before.tilesetId, mapId: null, geocodeId: null });
    const other = changes['moved']!(changed, 30);
    await builder.check(other, await builder.build(other));

    // The cells that another process cut are the valid ones.
    const sparse = { ...other, ways: other.ways.slice(20) };
    const theirs = await stageTileset(() => extractOf(sparse), builder.objects, {
      cellNodesMax,
      reuse: false,
    });
    await publishRelease(builder.objects, { tilesetId: theirs.tilesetId, mapId: null, geocodeId: null });
    const alone = await stageTileset(() => extractOf(other), builder.objects, { cellNodesMax });
    expect((await builder.build(other)).tilesetId).toBe(alone.tilesetId);

    const elsewhere = new MemoryObjectStore();
    const moved = await stageTileset(() => extractOf(other), elsewhere, {
      cellNodesMax,
      session: builder.session,
    });
    expect(moved.writtenTiles).toBeGreaterThan(moved.cellCount);
    const large = { cellNodesMax: [40] };
    const larger = await builder.build(other, large);
    expect(larger.tilesetId).toBe((await stageTileset(() => extractOf(other), elsewhere, large)).tilesetId);
  });

  it('includes the roads that operators accepted', async () => {
    const builder = new Builder();
    const road = {
      id: 'new',
      tags: new Map([['highway', 'residential']]),
      lngE7: [100_005_000, 100_035_000],
      latE7: [500_012_000, 500_013_000],
    };
    let changed = town();
    await builder.build(changed);
    builder.objects.objects.set(acceptedRoadsKey, encodeAcceptedRoads([road]));
    await builder.check(changed, await builder.build(changed));
    // Nodes that are added and removed are sorted before others, whose position in the list then changes.
    for (const what of ['slower', 'a node missing', 'moved', 'a node come back', 'a lane to nowhere']) {
      changed = changes[what]!(changed, 3);
      await builder.check(changed, await builder.build(changed));
    }
  });
});
