import { expect, test } from 'vitest';
import { extractBeside } from '../tile-builder/real-maps.js';
import { geocodeTown } from './address-town.js';
import { windsAround } from './winds-around.js';

const liechtenstein = extractBeside('liechtenstein');
test.skipIf(liechtenstein === undefined)(
  'in a real country, every row has the areas that a plain winding number gives',
  async () => {
    const { index } = await geocodeTown(liechtenstein);
    const { data } = index;
    const rings = Array.from(data.areaRow, (_, area) =>
      Array.from({ length: data.areaFirstRing[area + 1]! - data.areaFirstRing[area]! }, (__, i) => {
        const ring = data.areaFirstRing[area]! + i;
        const points: number[] = [];
        for (let at = data.ringFirst[ring]!; at < data.ringFirst[ring + 1]!; at++)
          points.push(data.ringLngE7[at]!, data.ringLatE7[at]!);
        return Int32Array.from(points);
      }),
    );
    expect(rings.length).toBeGreaterThanOrEqual(11);
    for (let row = 0; row < index.rowCount; row += 41) {
      if (index.isArea(row)) continue;
      const wanted = rings.flatMap((own, area) =>
        windsAround(own, data.lngE7[row]!, data.latE7[row]!) ? [data.areaRow[area]!] : [],
      );
      expect(index.areasAround(row)).toEqual(wanted);
    }
  },
);
