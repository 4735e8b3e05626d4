import { expect, it } from 'vitest';
import { RawMap } from '#bench/routing/raw-map.js';
import { seeded } from '#bench/routing/seeded.js';
import { silentTurns } from '#bench/routing/silent-turns.js';
import { drawMap } from './ascii-map.js';
import { judgedRoutes } from './judged-routes.js';
import { randomTown } from './random-town.js';

it('the checker of silent turns finds them, and distinguishes plain bends from others', async () => {
  const map = new RawMap();
  const { idOf } = await drawMap(
    `
A--B--C
   |
D--E--F`,
    {
      ways: { BE: { name: 'AB' }, AB: { name: 'AB' }, BC: { oneway: '-1' }, DE: { oneway: 'yes' } },
      witness: map.sink,
    },
  );
  const along = (path: string, ...told: number[]): [string, boolean][] => {
    const ids = path
      .slice(1)
      .split('')
      .map((to, i) => idOf(path[i]!, to));
    return silentTurns(map, ids, new Set(told), 'driving').map(({ degrees, isPlainBend }) => [
      `${Math.round(degrees)}`,
      isPlainBend,
    ]);
  };
  expect(along('ABE')).toEqual([['90', true]]);
  expect(along('CBE')).toEqual([['-90', false]]);
  expect(along('CBE', 1)).toEqual([]);
  expect(along('BEF')).toEqual([['-90', false]]);
  expect(along('DEF')).toEqual([]);
});

it('the checker sees no continuation for cars on a private footway', async () => {
  const bendBeside = async (footway: Record<string, string>): Promise<boolean[]> => {
    const map = new RawMap();
    const { idOf } = await drawMap(
      `
A--B--C
   |
   E`,
      { ways: { AB: { name: 'AB' }, BE: { name: 'AB' }, BC: footway }, witness: map.sink },
    );
    const turns = silentTurns(map, [idOf('A', 'B'), idOf('B', 'E')], new Set(), 'driving');
    return turns.map(({ isPlainBend }) => isPlainBend);
  };
  expect(await bendBeside({ highway: 'footway', access: 'private' })).toEqual([]);
  expect(await bendBeside({ highway: 'footway', motor_vehicle: 'destination' })).toEqual([false]);
  expect(await bendBeside({ highway: 'service', access: 'private' })).toEqual([false]);
});

it('in random towns of one-way streets only plain bends have no instruction', async () => {
  const random = seeded(28);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  let routes = 0;
  for (let round = 0; round < 25; round++) {
    const map = new RawMap();
    const [drawing, rules] = randomTown(random, () => ({
      name: pick(['', 'North', 'South']),
      highway: pick(['residential', 'residential', 'service', 'tertiary', 'track', 'footway']),
    }));
    const { network } = await drawMap(drawing, { ...rules, witness: map.sink });
    const found = judgedRoutes(network, map, 20, random);
    routes += found.length;
    expect(found.flat().filter(({ isPlainBend }) => !isPlainBend)).toEqual([]);
  }
  expect(routes).toBeGreaterThan(200);
});
