import { expect, test } from 'vitest';
import { distanceQuantity, durationQuantity } from '#api/nav/quantity-text.js';

test.each([
  [7.4, '7 m', 7],
  [347, '350 m', 347],
  [1_249, '1.2 km', 1_249],
  [23_600, '24 km', 23_600],
])('%d m reads %j', (metres, text, value) => {
  expect(distanceQuantity(metres, 'metric', 'en')).toEqual({ text, value });
});

test.each([
  [30, '100 ft'],
  [1_000, '0.6 mi'],
  [40_000, '25 mi'],
])('%d m in imperial units reads %j, and its value stays metres', (metres, text) => {
  expect(distanceQuantity(metres, 'imperial', 'en')).toEqual({ text, value: metres });
});

test.each([
  [0, '1 min'],
  [329, '5 min'],
  [3_600, '1 hr'],
  [4_330, '1 hr 12 min'],
])('%d s reads %j', (seconds, text) => {
  expect(durationQuantity(seconds, 'en')).toEqual({ text, value: seconds });
});

test('texts use the requested language', () => {
  expect(distanceQuantity(1_249, 'metric', 'de').text).toBe('1,2 km');
  expect(durationQuantity(4_330, 'sv').text).toBe('1 tim 12 min');
});
