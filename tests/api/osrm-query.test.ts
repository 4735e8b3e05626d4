import { expect, test } from 'vitest';
import { parseOsrmQuery } from '#api/nav/osrm-query.js';

const parse = (over: Partial<Parameters<typeof parseOsrmQuery>[0]>) =>
  parseOsrmQuery({ profile: 'driving', coordinates: '11.96,57.70;11.97,57.71', ...over }, ['en', 'de']);

test('reads what OSRM clients send', () => {
  expect(
    parse({
      profile: 'foot',
      alternatives: 'true',
      steps: 'true',
      overview: 'false',
      geometries: 'polyline6',
      language: 'de-AT',
      exclude: 'toll,ferry',
    }),
  ).toEqual({
    mode: 'walking',
    coordinates: [
      { lng: 11.96, lat: 57.7 },
      { lng: 11.97, lat: 57.71 },
    ],
    alternatives: 2,
    steps: true,
    overview: false,
    geometries: 'polyline6',
    language: 'de',
    avoid: ['tolls', 'ferries'],
  });
});

test.each([
  [{ profile: 'rocket' }, 'InvalidValue'],
  [{ profile: '__proto__' }, 'InvalidValue'],
  [{ coordinates: '11.96,57.70' }, 'InvalidOptions'],
  [{ coordinates: '' }, 'InvalidQuery'],
  [{ coordinates: 'a,b;c,d' }, 'InvalidQuery'],
  [{ coordinates: '11.96,57.7,3;11.97,57.71' }, 'InvalidQuery'],
  [{ coordinates: '57.7,111.96;57.7,11.96' }, 'InvalidQuery'],
  [{ coordinates: '181,57.70;11.97,57.71' }, 'InvalidQuery'],
  [{ coordinates: Array(13).fill('11,57').join(';') }, 'TooBig'],
  [{ geometries: 'wkt' }, 'InvalidValue'],
  [{ overview: 'some' }, 'InvalidValue'],
  [{ alternatives: '-1' }, 'InvalidValue'],
  [{ exclude: 'bears' }, 'InvalidValue'],
])('F: %j is %s', (over, code) => expect(parse(over)).toMatchObject({ code, message: expect.any(String) }));

test('an unknown language is English, and a way through several places has no alternatives', () => {
  expect(parse({ language: 'tlh' })).toMatchObject({ language: 'en' });
  expect(parse({ coordinates: '1,2;3,4;5,6', alternatives: 'true' })).toMatchObject({ alternatives: 0 });
});
