import { describe, expect, it } from 'vitest';
import { checkLine } from '#bench/routing/check-line.js';
import { judgeRoute } from '#bench/routing/legal-route.js';
import { RawMap } from '#bench/routing/raw-map.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';

const tags = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words));

/**
 * ```
 *   4           5
 *   |12 (1-way  |13 footway
 *   |  down)    |
 *   2 ---11---- 3 ---14--- 6 (bollard) ---- 7
 *   |10         |
 *   1           |15 private
 *               8 ---16--- 9
 *   20 -21- 22 (private gate) -23- 24 -25- 26
 *                                  | 27, private
 *                                  28
 * ```
 */
function town(): RawMap {
  const map = new RawMap();
  const { sink } = map;
  for (let id = 1; id <= 9; id++)
    sink.node(id, id * 1_000, 0, id === 6 ? tags({ barrier: 'bollard' }) : undefined);
  const street = { highway: 'residential' };
  sink.way(10, [1, 2], tags(street));
  sink.way(11, [2, 3], tags(street));
  sink.way(12, [4, 2], tags({ ...street, oneway: 'yes' }));
  sink.way(13, [3, 5], tags({ highway: 'footway' }));
  sink.way(14, [3, 6, 7], tags(street));
  sink.way(15, [3, 8], tags({ highway: 'service', access: 'private' }));
  sink.way(16, [8, 9], tags({ highway: 'service' }));
  sink.way(17, [3, 10], tags({ highway: 'footway', bicycle: 'no' }));
  sink.way(18, [3, 11], tags({ ...street, bicycle: 'dismount' }));
  for (const id of [20, 22, 24, 26, 28])
    sink.node(id, id * 1_000, 0, id === 22 ? tags({ barrier: 'gate', access: 'private' }) : undefined);
  sink.way(21, [20, 22], tags(street));
  sink.way(23, [22, 24], tags(street));
  sink.way(25, [24, 26], tags(street));
  sink.way(27, [24, 28], tags({ highway: 'service', access: 'private' }));
  const way = (id: number, role: string) => ({ type: 'way' as const, id, role });
  sink.relation(
    1,
    [way(12, 'from'), { type: 'node', id: 2, role: 'via' }, way(10, 'to')],
    tags({ type: 'restriction', restriction: 'only_straight_on' }),
  );
  sink.relation(
    2,
    [way(10, 'from'), way(11, 'via'), way(14, 'to')],
    tags({ type: 'restriction', restriction: 'no_straight_on', except: 'bicycle' }),
  );
  return map;
}

const wrongs = (ids: readonly string[], mode: TravelMode = 'driving'): readonly string[] =>
  judgeRoute(town(), ids, mode).wrongs;

