import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { indexPlaceFinder } from '#api/geocode/index-place-finder.js';
import { parseSearch } from '#api/nominatim/search-query.js';
import { parseReverse } from '#api/photon/reverse-query.js';
import { categoryOf, valueOfCategory } from '#geocoding/index/category.js';
import { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { type ColumnName, columns, decodeIndex } from '#geocoding/index/index-file.js';
import { elementOf, rowOfElement, tagOf } from '#geocoding/index/osm-element.js';
import { stageGeocoding } from '#geocoding/index-builder/build-geocoding.js';
import { GeocodingSession } from '#geocoding/index-builder/geocoding-session.js';
import type { MapElements } from '#osm/elements/map-elements.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type GeocodedTown, geocodeTown, sourceOf } from './address-town.js';
import { boundedTown } from './bounded-town.js';
import { elementsOf } from './changing-town.js';

let town: GeocodedTown;
let bytes: Uint8Array;
beforeAll(async () => {
  town = await geocodeTown(sourceOf(boundedTown));
  bytes = town.objects.objects.get(`geocode/${town.indexId}.mgeo`)!;
});

/** The same index as programs wrote it that knew neither keys of tags nor boundaries. */
function asOlderFile(file: Uint8Array): Uint8Array {
  const later: ColumnName[] = ['tagKey', 'areaRelation', 'areaLevel'];
  const names = (Object.keys(columns) as ColumnName[]).filter((name) => !later.includes(name));
  const { head, data } = decodeIndex(file);
  const { tagKeys: _, ...older } = head;
  const json = Buffer.from(JSON.stringify({ ...older, lengths: names.map((name) => data[name].length) }));
  const start = Buffer.alloc(16);
  start.write('MGEO');
  start.writeUInt32LE(2, 4);
  start.writeUInt32LE(json.length, 8);
  const padded = (part: Uint8Array) => [part, Buffer.alloc((8 - (part.length % 8)) % 8)];
  const content = Buffer.concat([
    ...padded(Buffer.concat([start, json])),
    ...names.flatMap((name) => {
      const { buffer, byteOffset, byteLength } = data[name];
      return padded(new Uint8Array(buffer, byteOffset, byteLength));
    }),
  ]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(content));
  return Buffer.concat([content, sum]);
}

const rowNamed = (index: GeocodeIndex, name: string): number =>
  Array.from({ length: index.placeCount }, (_, row) => row).find((row) => index.name(row, '') === name)!;

test('the tag of a place is that of the map, whatever word the index has for it', () => {
  const tags = [
    ['railway', 'station'],
    ['building', 'yes'],
    ['building', 'church'],
    ['amenity', 'restaurant'],
    ['public_transport', 'station'],
  ] as const;
  for (const [key, value] of tags) {
    const category = categoryOf(
      new Map([
        [key, value],
        ['name', 'A'],
      ]),
    )!;
    expect([category.key, valueOfCategory(category.key, category.name)]).toEqual([key, value]);
  }
});

test.each([
  ['Grand Hotel', 'node', 60, 'tourism=hotel'],
  ['Rådhuset', 'way', 310, 'building=yes'],
  ['Testby', 'relation', 930, 'boundary=administrative'],
  ['Norr', 'relation', 940, 'boundary=administrative'],
  ['Malmköping', 'node', 31, 'place=village'],
  ['Köpmansgatan', 'way', 101, 'highway=residential'],
])('%s is a %s with its tag', (name, type, id, tag) => {
  const { index } = town;
  const row = rowNamed(index, name);
  expect(elementOf(index, row)).toEqual({ type, id });
  const { key, value } = tagOf(index, row)!;
  expect(`${key}=${value}`).toBe(tag);
  expect(rowOfElement(index, elementOf(index, row)!)).toBe(row);
});

test('every way of a street leads to it, and the label of a boundary to the boundary', () => {
  const { index } = town;
  expect(index.name(rowOfElement(index, { type: 'way', id: 104 })!, '')).toBe('Storgatan');
  expect(rowOfElement(index, { type: 'node', id: 30 })).toBe(
    rowOfElement(index, { type: 'relation', id: 930 }),
  );
  for (const id of [104, 999_999]) expect(rowOfElement(index, { type: 'relation', id })).toBeUndefined();
});

describe('a file of an older program', () => {
  test('opens, finds, and does not claim to know tags or boundaries', () => {
    const index = GeocodeIndex.from(asOlderFile(bytes));
    expect(index.head.tagKeys).toBeUndefined();
    expect(index.name(0, '')).toBe(town.index.name(0, ''));
    expect(elementOf(index, rowNamed(index, 'Testby'))).toEqual({ type: 'node', id: 30 });
    expect(tagOf(index, rowNamed(index, 'Testby'))).toEqual({ key: 'place', value: 'town' });
    expect(tagOf(index, rowNamed(index, 'Grand Hotel'))).toBeUndefined();
    expect(rowOfElement(index, { type: 'relation', id: 930 })).toBeUndefined();
  });

  test('answers clients of other geocoders, and refuses filters by tag', () => {
    const finder = indexPlaceFinder(GeocodeIndex.from(asOlderFile(bytes)), town.network);
    const search = (query: Record<string, string>) => parseSearch(query, undefined, finder);
    const found = search({ q: 'Grand Hotel' });
    if (typeof found === 'string') throw new Error(found);
    expect(found.find()[0]).toMatchObject({ name: 'Grand Hotel', label: undefined });
    expect(search({ q: 'Grand Hotel', layer: 'natural' })).toMatch(/built without the tags/);
    expect(search({ q: 'Grand Hotel', layer: 'address' })).toBeTypeOf('object');
    const place = { lat: '58', lon: '12' };
    expect(parseReverse({ ...place, osm_tag: ['tourism'] }, undefined, finder)).toMatch(
      /built without the tags/,
    );
    expect(parseReverse({ ...place, layer: ['house'] }, undefined, finder)).toBeTypeOf('function');
  });

  test('only the columns that are newer may be missing', () => {
    const cut = Buffer.from(asOlderFile(bytes));
    const end = cut.indexOf(']}', cut.indexOf('"lengths":['));
    const comma = cut.lastIndexOf(',', end);
    cut.write(`]}${' '.repeat(end - comma)}`, comma);
    cut.writeUInt32LE(crc32(cut.subarray(0, -4)), cut.length - 4);
    expect(() => GeocodeIndex.from(cut)).toThrow(/column setArea is longer/);
  });
});

test.each([
  ['level', { tags: { admin_level: '9' } }],
  ['id', { id: 935 }],
])(
  'a boundary with another %s has it in the next build of a session, too',
  async (_, {
    tags = {},
    id,
  }: {
    readonly tags?: Readonly<Record<string, string>>;
    readonly id?: number;
  }) => {
    const townWith = (more: typeof tags, relationId = 930) => ({
      ...boundedTown,
      relations: boundedTown.relations!.map((each) =>
        each.id === 930 ? { ...each, id: relationId, tags: { ...each.tags, place: 'town', ...more } } : each,
      ),
    });
    const session = new GeocodingSession();
    const indexOf = async (elements: MapElements, own?: GeocodingSession): Promise<GeocodeIndex> => {
      const objects = new MemoryObjectStore();
      return openGeocodeIndex(objects, (await stageGeocoding(elements, 'tileset', objects, own)).id);
    };
    const before = elementsOf(townWith({}));
    await indexOf(before, session);
    const index = await indexOf(elementsOf(townWith(tags, id), before), session);
    const row = rowNamed(index, 'Testby');
    expect(elementOf(index, row)!.id).toBe(id ?? 930);
    expect(index.data.areaLevel[index.areaOf(row)!]).toBe(id === undefined ? 9 : 8);
  },
);
