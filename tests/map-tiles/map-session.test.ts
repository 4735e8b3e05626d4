import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMapTiles } from '#map-tiles/build/build-map-tiles.js';
import { MapSession } from '#map-tiles/build/squares/map-session.js';
import { mapMemoryKey } from '#map-tiles/format/map-manifest.js';
import type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';

type TagObject = Readonly<Record<string, string>>;
const tagsOf = (tags: TagObject): Map<string, string> => new Map(Object.entries(tags));

const [west, south, cell] = [140_000_000, 359_000_000, 60_000];
const corner = (x: number, y: number): readonly [number, number] => [west + x * cell, south + y * cell];

function way(id: number, points: readonly (readonly [number, number])[], tags: TagObject): TaggedWay {
  const lngLatE7 = Int32Array.from(points.flat());
  const [first, last] = [points[0]!, points.at(-1)!];
  const nodeOf = ([x, y]: readonly [number, number]): number => x * 4e9 + y;
  const ends = [nodeOf(first), nodeOf(last)] as const;
  return { id, tags: tagsOf(tags), lngLatE7, ring: points.length > 3 && ends[0] === ends[1], ends };
}

function square(id: number, x: number, y: number, size: number, tags: TagObject): TaggedWay {
  const [a, b] = [corner(x, y), corner(x + size, y + size)];
  return way(id, [a, [b[0], a[1]], b, [a[0], b[1]], a], tags);
}

const coastline = { natural: 'coastline' };

/**
 * Streets in a grid, each of four consecutive pieces, with houses, woods, a lake with an island, borders and
 * names.
 */
function town(): MapElements {
  const ways: TaggedWay[] = [];
  const kinds = ['primary', 'residential', 'secondary', 'tertiary', 'residential'];
  for (let row = 0; row < 5; row++)
    for (let piece = 0; piece < 4; piece++) {
      const tags = { highway: kinds[row]!, name: `Row ${row}`, maxspeed: '50' };
      ways.push(way(10 + 4 * row + piece, [corner(piece, row), corner(piece + 1, row)], tags));
      const column = { highway: kinds[row]!, name: `Column ${row}` };
      ways.push(way(40 + 4 * row + piece, [corner(row, piece), corner(row, piece + 1)], column));
    }
  for (let i = 0; i < 12; i++)
    ways.push(square(100 + i, 0.1 + (i % 4), 0.1 + Math.floor(i / 4), 0.2, { building: 'yes' }));
  ways.push(square(200, 1.5, 1.5, 1, {}), square(201, 1.8, 1.8, 0.3, {}));
  ways.push(square(202, 3.2, 0.3, 0.6, { natural: 'wood', name: 'Wood' }));
  ways.push(square(203, 0.4, 3.2, 0.6, { leisure: 'park', name: 'Park' }));
  // Defines the extent of the map; a coast has land on its left.
  ways.push(square(300, -1, -1, 7, coastline));
  ways.push(way(400, [corner(0, 2.5), corner(4, 2.6)], {}));
  const relations: TaggedRelation[] = [
    {
      id: 1,
      tags: tagsOf({ type: 'multipolygon', natural: 'water', name: 'Lake' }),
      members: [
        { type: 'way', id: 200, role: 'outer' },
        { type: 'way', id: 201, role: 'inner' },
      ],
    },
    {
      id: 2,
      tags: tagsOf({ type: 'boundary', boundary: 'administrative', admin_level: '6' }),
      members: [{ type: 'way', id: 400, role: 'outer' }],
    },
  ];
  const node = (id: number, x: number, y: number, tags: TagObject): TaggedNode => {
    const [lngE7, latE7] = corner(x, y);
    return { id, lngE7, latE7, tags: tagsOf(tags) };
  };
  const nodes = [
    node(1, 2, 2.2, { place: 'town', name: 'Town' }),
    node(2, 1.2, 0.7, { amenity: 'cafe', name: 'Café' }),
    node(3, 3.1, 3.3, { highway: 'bus_stop', name: 'Stop' }),
  ];
  return { nodes, ways: ways.toSorted((a, b) => a.id - b.id), relations };
}

/** An edit of one way, selected by a number, and of the rest. */
interface Change {
  readonly how:
    | 'name'
    | 'speed'
    | 'kind'
    | 'moved'
    | 'gone'
    | 'new'
    | 'touched'
    | 'node'
    | 'member'
    | 'level';
  readonly which: number;
  readonly value: number;
}
const hows: readonly Change['how'][] = [
  ...(['name', 'speed', 'kind', 'moved', 'gone', 'new', 'touched', 'node', 'member', 'level'] as const),
];

