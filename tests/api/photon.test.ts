import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PhotonAnswer } from '#schemas/http/photon.js';
import { type ServedTown, serveBoundedTown } from './geocode-clients.js';

let served: ServedTown;
beforeAll(async () => {
  served = await serveBoundedTown();
});
afterAll(() => served.close());

type Values = readonly (readonly string[])[];

const ask = (operation: string, values: Values, headers: Readonly<Record<string, string>> = {}) => {
  const search = new URLSearchParams(values.map(([name, value]): [string, string] => [name!, value!]));
  return served.served.call('GET', `/v1/photon/${operation}?${search}`, { headers });
};
interface Feature {
  readonly properties: Record<string, unknown>;
  readonly geometry: { readonly coordinates: readonly [number, number] };
}
const found = async (...asked: Parameters<typeof ask>): Promise<Feature[]> => {
  const { status, json } = await ask(...asked);
  expect(status).toBe(200);
  expect([...Value.Errors(PhotonAnswer, json)]).toEqual([]);
  return json.features;
};
/** Elements of the results, `N60`. */
const ids = async (...asked: Parameters<typeof ask>): Promise<string[]> =>
  (await found(...asked)).map(({ properties }) => `${properties['osm_type']}${properties['osm_id']}`);

describe('/api', () => {
  test('gives a place with its element, tag and address', async () => {
    expect((await found('api', [['q', 'grand hot']]))[0]).toEqual({
      type: 'Feature',
      properties: {
        osm_type: 'N',
        osm_id: 60,
        osm_key: 'tourism',
        osm_value: 'hotel',
        type: 'house',
        name: 'Grand Hotel',
        housenumber: '4',
        street: 'Storgatan',
        city: 'Testby',
        state: 'Testlän',
        postcode: '123 45',
        country: 'Sverige',
        countrycode: 'SE',
      },
      geometry: { type: 'Point', coordinates: [12.0008, 58.0019] },
    });
  });

  test('a town has its box as west, north, east, south', async () => {
    const [town] = await found('api', [['q', 'Testby']]);
    expect(town!.properties).toMatchObject({
      osm_type: 'R',
      osm_id: 930,
      type: 'city',
      name: 'Testby',
      extent: [11.998, 58.006, 12.006, 57.998],
    });
    expect(town!.properties['city']).toBeUndefined();
  });

  test('the last word may be incomplete', async () => {
    expect(await ids('api', [['q', 'Malmk']])).toEqual(['N31']);
  });

  test('lang, else the header, selects the language of names', async () => {
    const name = async (values: Values, header = 'ru') =>
      (
        await found('api', [['q', 'Kaffé Ångström'], ['limit', '1'], ...values], {
          'accept-language': header,
        })
      )[0]!.properties['name'];
    expect(await name([['lang', 'en']])).toBe('Steam Coffee');
    expect(await name([])).toBe('Кофе Ангстрем');
    expect(await name([['lang', 'default']])).toBe('Kaffé Ångström');
    expect(await name([['lang', 'de']])).toBe('Kaffé Ångström');
  });

  test('limit bounds the results; numbers outside 1 to 50 are moved to these', async () => {
    const count = async (limit: string) =>
      (
        await ids('api', [
          ['q', 'kaf'],
          ['limit', limit],
        ])
      ).length;
    expect([await count('1'), await count('-3'), await count('999')]).toEqual([1, 1, 2]);
  });

  test('places near lat and lon come first', async () => {
    const near = (...more: [string, string][]) =>
      ids('api', [['q', 'Storgatan'], ['lat', '58.002'], ['lon', '12.1'], ['layer', 'street'], ...more]);
    expect(
      await ids('api', [
        ['q', 'Storgatan'],
        ['layer', 'street'],
      ]),
    ).toEqual(['W103', 'W107']);
    expect(await near(['zoom', '18'])).toEqual(['W107', 'W103']);
    // With this zoom the whole country is near; then importance decides.
    expect(await near(['zoom', '5'], ['location_bias_scale', '1'])).toEqual(['W103', 'W107']);
    expect(await near(['zoom', '4'])).toEqual(['W103', 'W107']);
  });

  test('location_bias_scale weighs importance against nearness', async () => {
    const near = (scale: string) =>
      ids('api', [
        ...([
          ['q', 'Storgatan'],
          ['layer', 'street'],
          ['lat', '58.002'],
          ['lon', '12.055'],
        ] as const),
        ...([
          ['zoom', '12'],
          ['location_bias_scale', scale],
        ] as const),
      ]);
    expect(await near('0')).toEqual(['W107', 'W103']);
    expect(await near('1')).toEqual(['W103', 'W107']);
  });

  test('bbox keeps what is in it', async () => {
    expect(
      await ids('api', [
        ['q', 'Storgatan'],
        ['bbox', '12.09,57.9,12.2,58.1'],
      ]),
    ).toEqual(['W107']);
  });

  test('countrycode may be repeated', async () => {
    const count = async (...codes: string[]) =>
      (await ids('api', [['q', 'Testby'], ...codes.map((code) => ['countrycode', code] as const)])).length;
    expect(await count('NO', 'se')).toBeGreaterThan(0);
    expect(await count('NO', 'DK')).toBe(0);
  });

  test.each([
    [['tourism'], ['N60']],
    [['tourism:hotel'], ['N60']],
    [[':station'], ['N61']],
    [['!amenity', '!place', '!highway', '!boundary', '!railway'], ['N60']],
    [
      ['railway', 'tourism'],
      ['N60', 'N61'],
    ],
    [['tourism:!hotel'], []],
    [['tourism:hotel', ':!hotel'], []],
    [['!tourism:hotel', 'tourism', 'railway:station'], ['N61']],
  ])('osm_tag %j', async (tags, expected) => {
    const values: Values = tags.map((tag) => ['osm_tag', tag]);
    const results = [
      ...(await ids('api', [['q', 'Grand Hotel'], ...values])),
      ...(await ids('api', [['q', 'Testby central'], ['limit', '1'], ...values])),
    ];
    expect([...new Set(results)].toSorted()).toEqual(expected);
  });

  test('layer may be repeated', async () => {
    const layered = (...layers: string[]) =>
      ids('api', [['q', 'Testby'], ...layers.map((layer) => ['layer', layer] as const)]);
    expect(await layered('city')).toEqual(['R930']);
    expect(await layered('house')).toEqual(['N61']);
    expect(await layered('house', 'city')).toEqual(['R930', 'N61']);
    expect(
      await ids('api', [
        ['q', 'Toppen'],
        ['layer', 'other'],
      ]),
    ).toEqual(['N62']);
    expect(
      await ids('api', [
        ['q', 'Storgatan 2'],
        ['layer', 'street'],
      ]),
    ).toContain('W103');
  });

  test('include and exclude filter by the category of the tag', async () => {
    const filtered = (...values: [string, string][]) => ids('api', [['q', 'Testby'], ...values]);
    expect(await filtered(['include', 'osm.railway'])).toEqual(['N61']);
    expect(await filtered(['include', 'osm.tourism,osm.railway.station'])).toEqual(['N61']);
    expect(await filtered(['include', 'osm.tourism'], ['include', 'osm.railway'])).toEqual([]);
    expect(await filtered(['exclude', 'osm.railway'])).toEqual(['R930']);
    expect(await filtered(['exclude', 'osm.railway,osm.tourism'])).toEqual(['R930', 'N61']);
  });
});

