import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { Areas } from '#geocoding/index/areas.js';
import { columnsOf } from '#geocoding/index-builder/extract/extract-boundaries.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import type { OsmMember } from '#schemas/osm-sink.js';
import type { Fixture } from '../tile-builder/osm-fixture.js';
import { type GeocodedTown, geocodeTown, sourceOf } from './address-town.js';
import { windsAround } from './winds-around.js';

/** A ring that does not cross itself: points around a centre, each at its own distance. */
const star = (lng: number, lat: number, radius: number) =>
  fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 3, maxLength: 90 }).map((reaches) => {
    const points = reaches.map((reach, i) => {
      const angle = (2 * Math.PI * i) / reaches.length;
      return [
        Math.round(lng + reach * radius * Math.cos(angle)),
        Math.round(lat + reach * radius * Math.sin(angle)),
      ];
    });
    return Int32Array.from([...points, points[0]!].flat());
  });

test('a point is in the areas that a plain winding number gives, with holes', () => {
  const lake = fc.tuple(star(1e7, 5e8, 4e6), star(1e7, 5e8, 1e6), star(1.7e7, 5e8, 2e6));
  const place = fc.tuple(fc.integer({ min: 5e6, max: 2e7 }), fc.integer({ min: 4.95e8, max: 5.05e8 }));
  fc.assert(
    fc.property(lake, fc.array(place, { minLength: 20, maxLength: 20 }), ([shore, island, other], places) => {
      const areas = [[island], [other], [shore, island]];
      const fast = new Areas(columnsOf(areas));
      for (const [lng, lat] of places)
        expect(fast.at(lng, lat)).toEqual(
          areas.flatMap((rings, area) => (windsAround(rings, lng, lat) ? [area] : [])),
        );
    }),
    { numRuns: 60 },
  );
});

/**
 * Two parishes side by side in a county; the road of both runs through them, and the label of the western one
 * is in a corner. An enclave of the east is in the west. The border of the extract cuts a third parish, and
 * opens the border of a fourth.
 *
 * ```text
 *   1 ————————— 2 ————————— 3
 *   |  11—12    |           |
 *   |  |  |  a==|==b        |     a, b: Lång gata
 *   |  14—13    |           |
 *   4 ————————— 5 ————————— 6
 * ```
 */
const at = (id: number, column: number, row: number, tags?: Record<string, string>) => ({
  id,
  lng: 12 + column * 0.01,
  lat: 58 + row * 0.01,
  ...(tags === undefined ? {} : { tags }),
});
const way = (id: number, ...refs: number[]) => ({ id, refs, tags: {} });
const member = (id: number, role = 'outer', type: OsmMember['type'] = 'way'): OsmMember => ({
  type,
  id,
  role,
});
const boundary = (id: number, level: string, name: string, members: OsmMember[], more = {}) => ({
  id,
  members,
  tags: { type: 'boundary', boundary: 'administrative', admin_level: level, name, ...more },
});
const parishes: Fixture = {
  nodes: [
    ...[at(1, 0, 4), at(2, 4, 4), at(3, 8, 4), at(4, 0, 0), at(5, 4, 0), at(6, 8, 0)],
    ...[at(11, 1, 3), at(12, 2, 3), at(13, 2, 1), at(14, 1, 1)],
    ...[at(20, 3.5, 2), at(21, 4.2, 2), at(22, 6, 2), at(23, 1.2, 2), at(24, 1.8, 2)],
    at(30, 0.2, 0.2, { place: 'village', name: 'Västby', 'name:en': 'Westby' }),
    at(31, 4.3, 2.1, { 'addr:street': 'Lång gata', 'addr:housenumber': '7', 'addr:city': 'Västby' }),
    at(32, 3.6, 2.1, { 'addr:street': 'Lång gata', 'addr:housenumber': '1' }),
    at(33, 1.5, 2.1, { amenity: 'cafe', name: 'Enklaven' }),
    at(34, 1.2, 1.9, { place: 'hamlet', name: 'Utby' }),
  ],
  ways: [
    ...[way(101, 1, 2), way(102, 2, 5), way(103, 5, 4), way(104, 4, 1), way(105, 2, 3, 6, 5)],
    way(106, 11, 12, 13, 14, 11),
    { id: 107, refs: [20, 21, 22], tags: { highway: 'residential', name: 'Lång gata' } },
    { id: 108, refs: [23, 24], tags: { highway: 'residential', name: 'Inre gata' } },
  ],
  relations: [
    boundary(
      201,
      '8',
      'Västby',
      [101, 102, 103, 104].map((id) => member(id)).concat(member(106, 'inner'), member(30, 'label', 'node')),
    ),
    boundary(202, '8', 'Östby', [member(102), member(105), member(106)]),
    boundary(
      203,
      '4',
      'Länet',
      [101, 105, 103, 104].map((id) => member(id)),
      { 'name:en': 'The County' },
    ),
    boundary(
      204,
      '2',
      'Riket',
      [101, 105, 103, 104].map((id) => member(id)),
      { 'ISO3166-1:alpha2': 'SE', 'name:sv': 'Riket' },
    ),
    boundary(205, '8', 'Avskuren', [member(106), member(999)]),
    boundary(206, '8', 'Öppen', [member(101), member(102)]),
  ],
};

