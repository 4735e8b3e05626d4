import { expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { drawMap, type MapRules } from './ascii-map.js';
import { randomTown } from './random-town.js';

/** Streets around two blocks, and a restriction over a street, which needs copies of edges. */
const twoBlocks = `
  A----B----C
  |    |    |
  D----E----F
`;
const overAStreet: MapRules = { restrictions: [['no_u_turn', 'AB', 'BE', 'DE']] };

test('an edge is found by its id, whichever edge was found before', async () => {
  const towns = [1, 2, 3].map((seed) => randomTown(seeded(seed)));
  for (const [drawing, rules] of [...towns, [twoBlocks, overAStreet] as const]) {
    const { network } = await drawMap(drawing, { ...rules, cellNodesMax: [3, 8] });
    const { copyOf } = network.arrays;
    const ids = Array.from(copyOf, (_, edge) => network.edgeId(edge));
    for (const before of ids)
      for (const [edge, id] of ids.entries()) {
        network.edgeByStableId(before);
        // Compared here: 100,000 calls of `expect` take longer than everything else.
        const found = network.edgeByStableId(id);
        if (found !== copyOf[edge]) expect({ before, id, found }).toMatchObject({ found: copyOf[edge] });
      }
    network.edgeByStableId(ids[0]!);
    expect(network.edgeByStableId('999:1-2+')).toBeUndefined();
    expect(network.edgeByStableId('not an id')).toBeUndefined();
    if (drawing === twoBlocks) expect(new Set(copyOf).size).toBeLessThan(copyOf.length);
  }
});
