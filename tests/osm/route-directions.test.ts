import { expect, test } from 'vitest';
import { routeDirections, signedRoutes } from '#osm/elements/route-directions.js';
import { readRules } from '#osm/profiles/read-way.js';
import type { OsmMember } from '#schemas/osm-sink.js';
import { readDirections } from '#tile-builder/graph/read-directions.js';

type Tags = Readonly<Record<string, string>>;
const tagMap = (tags: Tags) => new Map(Object.entries(tags));
const route = (id: number, role: string, tags: Tags, member: OsmMember['type'] = 'way') => ({
  id,
  members: [{ type: member, id: member === 'way' ? 7 : 1, role }],
  tags: tagMap({ type: 'route', route: 'road', ...tags }),
});
const i80 = { network: 'US:I', ref: '80' };

/** The directions of way 7 along and against its drawn direction. */
function said(relations: ReturnType<typeof route>[], way: Tags = {}): [string, string] {
  const tags = tagMap({ highway: 'motorway', ref: 'I 80', ...way });
  const text = routeDirections(relations).get(7) ?? '';
  const { along, against } = readDirections(tags, readRules(tags, 0, undefined)!, text);
  return [along, against];
}

test('the direction is that of the role, of the relation, or of the one that it belongs to', () => {
  expect(said([route(1, 'west', i80)])).toEqual(['west', '']);
  expect(said([route(1, '', { ...i80, direction: 'west' })])).toEqual(['west', '']);
  expect(said([route(1, 'forward', { ...i80, direction: 'west' })])).toEqual(['west', '']);
  for (const [role, tags] of [
    ['west', {}],
    ['', { direction: 'west' }],
  ] as const)
    expect(said([route(1, 'forward', i80), route(2, role, { ref: '80', ...tags }, 'relation')])).toEqual([
      'west',
      '',
    ]);
  expect(said([route(1, 'west', i80)], { oneway: '-1' })).toEqual(['', 'west']);
  expect(signedRoutes('')).toEqual([]);
});

test.each([
  ['a role and a tag', [route(1, 'east', { ...i80, direction: 'west' })]],
  ['a role and a relation above', [route(1, 'east', i80), route(2, 'west', i80, 'relation')]],
  ['two relations', [route(1, 'east', i80), route(3, 'west', i80)]],
])('F: %s that say different things say nothing', (_, relations) => {
  expect(said(relations)).toEqual(['', '']);
});

test('F: other routes, numbers, words and directions of travel do not count', () => {
  expect(said([route(1, 'west', { ...i80, route: 'bus' })])).toEqual(['', '']);
  expect(said([route(1, 'west', { network: 'US:I', ref: '8' })])).toEqual(['', '']);
  expect(said([route(1, 'west', { network: 'US:US', ref: '80' })], { ref: 'I 80' })).toEqual(['', '']);
  expect(said([route(1, 'link', { ...i80, direction: 'clockwise' })])).toEqual(['', '']);
  expect(said([route(1, 'backward', { ...i80, direction: 'west' })])).toEqual(['', '']);
  expect(said([route(1, 'west', i80)], { oneway: 'no' })).toEqual(['', '']);
});

test('each of several numbers has its own', () => {
  const relations = [route(1, 'west', i80), route(2, 'north', { network: 'US:CO', ref: '93' })];
  expect(said(relations, { ref: 'I 80;CO 93' })).toEqual(['west;north', '']);
  expect(said(relations, { ref: 'E 1;CO-93' })).toEqual([';north', '']);
  const around = [
    route(1, 'forward', { ...i80, direction: 'west' }),
    route(3, 'backward', { ...i80, direction: 'east' }),
  ];
  expect(said(around, { oneway: 'no' })).toEqual(['west', 'east']);
});
