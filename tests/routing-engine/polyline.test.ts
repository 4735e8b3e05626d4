import mapbox from '@mapbox/polyline';
import { expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { EncodedLine } from '#routing-engine/network/polyline.js';

test('an encoded line, and each part of it, equals the result of the reference encoder', () => {
  const random = seeded(7);
  for (const precision of [5, 6] as const)
    for (let run = 0; run < 50; run++) {
      const points = Array.from({ length: 1 + Math.floor(random() * 30) }, (): [number, number] => [
        // Neighbours and antipodes, and halves, which are rounded away from zero.
        Math.round((random() - 0.5) * 180 * 2e6) / 2e6,
        Math.round((random() - 0.5) * 10 ** Math.floor(random() * 3) * 3.6 * 2e6) / 2e6,
      ]);
      const line = new EncodedLine(
        points.flatMap(([lat, lng]) => [lng, lat]),
        precision,
      );
      expect(line.whole).toBe(mapbox.encode(points, precision));
      const from = Math.floor(random() * points.length);
      const to = from + Math.floor(random() * (points.length - from));
      expect(line.part(from, to)).toBe(mapbox.encode(points.slice(from, to + 1), precision));
    }
});
