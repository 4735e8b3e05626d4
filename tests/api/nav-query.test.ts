import { expect, test } from 'vitest';
import { parseNavQuery } from '#api/nav/nav-query.js';

const rules = { coverage: [11.8, 57.6, 12.1, 57.8], languages: ['en', 'sv', 'pt-BR'] } as const;
const places = { origin: '57.70,11.90', destination: '57.71,11.95' };
const parse = (over: object) => {
  const outcome = parseNavQuery({ ...places, ...over }, rules);
  return outcome.ok ? outcome.query : outcome.errors;
};

test('asks for one driven route in English and metres when nothing else is said', () => {
  expect(parse({})).toEqual({
    request: {
      origin: { lat: 57.7, lng: 11.9 },
      destination: { lat: 57.71, lng: 11.95 },
      mode: 'driving',
      avoid: [],
      alternatives: 0,
      language: 'en',
    },
    units: 'metric',
  });
});

test("takes Google's words for what to avoid beside ours, each once", () => {
  expect(parse({ avoid: 'tolls|highways|motorways,ferries|' })).toMatchObject({
    request: { avoid: ['tolls', 'motorways', 'ferries'] },
  });
});

test('cycling is bicycling, a regional language is served by its base', () => {
  expect(parse({ mode: 'cycling', language: 'sv-SE' })).toMatchObject({
    request: { mode: 'bicycling', language: 'sv' },
  });
  expect(parse({ language: 'pt-br' })).toMatchObject({ request: { language: 'pt-BR' } });
});

test('tells all faults at once, each at its parameter', () => {
  expect(parse({ origin: 'here', destination: '11.95,57.71', avoid: 'bears', language: 'tlh' })).toEqual([
    { pointer: '/query/origin', message: expect.stringMatching(/Write the place as/) },
    { pointer: '/query/destination', message: expect.stringMatching(/did you swap/) },
    {
      pointer: '/query/avoid',
      message: '"bears" cannot be avoided; these can: tolls, motorways, ferries, unpaved.',
    },
    { pointer: '/query/language', message: 'Not offered; these are: en, sv, pt-BR.' },
  ]);
});

test.each(['__proto__', 'constructor', 'toString'])('the name %s of every object is no word', (avoid) => {
  expect(parse({ avoid })).toMatchObject([{ pointer: '/query/avoid' }]);
});
