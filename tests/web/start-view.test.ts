import { expect, test } from 'vitest';
import { startView } from '#web/map/start-view.js';

const middle = { lat: 35.9, lng: 14.46 };

test('the map opens on 8 km around the middle of the town, however far the extract reaches', () => {
  const [west, south, east, north] = startView({ bounds: [14.18, 35.8, 14.84, 36.72], middle });
  expect((west + east) / 2).toBeCloseTo(14.46, 6);
  expect((south + north) / 2).toBeCloseTo(35.9, 6);
  expect((north - south) * 111.2).toBeCloseTo(8, 1);
  expect((east - west) * 111.2 * Math.cos((35.9 * Math.PI) / 180)).toBeCloseTo(8, 1);
});

test('the map of a smaller town opens with the whole town', () => {
  const bounds = [14.45, 35.895, 14.465, 35.905];
  expect(startView({ bounds, middle })).toEqual(bounds);
});
