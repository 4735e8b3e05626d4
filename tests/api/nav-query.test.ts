import { expect, test } from 'vitest';
import { parseNavQuery } from '#api/nav/nav-query.js';

const rules = { coverage: [11.8, 57.6, 12.1, 57.8], languages: ['en', 'sv', 'pt-BR'] } as const;
const places = { origin: '57.70,11.90', destination: '57.71,11.95' };
const parse = (over: object) => {
  const outcome = parseNavQuery({ ...places, ...over }, rules);
  return outcome.ok ? outcome.query : outcome.errors;
};

test('defaults to one driving route in English and metres', () => {
  expect(parse({})).toEqual({
    origin: { kind: 'point', at: { lat: 57.7, lng: 11.9 } },
    destination: { kind: 'point', at: { lat: 57.71, lng: 11.95 } },
    request: {
      mode: 'driving',
      avoid: [],
      alternatives: 0,
      language: 'en',
    },
    units: 'metric',
    debug: false,
    waypoints: [],
  });
});

test("accepts Google's words for what to avoid next to ours, each once", () => {
  expect(parse({ avoid: 'tolls|highways|motorways,ferries|' })).toMatchObject({
    request: { avoid: ['tolls', 'motorways', 'ferries'] },
  });
});

test('cycling means bicycling, and a regional language falls back to its base', () => {
  expect(parse({ mode: 'cycling', language: 'sv-SE' })).toMatchObject({
    request: { mode: 'bicycling', language: 'sv' },
  });
  expect(parse({ language: 'pt-br' })).toMatchObject({ request: { language: 'pt-BR' } });
});

test('reports all faults at once, each at its parameter', () => {
  expect(
    parse({
      origin: '57.7',
      destination: '11.95,57.71',
      avoid: 'bears',
      language: 'tlh',
      departure_time: 'soon',
    }),
  ).toEqual([
    { pointer: '/query/origin', message: expect.stringMatching(/Write the place as/) },
    { pointer: '/query/destination', message: expect.stringMatching(/Did you swap/) },
    {
      pointer: '/query/avoid',
      message: '"bears" cannot be avoided. Use tolls, motorways, ferries, unpaved.',
    },
    { pointer: '/query/language', message: 'Not available. Use en, sv, pt-BR.' },
    { pointer: '/query/departure_time', message: expect.stringMatching(/Unix seconds/) },
  ]);
});

test.each(['__proto__', 'constructor', 'toString'])(
  'rejects the value %s, a property of every object',
  (avoid) => {
    expect(parse({ avoid })).toMatchObject([{ pointer: '/query/avoid' }]);
  },
);

test('text with letters is an address, and place_id takes an id of the geocoder', () => {
  expect(parse({ origin: 'Avenyn 1', destination: 'place_id:n17.4' })).toMatchObject({
    origin: { kind: 'address', text: 'Avenyn 1' },
    destination: { kind: 'id', placeId: 'n17.4' },
  });
});

test('a departure is now, Unix seconds or RFC 3339, within a year and not in the past', () => {
  const at = Date.parse('2026-11-21T12:00:00Z');
  const departure = (text: string) => {
    const outcome = parseNavQuery({ ...places, departure_time: text }, { ...rules, nowMs: () => at });
    return outcome.ok ? outcome.query.request.departureMs : outcome.errors[0]!.pointer;
  };
  expect(departure('now')).toBeUndefined();
  expect(departure(String(at / 1_000 + 60))).toBe(at + 60_000);
  expect(departure('2026-11-22T07:30:00+01:00')).toBe(Date.parse('2026-11-22T06:30:00Z'));
  for (const wrong of ['2020-01-01T00:00:00Z', '99999999999', 'tomorrow', '2026-13-45T99:00:00Z', '-1'])
    expect(departure(wrong)).toBe('/query/departure_time');
});