function changed({ nodes, ways, relations }: MapElements, { how, which, value }: Change): MapElements {
  const at = which % ways.length;
  const chosen = ways[at]!;
  const tagged = (tags: TagObject): MapElements => ({
    nodes,
    ways: ways.with(at, { ...chosen, tags: new Map([...chosen.tags, ...Object.entries(tags)]) }),
    relations,
  });
  switch (how) {
    case 'name':
      return tagged({ name: `Name ${value % 3}` });
    case 'speed':
      return tagged({ maxspeed: String(30 + value) });
    case 'kind':
      return tagged(value % 2 === 0 ? { highway: 'secondary' } : { landuse: 'forest' });
    case 'moved': {
      const lngLatE7 = chosen.lngLatE7.map((coordinate, i) => (i % 2 === 1 ? coordinate + 900 : coordinate));
      return { nodes, ways: ways.with(at, { ...chosen, lngLatE7 }), relations };
    }
    case 'gone':
      return { nodes, ways: ways.toSpliced(at, 1), relations };
    case 'new': {
      const id = 1_000 + 10 * ways.length + (value % 10);
      const tags = { highway: 'residential', name: `Row ${value % 5}` };
      const made = way(id, [corner(value % 4, which % 4), corner((value % 4) + 1, which % 4)], tags);
      return { nodes, ways: [...ways, made].toSorted((a, b) => a.id - b.id), relations };
    }
    case 'touched':
      return { nodes, ways: ways.with(at, { ...chosen }), relations };
    case 'node': {
      const place = which % nodes.length;
      const node = {
        ...nodes[place]!,
        tags: new Map([...nodes[place]!.tags, ['name', `Node ${value % 4}`]]),
      };
      return { nodes: nodes.with(place, node), ways, relations };
    }
    case 'member': {
      const [lake, ...others] = relations;
      const role = lake!.members[1]!.role === 'inner' ? 'outer' : 'inner';
      const members = [lake!.members[0]!, { ...lake!.members[1]!, role }];
      return { nodes, ways, relations: [{ ...lake!, members }, ...others] };
    }
    case 'level': {
      const border = relations[1]!;
      const tags = new Map([...border.tags, ['admin_level', String(2 + (value % 5))]]);
      return { nodes, ways, relations: [relations[0]!, { ...border, tags }] };
    }
  }
}

const shoreMoves: Change = { how: 'moved', which: town().ways.findIndex(({ id }) => id === 200), value: 0 };

const settings = { world: false, zoomMax: 14, pngZoomMax: 14 };

/** Builds again and again, like a long-running builder. */
class StayingBuilder {
  readonly objects = new MemoryObjectStore();
  readonly session = new MapSession();
  mapId: string | undefined;

  async build(elements: MapElements, options: typeof settings = settings) {
    const earlier = this.mapId === undefined ? {} : { earlier: this.mapId };
    const { session } = this;
    const built = await buildMapTiles(elements, this.objects, { ...options, ...earlier, session });
    this.mapId = built.mapId;
    return built;
  }
}

async function expectAsFromScratch(
  builder: StayingBuilder,
  elements: MapElements,
  options = settings,
): Promise<number> {
  const scratch = new MemoryObjectStore();
  const full = await buildMapTiles(elements, scratch, options);
  const built = await builder.build(elements, options);
  expect(built.mapId).toBe(full.mapId);
  for (const [key, bytes] of scratch.objects) expect(builder.objects.objects.get(key), key).toEqual(bytes);
  expect(built.cutTiles + built.keptTiles).toBe(full.cutTiles);
  expect(built.brokenRings).toBe(full.brokenRings);
  return built.keptTiles / full.cutTiles;
}