describe('/reverse', () => {
  const at = [
    ['lat', '58.0019'],
    ['lon', '12.0005'],
  ] as const;

  test('gives the nearest place', async () => {
    const [place, ...more] = await found('reverse', at);
    expect(more).toEqual([]);
    expect(place!.properties).toMatchObject({ osm_id: 42, housenumber: '2', street: 'Storgatan' });
  });

  test('limit gives more, the nearest first, each element once', async () => {
    const places = await found('reverse', [...at, ['limit', '6'], ['lang', 'default']]);
    expect(places).toHaveLength(6);
    const known = places.map(({ properties }) => `${properties['osm_type']}${properties['osm_id']}`);
    expect(new Set(known).size).toBe(6);
    const street = places.find(({ properties }) => properties['type'] === 'street')!;
    expect(street.geometry.coordinates).toEqual([12.0005, 58.002]);
  });

  test('distance_sort=false gives the most important of these first', async () => {
    const of = async (sorted: string) =>
      (await found('reverse', [...at, ['limit', '3'], ['distance_sort', sorted]])).map(
        ({ properties }) => properties['type'],
      );
    expect((await of('true'))[0]).toBe('house');
    expect((await of('false'))[0]).toBe('street');
  });

  test('radius in kilometres bounds how far a place may be', async () => {
    const station = [...at, ['osm_tag', 'railway:station']] as const;
    expect(await ids('reverse', [...station, ['radius', '0.1']])).toEqual([]);
    expect(await ids('reverse', [...station, ['radius', '0.5']])).toEqual(['N61']);
    expect(await ids('reverse', station)).toEqual(['N61']);
    expect(await ids('reverse', [...at, ['radius', '20'], ['layer', 'city'], ['limit', '9']])).toEqual([
      'R930',
      'N31',
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['api', [], 'q parameter is required.'],
    ['api', [['q', ' ']], 'q parameter is required.'],
    ['api', [['q', 'a'.repeat(201)]], /maximum is 200/],
    [
      'api',
      [
        ['q', 'a'],
        ['limit', 'x'],
      ],
      /'limit' must be a number/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['lang', '../etc'],
      ],
      /'lang'/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['lat', '91'],
        ['lon', '1'],
      ],
      /'lat' must be between/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['lat', '9'],
      ],
      "Missing parameter 'lon'.",
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['lon', '9'],
      ],
      "Missing parameter 'lat'.",
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['zoom', '1.5'],
      ],
      /'zoom' must be a number/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['bbox', '1,2,3'],
      ],
      /^Invalid number of supplied coordinates/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['bbox', '1,2,3,91'],
      ],
      /^Invalid bounds/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['countrycode', 'SWE'],
      ],
      /countrycode/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['layer', 'road'],
      ],
      /^Unknown layer type/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['osm_tag', 'a:b:c'],
      ],
      'Invalid format for osm_tag parameter.',
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['osm_tag', '!'],
      ],
      'Invalid format for osm_tag parameter.',
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['include', 'osm'],
      ],
      "Invalid category pattern in 'include'.",
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['exclude', 'a.b.c.d.e'],
      ],
      "Invalid category pattern in 'exclude'.",
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['debug', '1'],
      ],
      /'debug' is not supported/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['geometry', 'true'],
      ],
      /^Geometry output requested/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['suggest_addresses', 'true'],
      ],
      /suggest_addresses/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['dedupe', '0'],
      ],
      /dedupe/,
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['dedupe', 'maybe'],
      ],
      "Parameter 'dedupe' must be true or false.",
    ],
    [
      'api',
      [
        ['q', 'a'],
        ['foo', '1'],
      ],
      /^Unknown query parameter 'foo'\. {2}Allowed parameters are: \[q, lat/,
    ],
    ['reverse', [['lat', '1']], "Missing parameter 'lon'."],
    [
      'reverse',
      [
        ['lat', 'x'],
        ['lon', '1'],
      ],
      /'lat' must be a number/,
    ],
    [
      'reverse',
      [
        ['lat', '1'],
        ['lon', '1'],
        ['radius', '5000'],
      ],
      /'radius' must be between 0 and 20/,
    ],
    [
      'reverse',
      [
        ['lat', '1'],
        ['lon', '1'],
        ['distance_sort', 'up'],
      ],
      /distance_sort/,
    ],
    [
      'reverse',
      [
        ['lat', '1'],
        ['lon', '1'],
        ['query_string_filter', 'a'],
      ],
      /query_string_filter/,
    ],
    [
      'reverse',
      [
        ['lat', '1'],
        ['lon', '1'],
        ['q', 'a'],
      ],
      /^Unknown query parameter 'q'/,
    ],
  ] as const)('/%s of %j is refused with a sentence', async (operation, values, message) => {
    const { status, json } = await ask(operation, values);
    expect(status).toBe(400);
    expect(json).toEqual({ message: typeof message === 'string' ? message : expect.stringMatching(message) });
  });

  test('a parameter that is no list is refused when it is repeated', async () => {
    const { status, json } = await ask('api', [
      ['q', 'a'],
      ['q', 'b'],
    ]);
    expect([status, json.code]).toEqual([400, 'malformed-request']);
  });
});