describe('an administrative area', () => {
  let town: GeocodedTown;
  let geocoder: ReturnType<typeof indexGeocoder>;
  beforeAll(async () => {
    town = await geocodeTown(sourceOf(parishes));
    geocoder = indexGeocoder(town.index, town.network);
  });
  const parts = (found: ReturnType<typeof geocoder.at>[number] | undefined) =>
    found!.result.address_components.map(({ long_name, types }) => `${types[0]}: ${long_name}`);
  const searched = (text: string) => geocoder.search(text, { language: '', limit: 1 })[0];

  test('gives its name to an address instead of the nearest place: each house by its own position', () => {
    expect(parts(searched('Lång gata 1'))).toEqual([
      'street_number: 1',
      'route: Lång gata',
      'locality: Västby',
      'administrative_area_level_1: Länet',
      'country: Riket',
    ]);
    expect(parts(searched('Lång gata 7'))).toContain('locality: Östby');
    // Its postal address is in another place than its position.
    expect(parts(searched('Lång gata 7'))).toContain('postal_town: Västby');
  });

  test('excludes its holes: an enclave belongs to its own area, not to the one around it', () => {
    expect(parts(searched('Enklaven'))).toContain('locality: Östby');
    expect(parts(searched('Enklaven')).join()).not.toContain('Västby');
  });

  test('is one result with its label place: identity and point of the label, bounds of the area', () => {
    const found = geocoder
      .search('Västby', { language: '', limit: 5 })
      .filter(({ mainText }) => mainText === 'Västby');
    expect(found).toHaveLength(1);
    expect(found[0]!.result).toMatchObject({
      place_id: 'n30',
      types: ['locality', 'political'],
      geometry: {
        location: { lat: 58.002, lng: 12.002 },
        bounds: { southwest: { lat: 58, lng: 12 }, northeast: { lat: 58.04, lng: 12.04 } },
      },
    });
    expect(geocoder.search('Westby', { language: 'en', limit: 1 })[0]!.mainText).toBe('Westby');
  });

  test('an area without a label place has a point inside and the identity of its relation', () => {
    const { result } = searched('Länet')!;
    expect(result).toMatchObject({ place_id: 'r203', types: ['administrative_area_level_1', 'political'] });
    const { lng, lat } = result.geometry.location;
    expect(town.index.areasAt({ lng, lat })).toContain(town.index.rowOf('r203'));
    expect(searched('Riket')!.result.address_components).toMatchObject([{ long_name: 'Riket' }]);
    expect(parts(searched('Länet')).at(-1)).toBe('country: Riket');
  });

  test('answers for a point in it, smallest to largest; a street is named where it is queried', () => {
    const here = geocoder.at({ lat: 58.02, lng: 12.039 }, { language: 'en', limit: 10 });
    expect(here.map(({ mainText }) => mainText)).toEqual(
      expect.arrayContaining(['Westby', 'The County', 'Riket']),
    );
    expect(here.map(({ mainText }) => mainText).slice(-3)).toEqual(['Westby', 'The County', 'Riket']);
    const streets = [12.039, 12.055].map(
      (lng) =>
        geocoder
          .at({ lat: 58.02, lng }, { language: '', limit: 10 })
          .find(({ result }) => result.types[0] === 'route')!,
    );
    expect(parts(streets[0])).toContain('locality: Västby');
    expect(parts(streets[1])).toContain('locality: Östby');
  });

  test('is left out if its border is cut by the border of the extract', () => {
    for (const name of ['Avskuren', 'Öppen'])
      expect(geocoder.search(name, { language: '', limit: 5 })).toEqual([]);
  });

  test('helps to find places inside it', () => {
    const first = (text: string) => searchPlaces(town.index, text, { limit: 1 })[0]!;
    expect(first('Lång gata 1 Länet')).toMatchObject({ row: town.index.rowOf('n32.1'), partial: false });
    expect(first('Lång gata Atlantis').partial).toBe(true);
  });
});