describe('a map session in memory', () => {
  it('M-043: gives the bytes of a build from scratch after any changes', async () => {
    const kept: number[] = [];
    const change = fc.record({ how: fc.constantFrom(...hows), which: fc.nat(200), value: fc.nat(50) });
    const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const builder = new StayingBuilder();
        let elements = town();
        await builder.build(elements);
        for (const changes of sequence) {
          for (const each of changes) elements = changed(elements, each);
          kept.push(await expectAsFromScratch(builder, elements));
        }
      }),
      {
        numRuns: 8,
        seed: 7,
        examples: [
          // A lake's shore moves while its relation stays; a name changes without any other change.
          [[[shoreMoves], [{ how: 'name', which: 0, value: 0 }], [{ how: 'name', which: 0, value: 1 }]]],
          // Two streets that look the same start at one corner, and the one that was joined is removed.
          [[[{ how: 'new', which: 1, value: 1 }], [{ how: 'gone', which: 5, value: 0 }]]],
        ],
      },
    );
    // Most of the map is reused, or the test proves nothing.
    expect(kept.reduce((sum, share) => sum + share, 0) / kept.length).toBeGreaterThan(0.5);
  });

  it('M-043: gives the bytes of a build from scratch with the world at the low zooms too', async () => {
    const world = { world: true, zoomMax: 7, pngZoomMax: -1 };
    const builder = new StayingBuilder();
    let elements = town();
    await builder.build(elements, world);
    for (const how of ['node', 'level'] as const) elements = changed(elements, { how, which: 0, value: 1 });
    await expectAsFromScratch(builder, elements, world);
  });

  it('gives other bytes if a changed element is wrongly treated as unchanged', async () => {
    const builder = new StayingBuilder();
    const elements = town();
    await builder.build(elements);
    (elements.ways[0]!.tags as Map<string, string>).set('name', 'Changed in its place');
    const scratch = await buildMapTiles(elements, new MemoryObjectStore(), settings);
    expect((await builder.build(elements)).mapId).not.toBe(scratch.mapId);
    builder.session.forget();
    expect((await builder.build(elements)).mapId).toBe(scratch.mapId);
  });

  it('keeps nothing of a failed build, and reuses nothing for another map, store or depth', async () => {
    const builder = new StayingBuilder();
    let elements = town();
    await builder.build(elements);
    const first = builder.mapId!;
    elements = changed(elements, { how: 'gone', which: 3, value: 0 });
    builder.objects.beforePut = (key) => {
      if (key.endsWith('memory')) throw new Error('the disk is full');
    };
    await expect(builder.build(elements)).rejects.toThrow('the disk is full');
    builder.objects.beforePut = () => {};
    elements = changed(elements, { how: 'name', which: 9, value: 1 });
    await expectAsFromScratch(builder, elements);

    // An earlier map than the last: the stored one is read, and only its tiles are available.
    elements = changed(elements, { how: 'moved', which: 5, value: 1 });
    builder.mapId = first;
    await expectAsFromScratch(builder, elements);
    expect(await expectAsFromScratch(builder, elements, { ...settings, zoomMax: 13 })).toBe(0);
    builder.objects.objects.delete(mapMemoryKey(builder.mapId));
    expect(await expectAsFromScratch(builder, elements, { ...settings, zoomMax: 13 })).toBe(1);
  });

  it('M-043: renders a lagoon that is added, moved and removed', async () => {
    const shallow = { world: false, zoomMax: 12, pngZoomMax: -1 };
    const { nodes, ways, relations } = town();
    // An island so large that no build tile of zoom 10 in its middle shows a coast.
    const island = ways.map((each) => (each.id === 300 ? square(300, -1, -1, 240, coastline) : each));
    const withLagoon = (x: number): MapElements => {
      // A coast has land on its left, so it has the opposite direction around water.
      const ring = [corner(x, 120), corner(x, 122), corner(x + 2, 122), corner(x + 2, 120), corner(x, 120)];
      return { nodes, ways: [...island, way(500, ring, coastline)], relations };
    };
    const builder = new StayingBuilder();
    await builder.build({ nodes, ways: island, relations }, shallow);
    await expectAsFromScratch(builder, withLagoon(120), shallow);
    await expectAsFromScratch(builder, withLagoon(120.2), shallow);
    await expectAsFromScratch(builder, { nodes, ways: island, relations }, shallow);
  });

  it('renders near the date line like a build from scratch', async () => {
    const shifted = (elements: MapElements): MapElements => ({
      ...elements,
      nodes: elements.nodes.map((node) => ({ ...node, lngE7: node.lngE7 + 1_659_900_000 })),
      ways: elements.ways.map((each) => ({
        ...each,
        lngLatE7: each.lngLatE7.map((value, i) => {
          const moved = i % 2 === 0 ? value + 1_659_900_000 : value;
          return i % 2 === 0 && moved > 1_800_000_000 ? moved - 3_600_000_000 : moved;
        }),
      })),
    });
    const builder = new StayingBuilder();
    let elements = shifted(town());
    const shallow = { world: false, zoomMax: 12, pngZoomMax: -1 };
    await builder.build(elements, shallow);
    for (const which of [4, 8]) {
      elements = changed(elements, { how: 'name', which, value: 2 });
      await expectAsFromScratch(builder, elements, shallow);
    }
  });
});
