import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRawMap } from '#bench/routing/raw-map.js';
import { seeded } from '#bench/routing/seeded.js';
import { extractBeside, networkOf } from '../tile-builder/real-maps.js';
import { judgedRoutes } from './judged-routes.js';

for (const area of ['malta', 'heidelberg', 'helsinki']) {
  const source = extractBeside(area);
  describe.skipIf(source === undefined)(
    `on the roads of ${area}, if its extract is next to the checkout`,
    () => {
      it('only plain bends have no instruction on 1,600 random routes', async () => {
        const file = fileURLToPath(new URL(`../../../shared/data/${area}.osm.pbf`, import.meta.url));
        const [network, map] = [await networkOf(source!), await readRawMap(file)];
        for (const seed of [800, 2]) {
          const found = judgedRoutes(network, map, 800, seeded(seed));
          expect(found).toHaveLength(800);
          expect(found.flat().filter(({ isPlainBend }) => !isPlainBend)).toEqual([]);
        }
      });
    },
  );
}
