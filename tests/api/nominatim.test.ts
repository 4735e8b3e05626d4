import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexPlaceFinder } from '#api/geocode/index-place-finder.js';
import { nominatimRoutes } from '#api/nominatim/nominatim-routes.js';
import { getNominatimLookup, getNominatimReverse, getNominatimSearch } from '#schemas/http/nominatim.js';
import { getPhotonReverse, getPhotonSearch } from '#schemas/http/photon.js';
import { type ServedTown, serveBoundedTown } from './geocode-clients.js';

let served: ServedTown;
beforeAll(async () => {
  served = await serveBoundedTown();
});
afterAll(() => served.close());

type Values = Readonly<Record<string, string>>;

const ask = (operation: string, values: Values, headers: Values = {}) =>
  served.served.call('GET', `/v1/nominatim/${operation}?${new URLSearchParams(values)}`, { headers });
/** biome-ignore lint/suspicious/noExplicitAny: answers are compared */
const found = async (operation: string, values: Values, headers?: Values): Promise<any> => {
  const answer = await ask(operation, values, headers);
  expect(answer.status).toBe(200);
  return answer.json;
};
const names = async (values: Values): Promise<string[]> =>
  (await found('search', values)).map((each: { display_name: string }) => each.display_name);

const licence = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

describe('/search', () => {
  const house = {
    place_id: expect.any(Number),
    licence,
    osm_type: 'node',
    osm_id: 42,
    lat: '58.0019000',
    lon: '12.0004000',
    place_rank: 30,
    importance: 0,
    addresstype: 'place',
    name: '',
    display_name: '2, Storgatan, Testby, Testlän, 123 45, Sverige',
    boundingbox: ['58.0018500', '58.0019500', '12.0003500', '12.0004500'],
  };

  test('a free-form query gives places in the format jsonv2', async () => {
    expect((await found('search', { q: 'Storgatan 2, Testby' }))[0]).toEqual({
      ...house,
      category: 'place',
      type: 'house',
    });
  });

  test('the format json has the key of the tag as class', async () => {
    const [first] = await found('search', { q: 'Storgatan 2, Testby', format: 'json', namedetails: '0' });
    expect(first).toEqual({ ...house, class: 'place', type: 'house' });
  });

  test('addressdetails adds the address by its parts', async () => {
    const [first] = await found('search', { q: 'Grand Hotel', addressdetails: '1' });
    expect(first).toMatchObject({ osm_id: 60, category: 'tourism', type: 'hotel', addresstype: 'tourism' });
    expect(first.address).toEqual({
      tourism: 'Grand Hotel',
      house_number: '4',
      road: 'Storgatan',
      town: 'Testby',
      state: 'Testlän',
      postcode: '123 45',
      country: 'Sverige',
      country_code: 'se',
    });
  });

  test('an element that is a place and has an address is one result', async () => {
    const results = await found('search', { q: 'Storgatan 4, Testby' });
    expect(results.filter((each: { osm_id: number }) => each.osm_id === 60)).toEqual([
      expect.objectContaining({ name: 'Grand Hotel', type: 'hotel' }),
    ]);
  });

  test('a place without an address has the road that reaches it', async () => {
    const [first] = await found('search', { q: 'Kaffé Ångström', addressdetails: '1' });
    expect(first.address).toMatchObject({ amenity: 'Kaffé Ångström', road: 'Storgatan', town: 'Testby' });
    expect(first.address.house_number).toBeUndefined();
  });

  test('a town with a boundary is the relation, with its box and the rank of its level', async () => {
    const [first] = await found('search', { q: 'Testby', limit: '1' });
    expect(first).toMatchObject({
      osm_type: 'relation',
      osm_id: 930,
      category: 'boundary',
      type: 'administrative',
      addresstype: 'town',
      place_rank: 16,
      boundingbox: ['57.9980000', '58.0060000', '11.9980000', '12.0060000'],
    });
  });

  test('a village without one is its node, with the box of its kind', async () => {
    const [first] = await found('search', { q: 'Malmköping', limit: '1' });
    expect(first).toMatchObject({ osm_type: 'node', osm_id: 31, category: 'place', type: 'village' });
    expect(first.boundingbox).toEqual(['57.9824000', '58.0224000', '12.0800000', '12.1200000']);
  });

  test('a street that only addresses know has no element and no tag', async () => {
    // Its namesake is a way elsewhere, and this town has none.
    const [first] = await found('lookup', { osm_ids: 'N43' });
    expect(first).toMatchObject({ osm_type: 'node', osm_id: 43 });
    const results = await found('search', { q: '<b>Bold & Sons 7' });
    expect(results[0]).toMatchObject({ osm_id: 45, category: 'place', type: 'house' });
  });

  test('the format geojson', async () => {
    const answer = await found('search', { q: 'Testby', limit: '1', format: 'geojson' });
    expect(answer).toEqual({
      type: 'FeatureCollection',
      licence,
      features: [
        {
          type: 'Feature',
          properties: {
            place_id: expect.any(Number),
            osm_type: 'relation',
            osm_id: 930,
            category: 'boundary',
            type: 'administrative',
            place_rank: 16,
            importance: expect.closeTo(0.85, 1),
            addresstype: 'town',
            name: 'Testby',
            display_name: 'Testby, Testlän, Sverige',
          },
          bbox: [11.998, 57.998, 12.006, 58.006],
          geometry: { type: 'Point', coordinates: [12.002, 58.0028] },
        },
      ],
    });
  });

  test('the format geocodejson, with areas by level', async () => {
    const values = { q: 'Grand Hotel', format: 'geocodejson', addressdetails: '1' };
    const answer = await found('search', values);
    expect(answer.geocoding).toEqual({
      version: '0.1.0',
      attribution: licence,
      licence: 'ODbL',
      query: 'Grand Hotel',
    });
    expect(answer.features[0].properties.geocoding).toEqual({
      place_id: expect.any(Number),
      osm_type: 'node',
      osm_id: 60,
      osm_key: 'tourism',
      osm_value: 'hotel',
      type: 'house',
      label: 'Grand Hotel, 4, Storgatan, Testby, Testlän, 123 45, Sverige',
      name: 'Grand Hotel',
      housenumber: '4',
      street: 'Storgatan',
      city: 'Testby',
      state: 'Testlän',
      postcode: '123 45',
      country: 'Sverige',
      country_code: 'se',
      admin: { level8: 'Testby', level4: 'Testlän', level2: 'Sverige' },
    });
  });

  test('the format xml is well formed, whatever the query and the names hold', async () => {
    for (const q of ['<b>Bold & Sons', '"><script>alert(1)</script>', '\u0000\u0001\ufffe']) {
      const answer = await ask('search', { q, format: 'xml', addressdetails: '1', namedetails: '1' });
      expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
      const places: Record<string, string>[] = [];
      const parser = new SaxesParser();
      parser.on('opentag', ({ name, attributes }) => {
        if (name === 'place') places.push(attributes as Record<string, string>);
      });
      parser.on('error', (error) => {
        throw error;
      });
      parser.write(Buffer.from(answer.bytes).toString()).close();
      if (q.startsWith('<b>'))
        expect(places[0]).toMatchObject({ osm_id: '102', class: 'highway', address_rank: '26' });
    }
  });

  test('namedetails adds the names by key', async () => {
    const [first] = await found('search', { q: 'Testby', namedetails: '1' });
    expect(first.namedetails).toEqual({ name: 'Testby', 'name:en': 'Testville', 'name:ru': 'Тестбю' });
  });

  test('names are in the first language that the map has, by parameter before header', async () => {
    const first = async (values: Values, headers: Values) =>
      (await found('search', { q: 'Kaffé Ångström', limit: '1', ...values }, headers))[0].display_name;
    const header = { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.5' };
    expect(await first({}, header)).toBe('Кофе Ангстрем, Storgatan, Тестбю, Test County, Sweden');
    expect(await first({ 'accept-language': 'tlh,en' }, header)).toBe(
      'Steam Coffee, Storgatan, Testville, Test County, Sweden',
    );
    expect(await first({ 'accept-language': 'en;q=0.2,ru' }, {})).toMatch(/^Кофе Ангстрем/);
    expect(await first({}, { 'accept-language': '*' })).toMatch(/^Kaffé Ångström/);
  });

  test('limit bounds the results; numbers outside 1 to 40 are moved to these', async () => {
    const count = async (limit: string) => (await found('search', { q: 'Kaffé', limit })).length;
    expect([await count('1'), await count('0'), await count('1000')]).toEqual([1, 1, 2]);
  });

  test('countrycodes keeps places of these countries', async () => {
    expect(await names({ q: 'Testby', countrycodes: 'no,se' })).not.toEqual([]);
    expect(await names({ q: 'Testby', countrycodes: 'no' })).toEqual([]);
  });

  test('viewbox prefers what is in it, and bounded keeps nothing else', async () => {
    const viewbox = '12.11,58.01,12.09,57.99';
    expect((await names({ q: 'Storgatan' }))[0]).toBe('Storgatan, Testby, Testlän, 123 45, Sverige');
    expect((await names({ q: 'Storgatan', viewbox }))[0]).toBe('Storgatan, Malmköping, Sverige');
    expect((await names({ q: 'Storgatan', viewbox })).length).toBe(2);
    expect(await names({ q: 'Storgatan', viewbox, bounded: '1' })).toEqual([
      'Storgatan, Malmköping, Sverige',
    ]);
    expect(await names({ q: 'Grand Hotel', viewbox, bounded: '1' })).toEqual([]);
    // More places match outside than a search looks at.
    expect(await names({ q: 'Storgatan 1', viewbox, bounded: '1' })).toEqual([
      '1, Storgatan, Malmköping, Sverige',
    ]);
  });

  test.each([
    ['address', 'Testby', ['Testby, Testlän, Sverige']],
    ['railway', 'Testby', ['Testby central, Södra vägen, Testby, Testlän, Sverige']],
    ['natural', 'Toppen', ['Toppen, Norra vägen, Norr, Testby, Testlän, Sverige']],
    ['manmade', 'Rådhuset', ['Rådhuset, 45th Street, Testby, Testlän, Sverige']],
    ['poi', 'Rådhuset', []],
    ['poi,address', 'Toppen', []],
  ])('layer %s of %s', async (layer, q, expected) => {
    expect(await names({ q, layer })).toEqual(expected);
  });

  test.each([
    ['country', 'Sverige', ['Sverige']],
    ['state', 'Testlän', ['Testlän, Sverige']],
    ['city', 'Testby', ['Testby, Testlän, Sverige']],
    ['settlement', 'Norr', ['Norr, Testby, Testlän, Sverige']],
    ['city', 'Norr', []],
    ['city', 'Grand Hotel', []],
  ])('featureType %s of %s', async (featureType, q, expected) => {
    expect(await names({ q, featureType })).toEqual(expected);
  });

  test('exclude_place_ids leaves out elements and numbers of places', async () => {
    const all = await found('search', { q: 'Storgatan' });
    const without = async (ids: string) =>
      (await found('search', { q: 'Storgatan', exclude_place_ids: ids })).map(
        (each: { osm_id: number }) => each.osm_id,
      );
    expect(all.map((each: { osm_id: number }) => each.osm_id)).toEqual([103, 107]);
    expect(await without('W103')).toEqual([107]);
    expect(await without(`${all[1].place_id}, W9`)).toEqual([103]);
    expect(await without('W103,W107')).toEqual([]);
  });

  test('a coordinate gives what is there', async () => {
    expect(await names({ q: '58.0019, 12.0004' })).toEqual([
      '2, Storgatan, Testby, Testlän, 123 45, Sverige',
    ]);
  });

  test.each([
    [{ street: '2 Storgatan', city: 'Testby' }, ['2, Storgatan, Testby, Testlän, 123 45, Sverige']],
    [{ street: 'Storgatan', city: 'Malmköping' }, ['Storgatan, Malmköping, Sverige']],
    [
      { street: 'Storgatan', city: 'Testville', country: 'Sweden' },
      ['Storgatan, Testby, Testlän, 123 45, Sverige'],
    ],
    [
      { street: 'Storgatan', state: 'Testlän' },
      // The map does not say in which state the other one is.
      ['Storgatan, Testby, Testlän, 123 45, Sverige', 'Storgatan, Malmköping, Sverige'],
    ],
    [{ street: 'Köpmansgatan', state: 'Skåne' }, []],
    [
      { street: 'Storgatan', postalcode: '12345', city: 'Testby' },
      ['Storgatan, Testby, Testlän, 123 45, Sverige'],
    ],
    [{ street: 'Storgatan', postalcode: '54321', city: 'Testby' }, []],
    [{ street: 'Storgatan', city: 'Atlantis' }, []],
    [{ street: 'Storgatan', city: 'Testby', country: 'Norway' }, []],
    [{ amenity: 'Kaffé Ångström', city: 'Testby' }, ['Kaffé Ångström, Storgatan, Testby, Testlän, Sverige']],
    [{ amenity: 'hotel', city: 'Testby' }, ['Grand Hotel, 4, Storgatan, Testby, Testlän, 123 45, Sverige']],
    [{ city: 'Testby' }, ['Testby, Testlän, Sverige']],
    [{ city: 'Testby', country: 'se' }, ['Testby, Testlän, Sverige']],
    [{ state: 'Testlän' }, ['Testlän, Sverige']],
    [{ country: 'Sverige' }, ['Sverige']],
    [{ postalcode: '12345' }, []],
  ])('the parts %j', async (values, expected) => {
    expect(await names(values as Values)).toEqual(expected);
  });

  test('options that change nothing here are accepted', async () => {
    const values = { q: 'Grand Hotel', dedupe: '1', email: 'me@example.org', polygon_threshold: '0.1' };
    expect(await names({ ...values, extratags: '0', debug: '0', polygon_geojson: '0' })).toHaveLength(1);
  });

  test('polygon_… gives the border of an area, and the point of everything else', async () => {
    const border = [
      [11.998, 57.998],
      [12.006, 57.998],
      [12.006, 58.006],
      [11.998, 58.006],
      [11.998, 57.998],
    ];
    const first = async (q: string, values: Values) =>
      (await found('search', { q, limit: '1', ...values }))[0];
    const of = (values: Values) => first('Testby', values);
    expect((await of({ polygon_geojson: '1' })).geojson).toEqual({ type: 'Polygon', coordinates: [border] });
    expect((await of({ polygon_text: '1' })).geotext).toBe(
      `POLYGON((${border.map((point) => point.join(' ')).join(',')}))`,
    );
    expect((await of({ polygon_svg: '1' })).svg).toBe(
      'M 11.998 -57.998 L 12.006 -57.998 12.006 -58.006 11.998 -58.006 Z',
    );
    expect((await of({ polygon_kml: '1' })).geokml).toMatch(
      /^<Polygon><outerBoundaryIs><LinearRing><coordinates>11.998,57.998 12.006,57.998 /,
    );
    expect((await first('Storgatan', { polygon_geojson: '1' })).geojson).toMatchObject({ type: 'Point' });
    expect((await first('Grand Hotel', { polygon_text: '1' })).geotext).toBe('POINT(12.0008 58.0019)');
    expect((await first('Grand Hotel', { polygon_svg: '1' })).svg).toBe('cx="12.0008" cy="-58.0019"');
    for (const format of ['geojson', 'geocodejson']) {
      const values = { q: 'Testby', limit: '1', format };
      const withBorder = await found('search', { ...values, polygon_geojson: '1' });
      expect(withBorder.features[0].geometry.type).toBe('Polygon');
      expect((await found('search', values)).features[0].geometry.type).toBe('Point');
    }
    const { bytes } = await ask('lookup', { osm_ids: 'R930', format: 'xml', polygon_kml: '1' });
    expect(Buffer.from(bytes).toString()).toContain('<geokml><Polygon><outerBoundaryIs>');
  });

  test('no match is an empty list', async () => {
    for (const q of ['Atlantis', '存在しない住所', '9'.repeat(100)]) expect(await names({ q })).toEqual([]);
  });
});

describe('/reverse', () => {
  const at = { lat: '58.0021', lon: '12.0004', format: 'jsonv2' };
  const name = async (values: Values) => (await found('reverse', { ...at, ...values })).display_name;

  test('gives one place with its address', async () => {
    const place = await found('reverse', at);
    expect(place).toMatchObject({ osm_id: 40, category: 'place', type: 'house' });
    expect(place.address).toMatchObject({ house_number: '1', road: 'Storgatan', country_code: 'se' });
    expect((await found('reverse', { ...at, addressdetails: '0' })).address).toBeUndefined();
  });

  test.each([
    ['0', 'Sverige'],
    ['3', 'Sverige'],
    ['5', 'Testlän, Sverige'],
    ['9', 'Testlän, Sverige'],
    ['10', 'Testby, Testlän, Sverige'],
    ['15', 'Testby, Testlän, Sverige'],
    ['16', 'Storgatan, Testby, Testlän, 123 45, Sverige'],
    ['18', '1, Storgatan, Testby, Testlän, 123 45, Sverige'],
    ['22', '1, Storgatan, Testby, Testlän, 123 45, Sverige'],
  ])('zoom %s is %s', async (zoom, expected) => {
    expect(await name({ zoom })).toBe(expected);
  });

  test('zoom selects the part of a town from the zoom of its rank on', async () => {
    const north = { lat: '58.0035', lon: '12.0015' };
    expect(await name({ ...north, zoom: '14' })).toBe('Norr, Testby, Testlän, Sverige');
    expect(await name({ ...north, zoom: '12' })).toBe('Testby, Testlän, Sverige');
  });

  test('a street is at its nearest place', async () => {
    const street = await found('reverse', { ...at, zoom: '17' });
    expect([street.lat, street.lon]).toEqual(['58.0020000', '12.0004000']);
  });

  test('layer selects themes; without it these are addresses and points of interest', async () => {
    const hall = { lat: '58.0005', lon: '12.00261' };
    expect(await name({ ...hall, layer: 'manmade' })).toMatch(/^Rådhuset/);
    expect(await name(hall)).toMatch(/^45th Street/);
    expect(await name({ lat: '58.0019', lon: '12.00081', layer: 'poi' })).toMatch(/^Grand Hotel/);
  });

  test('the formats geojson and geocodejson have one feature, xml one result', async () => {
    const geojson = await found('reverse', { ...at, format: 'geojson' });
    expect(geojson.features).toHaveLength(1);
    const geocodejson = await found('reverse', { ...at, format: 'geocodejson' });
    expect(geocodejson.features[0].properties.geocoding).toMatchObject({ housenumber: '1', city: 'Testby' });
    const { bytes } = await ask('reverse', { lat: at.lat, lon: at.lon });
    const xml = Buffer.from(bytes).toString();
    expect(xml).toMatch(
      /^<\?xml .*\n<reversegeocode [^>]*querystring="lat=58.0021&amp;lon=12.0004&amp;zoom=18">/,
    );
    expect(xml).toContain(
      '>1, Storgatan, Testby, Testlän, 123 45, Sverige</result><addressparts><house_number>1<',
    );
  });

  test('far from everything it says so, with 200 as Nominatim does', async () => {
    expect(await found('reverse', { lat: '-40', lon: '-100', format: 'json' })).toEqual({
      error: 'Unable to geocode',
    });
    const { bytes } = await ask('reverse', { lat: '-40', lon: '-100' });
    expect(Buffer.from(bytes).toString()).toContain('<error>Unable to geocode</error>');
  });
});

describe('/lookup', () => {
  test('gives the places that the map has, in the order of the ids', async () => {
    const places = await found('lookup', { osm_ids: 'w104, N30,R930,N999,W310' });
    expect(
      places.map((each: Record<string, unknown>) => [each['osm_type'], each['osm_id'], each['type']]),
    ).toEqual([
      ['way', 104, 'secondary'],
      ['node', 30, 'town'],
      ['relation', 930, 'administrative'],
      ['way', 310, 'yes'],
    ]);
    expect(places[0].address.road).toBe('Storgatan');
  });

  test('an element that is a place and has an address is the place', async () => {
    const [place] = await found('lookup', { osm_ids: 'N60', addressdetails: '0' });
    expect(place).toMatchObject({ name: 'Grand Hotel', category: 'tourism' });
    expect(place.address).toBeUndefined();
  });

  test('has the formats of the other operations', async () => {
    expect((await found('lookup', { osm_ids: 'N60', format: 'geojson' })).features).toHaveLength(1);
    const { geocoding } = await found('lookup', { osm_ids: 'N60', format: 'geocodejson' });
    expect(geocoding.query).toBeUndefined();
    const { bytes } = await ask('lookup', { osm_ids: 'N60', format: 'xml' });
    expect(Buffer.from(bytes).toString()).toMatch(
      /<lookupresults [^>]*querystring="N60"><place .*<tourism>Grand Hotel</,
    );
  });
});

describe('refusals', () => {
  test.each([
    [
      'search',
      { q: 'a', format: 'html' },
      "Parameter 'format' must be one of: xml, json, jsonv2, geojson, geocodejson",
    ],
    ['search', {}, 'Nothing to search for.'],
    ['search', { q: '  ' }, 'Nothing to search for.'],
    ['search', { q: 'a'.repeat(201) }, /maximum is 200/],
    ['search', { q: 'a', city: 'b' }, /cannot be used together/],
    ['search', { q: 'a', limit: 'x' }, "Parameter 'limit' must be a number."],
    ['search', { q: 'a', limit: '1.5' }, "Parameter 'limit' must be a number."],
    ['search', { q: 'a', countrycodes: 'sweden' }, /countrycodes/],
    ['search', { q: 'a', layer: 'roads' }, /'layer' must be a list of: address/],
    ['search', { q: 'a', featureType: 'street' }, /featureType/],
    ['search', { q: 'a', exclude_place_ids: 'X1' }, 'Invalid exclude ID: X1'],
    ['search', { q: 'a', viewbox: '1,2,3' }, 'Bounding box parameter needs 4 coordinates.'],
    ['search', { q: 'a', viewbox: '1,2,1,4' }, 'Bounding box with invalid parameters.'],
    ['search', { q: 'a', dedupe: '0' }, /dedupe/],
    ['search', { q: 'a', 'accept-language': '../etc' }, /accept-language/],
    ['search', { q: 'a', json_callback: 'f' }, /json_callback/],
    ['search', { q: 'a', polygon_threshold: 'x' }, /polygon_threshold/],
    ['search', { q: 'a', foo: '1' }, "Unknown parameter 'foo'."],
    ...['extratags', 'entrances', 'debug'].map(
      (name) => ['search', { q: 'a', [name]: '1' }, new RegExp(`'${name}' is not supported`)] as const,
    ),
    ['search', { q: 'a', polygon_kml: '1', polygon_svg: '1' }, 'Too many polygon output options selected.'],
    [
      'search',
      { q: 'a', polygon_text: '1', format: 'geojson' },
      /'polygon_text' is not supported in the format/,
    ],
    [
      'search',
      { q: 'a', polygon_text: '1', polygon_threshold: '0.1' },
      /'polygon_threshold' is not supported/,
    ],
    ['reverse', { lat: '1', format: 'json' }, "Parameter 'lon' missing."],
    ['reverse', { lat: 'x', lon: '1', format: 'json' }, "Parameter 'lat' must be a number."],
    ['reverse', { lat: '91', lon: '1', format: 'json' }, "Parameter 'lat' must be between -90 and 90."],
    ['reverse', { lat: 'NaN', lon: '1', format: 'json' }, "Parameter 'lat' must be a number."],
    ['reverse', { lat: '1', lon: '1', zoom: 'in', format: 'json' }, "Parameter 'zoom' must be a number."],
    ['lookup', {}, "Parameter 'osm_ids' missing."],
    ['lookup', { osm_ids: 'X1' }, /'osm_ids' must be a list/],
    ['lookup', { osm_ids: Array(51).fill('N1').join(',') }, 'Too many object IDs.'],
  ] as const)('/%s of %j is refused with a sentence', async (operation, values, message) => {
    const { status, json } = await ask(operation, values as Values);
    expect(status).toBe(400);
    expect(json).toEqual({
      error: { code: 400, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    });
  });

  test('a refusal is in XML where the answer would be', async () => {
    const { status, bytes, headers } = await ask('reverse', { lat: '1' });
    expect([status, headers.get('content-type')]).toEqual([400, 'text/xml; charset=utf-8']);
    expect(Buffer.from(bytes).toString()).toContain(
      '<error><code>400</code><message>Parameter &#39;lon&#39; missing.</message></error>',
    );
  });
});

test('borders with too many points are refused, and only where they are asked for', () => {
  const { index, network } = served.town;
  const routes = nominatimRoutes({
    finder: () => indexPlaceFinder(index, network),
    nowMs: Date.now,
    borderPointsMax: 4,
  });
  const asked = (operation: string, query: Values): unknown =>
    routes
      .find(({ contract }) => contract.path.endsWith(operation))!
      .handle({ query, header: () => undefined } as never);
  const at = { lat: '58.003', lon: '12.002', zoom: '10', format: 'jsonv2' };
  const border = { polygon_text: '1' };
  for (const [operation, query] of [
    ['search', { q: 'Testby' }],
    ['lookup', { osm_ids: 'R930' }],
    ['reverse', at],
  ] as const) {
    expect(asked(operation, query)).toMatchObject({ status: 200 });
    const message = expect.stringMatching(/^The borders have 5 points; the maximum is 4\./);
    expect(asked(operation, { ...query, ...border })).toEqual({
      status: 400,
      body: { error: { code: 400, message } },
    });
  }
});

test('any input is answered or refused, never a fault', async () => {
  const contracts = [
    getNominatimSearch,
    getNominatimReverse,
    getNominatimLookup,
    getPhotonSearch,
    getPhotonReverse,
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '1',
      '0',
      '58.0019',
      '12.0004',
      '1e5',
      '-0',
      'NaN',
      '1,2,3,4',
      'N30',
      'osm.a',
      '!',
      'Storgatan',
    ),
    fc.constantFrom('[58.1,12.1]', 'address', 'xml', 'geojson', ',', ':', '!a:!b', 'se', 'true', 'sv'),
  );
  for (const { path, query } of contracts) {
    const names = Object.keys(query.properties);
    const usual = path.endsWith('reverse') ? { lat: '58.0019', lon: '12.0004' } : { q: 'Storgatan' };
    const asked = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(asked, async (values) => {
        const search = new URLSearchParams({ ...usual, ...values });
        const answer = await served.served.call('GET', `${path}?${search}`);
        expect([200, 400], `${search}`).toContain(answer.status);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  }
});