describe('the route checker of the routing bench', () => {
  it('accepts a legal route and counts the restrictions that it meets', () => {
    expect(judgeRoute(town(), ['12:4-2+', '10:2-1-'], 'driving')).toEqual({ wrongs: [], restrictionsMet: 1 });
    expect(wrongs(['10:1-2+', '11:2-3+', '15:3-8+'])).toEqual([]);
  });

  it('finds each kind of violation', () => {
    expect(wrongs(['12:2-4-'])).toEqual(['against the one-way 12 at 2']);
    expect(wrongs(['13:3-5+'])).toEqual(['way 13 is closed to driving']);
    expect(wrongs(['14:3-6+', '14:6-7+'])).toEqual(['through the barrier 6']);
    expect(wrongs(['14:3-7+'])).toEqual(['through the barrier 6']);
    expect(wrongs(['10:1-2+', '14:3-6+'])).toEqual(['a gap between nodes 2 and 3']);
    expect(wrongs(['12:4-2+', '11:2-3+'])).toEqual(['restriction 1 at node 2']);
    expect(wrongs(['10:1-2+', '11:2-3+', '14:3-6+'])).toEqual(['restriction 2 at node 2']);
    expect(wrongs(['11:2-3+', '15:3-8+', '16:8-9+'])).toEqual(['passes through 15, which is for visitors']);
    expect(wrongs(['99:1-2+'])).toEqual(['99:1-2+: no such stretch in the extract']);
  });

  it('knows which rules apply to which mode', () => {
    expect(wrongs(['12:2-4-'], 'walking')).toEqual([]);
    expect(wrongs(['13:3-5+'], 'walking')).toEqual([]);
    expect(wrongs(['12:4-2+', '11:2-3+'], 'walking')).toEqual([]);
    expect(wrongs(['10:1-2+', '11:2-3+', '14:3-6+'], 'bicycling')).toEqual([]);
  });

  it('lets a bicycle be pushed where walking is legal and no tag closes the way to bicycles', () => {
    expect(wrongs(['12:2-4-'], 'bicycling')).toEqual([]);
    expect(wrongs(['13:3-5+'], 'bicycling')).toEqual([]);
    expect(wrongs(['17:3-10+'], 'bicycling')).toEqual(['way 17 is closed to bicycling']);
    expect(wrongs(['18:3-11+'], 'bicycling')).toEqual([]);
  });

  it('allows a private gate to those who begin or end behind it', () => {
    expect(wrongs(['21:20-22+', '23:22-24+'])).toEqual([]);
    expect(wrongs(['27:28-24-', '23:24-22-', '21:22-20-'])).toEqual([]);
    const through = ['25:26-24-', '23:24-22-', '21:22-20-'];
    // Its last piece of road is that at the gate.
    expect(wrongs(through)).toEqual([]);
    const map = town();
    map.sink.way(29, [20, 30], tags({ highway: 'residential' }));
    expect(judgeRoute(map, [...through, '29:20-30+'], 'driving').wrongs).toEqual([
      'passes through 23, which is for visitors',
      'passes through 21, which is for visitors',
    ]);
  });

  it('allows turning back before a barrier', () => {
    expect(wrongs(['14:3-6+', '14:6-3-'])).toEqual([]);
  });

  it('detects a line that leaves the surveyed roads', () => {
    const ids = ['10:1-2+', '11:2-3+'];
    const line = Float64Array.from([0, 0, 2_000 / 1e7, 0, 3_000 / 1e7, 0, 1, 1]);
    expect(checkLine(town(), ids, line, 'driving')).toEqual([]);
    line[2] = 2_500 / 1e7;
    expect(checkLine(town(), ids, line, 'driving')).toHaveLength(1);
    const apart = Float64Array.from([0, 0, 1_000 / 1e7, 0, 3_000 / 1e7, 0, 1, 1]);
    expect(checkLine(town(), ids, apart, 'driving')).toEqual(['no way leads from 1000 0 to 3000 0']);
  });

  /**
   * ```
   *   4-----------3
   *   |   8---7   |
   *   |   |   |   |
   *   |   5---6   |
   *   1-----------2
   * ```
   */
  function square(): RawMap {
    const map = new RawMap();
    const places = [
      ...[
        [0, 0],
        [3, 0],
        [3, 3],
        [0, 3],
      ],
      ...[
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 2],
      ],
    ] as const;
    for (const [at, [x, y]] of places.entries()) map.sink.node(at + 1, x! * 1_000, y! * 1_000, undefined);
    map.sink.way(1, [1, 2, 3, 4, 1], tags({}));
    map.sink.way(2, [5, 6, 7, 8, 5], tags({}));
    map.sink.way(3, [1, 2, 3, 4, 1], tags({ highway: 'pedestrian', area: 'yes' }));
    const member = (id: number, role: string) => ({ type: 'way' as const, id, role });
    const members = [member(1, 'outer'), member(2, 'inner')];
    map.sink.relation(1, members, tags({ type: 'multipolygon', highway: 'pedestrian' }));
    return map;
  }

  it('lets people on foot go straight inside an area, and nowhere else', () => {
    const judged = (id: string, mode: TravelMode = 'walking') => judgeRoute(square(), [id], mode).wrongs;
    for (const id of ['1:1-5+', '1:5-6+', '1:2-3-', '3:1-3+']) expect(judged(id), id).toEqual([]);
    for (const id of ['1:1-3+', '1:5-7+', '1:4-6+'])
      expect(judged(id), id).toEqual([`${id}: no such stretch in the extract`]);
    expect(judged('1:1-5+', 'bicycling')).toHaveLength(1);
    const across = Float64Array.from([0, 0, 0, 0, 3_000 / 1e7, 3_000 / 1e7, 0, 0]);
    expect(checkLine(square(), ['3:1-3+'], across, 'walking')).toEqual([]);
    expect(checkLine(square(), ['3:1-3+'], across, 'driving')).toEqual([
      'no way leads from 0 0 to 3000 3000',
    ]);
  });
});
