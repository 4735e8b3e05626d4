import { beforeAll, describe, expect, test } from 'vitest';
import { RoadAccess } from '#geocoding/index/road-access.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { addressTown, type GeocodedTown, geocodeTown, sourceOf } from './address-town.js';

let town: GeocodedTown;
beforeAll(async () => {
  town = await geocodeTown();
});

/** `name number`, the best first. */
function found(query: string, options: Parameters<typeof searchPlaces>[2] = {}): string[] {
  const { index } = town;
  return searchPlaces(index, query, options).map(({ row }) =>
    index.isHouse(row)
      ? `${index.name(index.streetOf(row), '')} ${index.houseNumber(row)}`
      : index.name(row, '') || index.category(row),
  );
}
const first = (query: string, options?: Parameters<typeof searchPlaces>[2]) => found(query, options)[0];

describe('a search', () => {
  test.each([
    ['Storgatan 1, Testby', 'Storgatan 1'],
    ['1 Storgatan', 'Storgatan 1'],
    ['storgatan 6A testby', 'Storgatan 6a'],
    ['Storgatan 6 b', 'Storgatan 6b'],
    ['12345 Testby Storgatan 2', 'Storgatan 2'],
    ['KOPMANSGATAN', 'Köpmansgatan'],
    ['Köpmansg', 'Köpmansgatan'],
    ['Northern Road', 'Norra vägen'],
    ['Testville', 'Testby'],
    ['Тестбю', 'Testby'],
    ['Кофе Ангстрем', 'Kaffé Ångström'],
    ['東京ベーカリー', '東京ベーカリー'],
    ['steam coffee testville', 'Kaffé Ångström'],
    ['cafe', 'Kaffé Ångström'],
    ['drinking water', 'drinking_water'],
    ['<b>Bold & Sons 7', '<b>Bold & Sons 7'],
  ])('a search for %j finds %j', (query, name) => expect(first(query)).toBe(name));

  test.each([
    ['Storgtan 1 Testby', 'Storgatan 1'],
    ['Texxby', undefined],
    ['Strogatan 1 Testby', 'Storgatan 1'],
    ['Storgattan 1 Testby', 'Storgatan 1'],
    ['Storgatxn 1 Testby', 'Storgatan 1'],
    ['torgatan 1 Testby', 'Storgatan 1'],
    ['Stor gatan 1 Testby', 'Storgatan 1'],
    ['Norravägen', 'Norra vägen'],
    ['Norr avägen', 'Norra vägen'],
    ['Ktpmansgatan', 'Köpmansgatan'],
    ['45ht Street', '45th Street'],
    ['46t Street', '46th Street'],
  ])('a search for %j tolerates one error in a word, but not two in a short one', (query, name) => {
    const hit = searchPlaces(town.index, query)[0];
    if (name === undefined) expect(found(query)).toEqual([]);
    else {
      expect(first(query)).toBe(name);
      expect(hit!.partial).toBe(true);
    }
  });

  test('a town in the query selects among streets of one name, else the nearer street wins', () => {
    const lng = (query: string, near?: { lat: number; lng: number }): number => {
      const row = searchPlaces(town.index, query, near === undefined ? {} : { near })[0]!.row;
      return town.index.data.lngE7[row]! / 1e7;
    };
    expect(lng('Storgatan 1 Malmköping')).toBeGreaterThan(12.09);
    expect(lng('Storgatan 1 Testby')).toBeLessThan(12.01);
    expect(lng('Storgatan 1', { lat: 58.002, lng: 12.1 })).toBeGreaterThan(12.09);
    expect(lng('Storgatan 1', { lat: 58.002, lng: 12 })).toBeLessThan(12.01);
    expect(lng('Storgatan 1 Malmköping', { lat: 58.002, lng: 12 })).toBeGreaterThan(12.09);
  });

  test('interpolates numbers along a line and between neighbours on one side', () => {
    const { index } = town;
    const house = (number: string) => searchPlaces(index, `Storgatan ${number} Testby`)[0]!.row;
    const lngOf = (number: string) => index.data.lngE7[house(number)]! / 1e7;
    expect(['1', '3', '5', '7', '9', '11'].map((number) => index.isInterpolated(house(number)))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    // 1 is at 12.0002 and 11 at 12.0038.
    expect(lngOf('5')).toBeCloseTo(12.0002 + (0.0036 * 2) / 5, 6);
    expect(index.isInterpolated(house('4'))).toBe(true);
    expect(lngOf('4')).toBeCloseTo(12.0008, 6);
  });

  test('an unknown house number gives the street as a partial match', () => {
    expect(searchPlaces(town.index, 'Storgatan 99 Testby')[0]).toMatchObject({ partial: true });
    expect(first('Storgatan 99 Testby')).toBe('Storgatan');
  });

  test.each([
    ['Storgatan 2, 123 45 Testby, Sweden', 'Storgatan 2', false],
    ['Storgatan 2, 123 45 Testby, Sverige', 'Storgatan 2', false],
    ['Storgatan 2 Testby Suède', 'Storgatan 2', false],
    ['Testby, Sverige', 'Testby', false],
    ['Storgatan 99, 123 45 Testby, Sverige', 'Storgatan', true],
    ['99, Storgatan, Testby', 'Storgatan', true],
    ['Köpmansgatan 17, 123 45 Testby, Västra Wobbleshire, Sweden', 'Köpmansgatan', true],
    ['Storgatan 1-11, Testby', 'Storgatan 1', false],
    ['Storgatan 1-99, Testby', 'Storgatan 1', true],
  ])('a search for the complete address %j finds %j', (query, name, partial) => {
    expect(first(query)).toBe(name);
    expect(searchPlaces(town.index, query)[0]).toMatchObject({ partial });
  });

  test('text without a comma counts as part of the name', () => {
    expect(found('Köpmansgatan Upper Wobbleshire Marches Nowhere')).toEqual([]);
    expect(found('Upper Wobbleshire Marches Nowhere, Köpmansgatan')).toEqual([]);
  });

  test('does not find an address whose town, postcode and region are all elsewhere', () => {
    expect(found('Köpmansgatan 17, 411 38 Nowhere, Västra Wobbleshire, Sweden')).toEqual([]);
  });

  test('finds a name that looks like code as a plain name', () => {
    expect(found('<script>')).toEqual(['"><script>alert(1)</script>']);
    expect(found("'; drop table places --")).toEqual([]);
  });

  test('while typing, every prefix of a name offers it', () => {
    for (const name of ['Köpmansgatan', 'Kaffé Ångström', 'Malmköping'])
      for (let length = 3; length <= name.length; length++)
        expect(found(name.slice(0, length), { prefix: true })).toContain(name);
    expect(found('k', { prefix: true })).toEqual(expect.arrayContaining(['Köpmansgatan', 'Kaffé Ångström']));
  });

  test('finds an old name, and ranks a current name before it', () => {
    expect(first('Galgbacken')).toBe('Köpmansgatan');
  });

  test.each(['', '   ', '!!!', 'qqqqqq', 'ᚠᚢᚦ', '\u0000', '🚗🚗', 'x'.repeat(10_000), '9'.repeat(400)])(
    'a search for %j finds nothing and does not crash',
    (query) => expect(found(query)).toEqual([]),
  );
});

describe('every result', () => {
  test('has a place id that leads back to it', () => {
    const { index } = town;
    for (let row = 0; row < index.rowCount; row++) expect(index.rowOf(index.placeId(row))).toBe(row);
    for (const none of ['', 'n', 'n1', 'x5', 'n50.1', 's103.77', 'n99999999999999999999', '__proto__'])
      expect(index.rowOf(none)).toBeUndefined();
  });

  test('identifies its edge: a house uses the road of its own address, on its own side', () => {
    const { index, network } = town;
    const row = searchPlaces(index, 'Storgatan 2 Testby')[0]!.row;
    const access = new RoadAccess(index, network).to(row, 'driving')!;
    expect(network.edgeName(access.edge)).toBe('Storgatan');
    // It is south of a street that runs east.
    const east = network.edgeId(access.edge).endsWith('+');
    expect(access.side).toBe(east ? 'right' : 'left');
    expect(east ? access.fraction : 1 - access.fraction).toBeCloseTo(0.2, 2);
  });

  test('is reached from the same place when other roads change and edges are renumbered', async () => {
    const changed = await geocodeTown(
      sourceOf({ ...addressTown, ways: addressTown.ways.filter(({ id }) => id !== 100 && id !== 107) }),
    );
    const places = ({ index, network }: GeocodedTown) => {
      const to = new RoadAccess(index, network);
      return ['n42.2', 'n40.1', 'n50'].map((id) => {
        const { edge, ...place } = to.to(index.rowOf(id)!, 'driving')!;
        return { ...place, edge: network.edgeId(edge) };
      });
    };
    expect(changed.network.edgeCount).toBeLessThan(town.network.edgeCount);
    expect(places(changed)).toEqual(places(town));
  });

  test('stays the same when its position in the list of elements changes', async () => {
    const turned = await geocodeTown({
      kind: 'elements',
      read: (sink) => {
        for (const { id, lng, lat, tags } of [...addressTown.nodes].reverse())
          sink.node(id, Math.round(lng * 1e7), Math.round(lat * 1e7), tags && new Map(Object.entries(tags)));
        for (const { id, refs, tags } of [...addressTown.ways].reverse())
          sink.way(id, refs, new Map(Object.entries(tags)));
      },
    });
    const ids = ({ index }: GeocodedTown) =>
      Array.from({ length: index.rowCount }, (_, row) => index.placeId(row)).sort();
    expect(ids(turned)).toEqual(ids(town));
  });
});

test('a filter is asked before the best candidates are chosen', async () => {
  const kiosks = Array.from({ length: 700 }, (_, i) => ({
    ...{ id: 1_000 + i, lng: 12 + (i % 30) * 0.0001, lat: 58 + Math.floor(i / 30) * 0.0001 },
    tags: { shop: 'kiosk', name: 'Kiosken' },
  }));
  const { index } = await geocodeTown(sourceOf({ ...addressTown, nodes: [...addressTown.nodes, ...kiosks] }));
  for (const id of ['n1000', 'n1350', 'n1699']) {
    const wanted = index.rowOf(id)!;
    const found = searchPlaces(index, 'Kiosken', { accepts: (row) => row === wanted });
    expect(found.map(({ row }) => row)).toEqual([wanted]);
  }
});

test('a street is the result where its house is not accepted', async () => {
  const { index } = await geocodeTown();
  const isStreet = (row: number): boolean => index.kind(row) === 'street';
  const [first] = searchPlaces(index, 'Storgatan 2, Testby', { accepts: isStreet });
  expect([index.name(first!.row, ''), first!.partial]).toEqual(['Storgatan', true]);
  const isHouse = (row: number): boolean => index.isHouse(row);
  const houses = searchPlaces(index, 'Storgatan 2, Testby', { accepts: isHouse });
  expect(houses.map(({ row }) => index.houseNumber(row))).toEqual(['2']);
});
