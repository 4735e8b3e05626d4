import { expect, it } from 'vitest';
import { wayName } from '#osm/profiles/way-name.js';

it.each([
  [{ highway: 'footway', name: 'Own' }, 'Own'],
  [{ highway: 'footway', footway: 'sidewalk', name: 'Own', 'street:name': 'Street' }, 'Own'],
  [{ highway: 'footway', footway: 'sidewalk', 'street:name': 'Street' }, 'Street'],
  [{ highway: 'cycleway', cycleway: 'sidepath', 'is_sidepath:of:name': 'Road' }, 'Road'],
  [{ highway: 'path', path: 'sidepath', 'is_sidepath:of:name': 'Road', 'street:name': 'Street' }, 'Road'],
  [{ highway: 'path', is_sidepath: 'yes', 'street:name': 'Street' }, 'Street'],
  // Not beside a road, or the road itself.
  [{ highway: 'path', is_sidepath: 'no', 'street:name': 'Street' }, ''],
  [{ highway: 'cycleway', 'is_sidepath:of:name': 'Road' }, ''],
  [{ highway: 'residential', is_sidepath: 'yes', 'street:name': 'Street' }, ''],
])('the name of a way beside a road is that of the road: %o', (tags, name) => {
  expect(wayName(new Map(Object.entries(tags)))).toBe(name);
});
