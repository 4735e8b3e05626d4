import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { stageGeocoding } from '#geocoding/index-builder/build-geocoding.js';
import { GeocodingSession } from '#geocoding/index-builder/geocoding-session.js';
import type { MapElements } from '#osm/elements/map-elements.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import type { Fixture } from '../tile-builder/osm-fixture.js';
import { changingTown, elementsOf, townChanges } from './changing-town.js';

async function indexOf(elements: MapElements, session?: GeocodingSession): Promise<Buffer> {
  const objects = new MemoryObjectStore();
  const { id } = await stageGeocoding(elements, 'tileset', objects, session);
  return Buffer.from(objects.objects.get(`geocode/${id}.mgeo`)!);
}

const kinds = Object.keys(townChanges);
/** These changes leave borders intact, which most others break sooner or later. */
const ofBorders = kinds.filter((kind) => /border|exclave|parish|relation|moved|renamed/.test(kind));
const stepsOf = (some: readonly string[]) =>
  fc.array(
    fc.record({
      changes: fc.array(
        fc.tuple(fc.constantFrom(...some), fc.array(fc.nat(9_999), { minLength: 4, maxLength: 4 })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { minLength: 30, maxLength: 34 },
  );

function changed(town: Fixture, change: string, picks: readonly number[]): Fixture {
  let at = 0;
  return townChanges[change]!(town, (count) => picks[at++ % picks.length]! % count);
}

test.each([
  ['any changes', kinds],
  ['changes of borders', ofBorders],
])(
  'after %s an index built with a session has the bytes of one built from scratch',
  async (_, some) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(stepsOf(some), async (all) => {
        const session = new GeocodingSession();
        let town = changingTown();
        let elements = elementsOf(town);
        await indexOf(elements, session);
        for (const { changes } of all) {
          for (const [change, picks] of changes) {
            town = changed(town, change, picks);
            seen.add(change);
          }
          elements = elementsOf(town, elements);
          const [withSession, fromScratch] = [await indexOf(elements, session), await indexOf(elements)];
          expect(withSession.equals(fromScratch), changes.map(([change]) => change).join(', ')).toBe(true);
        }
      }),
      { numRuns: 8 },
    );
    expect(seen.size).toBe(some.length);
  },
  60_000,
);

test('covers rare changes: a border that returns, a field that moves, a town without addresses', async () => {
  const session = new GeocodingSession();
  const town = changingTown();
  const withoutCity = ({ 'addr:city': _, ...tags }: Readonly<Record<string, string>>) => tags;
  const steps: readonly Fixture[] = [
    town,
    { ...town, ways: town.ways.filter(({ id }) => id !== 3_014) },
    town,
    {
      ...town,
      nodes: town.nodes.map((node) => (node.id === 106 ? { ...node, lat: node.lat + 0.001 } : node)),
    },
    town,
    {
      ...town,
      nodes: town.nodes.map((node) =>
        node.id === 410 || node.id === 411 ? { ...node, tags: withoutCity(node.tags!) } : node,
      ),
    },
  ];
  let elements: MapElements | undefined;
  for (const step of steps) {
    elements = elementsOf(step, elements);
    expect((await indexOf(elements, session)).equals(await indexOf(elements))).toBe(true);
  }
});

test('the comparison finds a changed element that is wrongly the same object', async () => {
  const before = elementsOf(changingTown());
  const session = new GeocodingSession();
  await indexOf(before, session);
  const way = before.ways.find(({ tags }) => tags.get('name') === 'Row 1')!;
  (way.tags as Map<string, string>).set('name', 'Changed in place');
  expect((await indexOf(before, session)).equals(await indexOf(before))).toBe(false);
});

test('after a failed write the session builds the next index from scratch', async () => {
  const session = new GeocodingSession();
  const town = changingTown();
  let elements = elementsOf(town);
  await indexOf(elements, session);
  const full = new MemoryObjectStore();
  full.beforePut = () => {
    throw new Error('the disk is full');
  };
  elements = elementsOf(changed(town, 'a road renamed', [3, 4]), elements);
  await expect(stageGeocoding(elements, 'tileset', full, session)).rejects.toThrow('the disk is full');
  elements = elementsOf(changed(town, 'a road renamed', [9, 4]), elements);
  expect((await indexOf(elements, session)).equals(await indexOf(elements))).toBe(true);
});

test('two concurrent builds with one session do not affect each other', async () => {
  const session = new GeocodingSession();
  const town = changingTown();
  const first = elementsOf(town);
  const second = elementsOf(changed(town, 'a way gone', [7]), first);
  await indexOf(first, session);
  const both = await Promise.all([indexOf(second, session), indexOf(first, session)]);
  expect(both[0].equals(await indexOf(second))).toBe(true);
  expect(both[1].equals(await indexOf(first))).toBe(true);
});

test('a search in the index of a session finds a renamed street', async () => {
  const session = new GeocodingSession();
  const town = changingTown();
  const before = elementsOf(town);
  await indexOf(before, session);
  const renamed = town.ways.findIndex(({ id }) => id === 3_002);
  const ways = town.ways.with(renamed, {
    ...town.ways[renamed]!,
    tags: { highway: 'track', name: 'Åkerväg' },
  });
  const index = GeocodeIndex.from(await indexOf(elementsOf({ ...town, ways }, before), session));
  const names = Array.from({ length: index.placeCount }, (_, row) => index.name(row, ''));
  expect(names).toContain('Åkerväg');
});
