import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedTown, serveBoundedTown } from '../api/geocode-clients.js';
import { pythonWheels } from '../python-wheels.js';

const script = fileURLToPath(new URL('ask-geopy.py', import.meta.url));

interface Asked {
  readonly geocoder: 'Nominatim' | 'Photon';
  readonly call: 'geocode' | 'reverse';
  readonly query: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

let served: ServedTown;
beforeAll(async () => {
  served = await serveBoundedTown();
});
afterAll(() => served.close());

/** What geopy makes of the answers. */
// biome-ignore lint/suspicious/noExplicitAny: locations are compared
async function ask(asked: readonly Asked[]): Promise<any[]> {
  const python = process.env['PYTHON'] ?? 'python3';
  const { host } = new URL(served.served.url);
  const { stdout } = await promisify(execFile)(python, [script, host, JSON.stringify(asked)], {
    env: {
      ...process.env,
      PYTHONPATH: pythonWheels('geocoding-clients').join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  return JSON.parse(stdout);
}

const of =
  (geocoder: Asked['geocoder'], call: Asked['call']) =>
  (query: unknown, options: Asked['options'] = {}): Asked => ({ geocoder, call, query, options });

describe('geopy, unchanged', { timeout: 60_000 }, () => {
  test('Nominatim.geocode with each of its options', async () => {
    const geocode = of('Nominatim', 'geocode');
    const sv = { language: 'sv' };
    const found = await ask([
      geocode('Storgatan 2, Testby', sv),
      geocode('Storgatan', { ...sv, exactly_one: false, limit: 5 }),
      geocode({ street: '2 Storgatan', city: 'Testby', country: 'Sverige' }, sv),
      geocode('Testby', { language: 'en', addressdetails: true, namedetails: true }),
      geocode('Testby', { ...sv, geometry: 'geojson' }),
      geocode('Testby', { ...sv, geometry: 'wkt' }),
      geocode('Storgatan', {
        ...sv,
        viewbox: [
          [57.9, 12.09],
          [58.1, 12.2],
        ],
        bounded: true,
      }),
      geocode('Testby', { ...sv, country_codes: ['no', 'dk'] }),
      geocode('Testlän', { ...sv, featuretype: 'state' }),
      geocode('Atlantis'),
      geocode('Testby', { extratags: true }),
    ]);
    expect(found[0]).toMatchObject({
      address: '2, Storgatan, Testby, Testlän, 123 45, Sverige',
      place: [58.0019, 12.0004],
      raw: { osm_type: 'node', osm_id: 42, class: 'place', type: 'house' },
    });
    expect(found[1].map((each: { raw: { osm_id: number } }) => each.raw.osm_id)).toEqual([103, 107]);
    expect(found[2].address).toBe(found[0].address);
    expect(found[3].raw).toMatchObject({
      address: { town: 'Testville', state: 'Test County', country_code: 'se' },
      namedetails: { 'name:ru': 'Тестбю' },
    });
    expect(found[4].raw.geojson.type).toBe('Polygon');
    expect(found[5].raw.geotext).toMatch(/^POLYGON\(\(11\.998 57\.998,/);
    expect(found[6].address).toBe('Storgatan, Malmköping, Sverige');
    expect(found[7]).toBeNull();
    expect(found[8].address).toBe('Testlän, Sverige');
    expect(found[9]).toBeNull();
    expect(found[10]).toEqual({ error: 'GeocoderQueryError' });
  });

  test('Nominatim.reverse with each of its options', async () => {
    const reverse = of('Nominatim', 'reverse');
    const place = [58.0021, 12.0004];
    const found = await ask([
      reverse(place, { language: 'sv' }),
      reverse('58.0021, 12.0004', { language: 'en', zoom: 10, namedetails: true, addressdetails: false }),
      reverse(place, { exactly_one: false }),
      reverse([-40, -100]),
    ]);
    expect(found[0]).toMatchObject({
      address: '1, Storgatan, Testby, Testlän, 123 45, Sverige',
      raw: { address: { house_number: '1', road: 'Storgatan', town: 'Testby' } },
    });
    expect(found[1]).toMatchObject({
      address: 'Testville, Test County, Sweden',
      raw: { type: 'administrative' },
    });
    expect(found[1].raw.namedetails['name:en']).toBe('Testville');
    expect(found[1].raw.address).toBeUndefined();
    expect(found[2]).toHaveLength(1);
    expect(found[3]).toBeNull();
  });

  test('Photon.geocode with each of its options', async () => {
    const geocode = of('Photon', 'geocode');
    const bbox = [
      [57.9, 12.09],
      [58.1, 12.2],
    ];
    const found = await ask([
      geocode('Storgatan 2'),
      geocode('storg', { exactly_one: false, limit: 2 }),
      geocode('Kaffé Ångström', { language: 'ru' }),
      geocode('Storgatan', { location_bias: [58.002, 12.1] }),
      geocode('Storgatan', { bbox }),
      geocode('Testby', { osm_tag: 'railway:station' }),
      geocode('Testby', { osm_tag: ['!railway', '!boundary'] }),
      geocode('Atlantis'),
    ]);
    expect(found[0]).toMatchObject({
      address: '2, Storgatan, 123 45, Storgatan, Testby, Testlän, Sverige',
      place: [58.0019, 12.0004],
    });
    expect(found[1]).toHaveLength(2);
    expect(found[2].address).toMatch(/^Кофе Ангстрем, /);
    expect(found[3].raw.properties).toMatchObject({ osm_type: 'W', osm_id: 107, city: 'Malmköping' });
    expect(found[4].raw.properties.osm_id).toBe(107);
    expect(found[5].raw.properties.osm_id).toBe(61);
    expect(found[6]).toBeNull();
    expect(found[7]).toBeNull();
  });

  test('Photon.reverse with each of its options', async () => {
    const reverse = of('Photon', 'reverse');
    const found = await ask([
      reverse([58.0019, 12.0005]),
      reverse([58.0019, 12.0005], { exactly_one: false, limit: 3, language: 'en' }),
      reverse([-40, -100]),
    ]);
    expect(found[0]).toMatchObject({ place: [58.0019, 12.0004], raw: { properties: { housenumber: '2' } } });
    expect(found[1]).toHaveLength(3);
    expect(found[1][0].address).toMatch(/Testville, Test County, Sweden$/);
    expect(found[2]).toBeNull();
  });
});
