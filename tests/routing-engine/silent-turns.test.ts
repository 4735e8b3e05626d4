import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RawMap, readRawMap } from '#bench/routing/raw-map.js';
import { seeded } from '#bench/routing/seeded.js';
import { type SilentTurn, silentTurns } from '#bench/routing/silent-turns.js';
import { guide } from '#routing-engine/guidance/guide.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { extractBeside, networkOf } from '../tile-builder/real-maps.js';
import { drawMap } from './ascii-map.js';
import { randomTown } from './random-town.js';

/** Of so many routes between random roads of the network: turns that the raw map has and no step tells. */
function judged(network: RoadNetwork, map: RawMap, count: number, random: () => number): SilentTurn[][] {
  const metric = freeFlowMetric(network, 'driving');
  const end = (): { edge: number; fraction: number } => {
    const edge = Math.floor(random() * network.edgeCount);
    return network.freeFlowKph(edge, 'driving') > 0 ? { edge, fraction: 0.5 } : end();
  };
  const found: SilentTurn[][] = [];
  for (let asked = 0; asked < 4 * count && found.length < count; asked++) {
    const outcome = findRoute(network, metric, { from: [end()], to: [end()] });
    if (outcome.status !== 'ok') continue;
    const { path } = outcome;
    const steps = guide(network, metric, path, pathGeometry(network, path), { language: 'en' });
    const ids = Array.from(path.edges, (edge) => network.edgeId(edge));
    found.push(silentTurns(map, ids, new Set(steps.map(({ edgeFrom }) => edgeFrom)), 'driving'));
  }
  return found;
}

it('the judge of silent turns finds them, and tells plain bends from others', async () => {
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

it('the judge sees no way on for cars where a footway is private', async () => {
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

it('in random towns of one-way streets no turn but a plain bend passes without a word', async () => {
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
    const found = judged(network, map, 20, random);
    routes += found.length;
    expect(found.flat().filter(({ isPlainBend }) => !isPlainBend)).toEqual([]);
  }
  expect(routes).toBeGreaterThan(200);
});

for (const area of ['malta', 'heidelberg']) {
  const source = extractBeside(area);
  describe.skipIf(source === undefined)(
    `on the roads of ${area}, where its extract lies beside the checkout`,
    () => {
      it('only plain bends pass without a word on 800 random routes', async () => {
        const file = fileURLToPath(new URL(`../../../shared/data/${area}.osm.pbf`, import.meta.url));
        const found = judged(await networkOf(source!), await readRawMap(file), 800, seeded(800));
        expect(found).toHaveLength(800);
        expect(found.flat().filter(({ isPlainBend }) => !isPlainBend)).toEqual([]);
      });
    },
  );
}
