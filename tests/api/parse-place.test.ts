import { expect, test } from 'vitest';
import { parsePlace } from '#api/nav/parse-place.js';

const gothenburg = [11.8, 57.6, 12.1, 57.8] as const;
const message = (text: string): string => {
  const outcome = parsePlace(text, gothenburg);
  return outcome.ok ? 'ok' : outcome.message;
};

test('reads lat,lng with spaces, signs and any number of decimals', () => {
  expect(parsePlace('57.7089,11.9746', gothenburg)).toEqual({
    ok: true,
    place: { lat: 57.7089, lng: 11.9746 },
  });
  expect(parsePlace(' +57.7 , 11.9000000 ', gothenburg)).toEqual({
    ok: true,
    place: { lat: 57.7, lng: 11.9 },
  });
});

test.each([
  'Avenyn 1',
  '',
  ',',
  '57.7',
  '57.7,',
  '57.7,11.9,3',
  '57.7;11.9',
  'NaN,11',
  'Infinity,1',
  '5e1,11',
  '0x39,11',
  '57.7,11.9<script>',
  `57.${'7'.repeat(150)},11`,
])('rejects %j and says how to write it', (text) =>
  expect(message(text)).toMatch(/Write the place as an address, or as `lat,lng`/),
);

test('asks whether lat and lng were swapped when the mirrored place is on the map', () => {
  expect(message('11.9746,57.7089')).toMatch(/Did you swap lat and lng\?/);
  expect(message('120.5,57.7')).toMatch(/latitude 120.5 .* Did you swap/);
});

test('leaves a place far off the map to the road search, but rejects a longitude beyond 180', () => {
  expect(message('59.3,18.1')).toBe('ok');
  expect(message('59.3,181')).toMatch(/longitude 181/);
});
