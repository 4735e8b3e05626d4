import { expect, test } from 'vitest';
import { middleOfRoads } from '#api/engine/middle-of-roads.js';
import { drawMap } from '../routing-engine/ascii-map.js';

const town = (beyond: string) => `
    A--B--C
    |  |  |
    D--E--F${beyond}
    |  |  |
    G--H--I`;

/** In steps of the drawing. */
const metresPerDegree = 111_195;

test('the middle of the roads is in the town, however far a road, a path or an island reaches', async () => {
  const alone = await drawMap(town(''), { stepM: 100 });
  const { lat, lng } = middleOfRoads(alone.network);
  const [west, south, east, north] = alone.network.bounds;
  expect(lat).toBeCloseTo((south + north) / 2, 6);
  expect(lng).toBeCloseTo((west + east) / 2, 6);

  const reaching = await drawMap(`${town('--------------------J')}     K--L--M--N--O--P--Q--R--S--T--U`, {
    stepM: 100,
  });
  const there = middleOfRoads(reaching.network);
  expect(reaching.network.bounds[2] - reaching.network.bounds[0]).toBeGreaterThan(4 * (east - west));
  expect((there.lng - reaching.network.bounds[0]) * metresPerDegree).toBeLessThan(700);

  const paths = { ways: { FJ: { highway: 'footway' } } };
  const walked = await drawMap(town('--------------------J'), { stepM: 100, ...paths });
  expect((middleOfRoads(walked.network).lng - walked.network.bounds[0]) * metresPerDegree).toBeLessThan(700);
});

test('the middle of the roads of two towns is in the larger one, not between them', async () => {
  const drawing = `
    A--B--C-----------------------------J--K
    |  |  |                             |  |
    D--E--F                             L--M
    |  |  |
    G--H--I`;
  const { network } = await drawMap(drawing, { stepM: 400 });
  const { lng } = middleOfRoads(network);
  expect((lng - network.bounds[0]) * metresPerDegree).toBeGreaterThan(700);
  expect((lng - network.bounds[0]) * metresPerDegree).toBeLessThan(1_900);
});
