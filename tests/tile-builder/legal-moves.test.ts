import { expect, it } from 'vitest';
import { LegalMoves } from './legal-moves.js';
import { type Fixture, playFixture } from './osm-fixture.js';

/**
 * 1 –10– 2 –11– 3, with a branch 2 –12– 4 (one-way towards 2) and a footway 2 –13– 5; a bollard at 6 on way
 * 14.
 */
const fixture: Fixture = {
  nodes: [1, 2, 3, 4, 5, 6, 7].map((id) => ({
    id,
    lng: id,
    lat: 0,
    ...(id === 6 ? { tags: { barrier: 'bollard' } } : {}),
  })),
  ways: [
    { id: 10, refs: [1, 2], tags: { highway: 'residential' } },
    { id: 11, refs: [2, 3], tags: { highway: 'residential' } },
    { id: 12, refs: [4, 2], tags: { highway: 'residential', oneway: 'yes' } },
    { id: 13, refs: [2, 5], tags: { highway: 'footway' } },
    { id: 14, refs: [3, 6, 7], tags: { highway: 'residential' } },
    { id: 15, refs: [3, 4], tags: { highway: 'service', access: 'private' } },
    { id: 16, refs: [4, 8], tags: { highway: 'service' } },
  ],
  relations: [
    {
      id: 1,
      members: [
        { type: 'way', id: 10, role: 'from' },
        { type: 'way', id: 11, role: 'via' },
        { type: 'way', id: 15, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: 'no_right_turn' },
    },
    {
      id: 2,
      members: [
        { type: 'way', id: 12, role: 'from' },
        { type: 'node', id: 2, role: 'via' },
        { type: 'way', id: 10, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: 'only_left_turn' },
    },
  ],
};

const judge = (ids: string[], mode: 'driving' | 'walking' = 'driving'): string[] => {
  const legal = new LegalMoves();
  playFixture(fixture, legal.sink);
  return legal.judge(ids, mode);
};

it('the route checker finds each kind of violation', () => {
  expect(judge(['10:1-2+', '11:2-3+'])).toEqual([]);
  expect(judge(['12:2-4-'])).toEqual(['12:2-4-: against the one-way']);
  expect(judge(['12:2-4-'], 'walking')).toEqual([]);
  expect(judge(['13:2-5+'])).toEqual(['13:2-5+: not a road for this mode']);
  expect(judge(['14:3-7+'])).toEqual(['14:3-7+: through the barrier 6']);
  expect(judge(['14:3-6+', '14:6-7+'])).toEqual(['14:6-7+: through the barrier 6']);
  expect(judge(['10:1-2+', '14:3-6+'])).toEqual(['10:1-2+ and 14:3-6+ do not meet']);
  expect(judge(['12:4-2+', '11:2-3+'])).toEqual(['12:4-2+ → 11:2-3+: only_left_turn']);
  expect(judge(['12:4-2+', '10:2-1-'])).toEqual([]);
  expect(judge(['10:1-2+', '11:2-3+', '15:3-4+'])).toEqual(['10:1-2+ … 15:3-4+: no_right_turn over 11']);
  expect(judge(['11:2-3+', '15:3-4+', '16:4-8+'])).toEqual(['15:3-4+: through a private road']);
  expect(judge(['99:1-2+'])).toEqual(['99:1-2+: no such way']);
});
