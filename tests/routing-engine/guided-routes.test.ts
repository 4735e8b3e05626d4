import { expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { guide } from '#routing-engine/guidance/guide.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';

it('steps of any route add up to it and meet; each maneuver is where its line starts', async () => {
  const network = await networkOf(gothenburg);
  const random = seeded(5);
  let guided = 0;
  for (const mode of travelModes) {
    const metric = freeFlowMetric(network, mode);
    for (let i = 0; i < 30; i++) {
      const end = (): { edge: number; fraction: number } => {
        const edge = Math.floor(random() * network.edgeCount);
        return network.freeFlowKph(edge, mode) > 0 ? { edge, fraction: random() } : end();
      };
      const outcome = findRoute(network, metric, { from: [end()], to: [end()] });
      if (outcome.status !== 'ok') continue;
      guided++;
      const { path } = outcome;
      const geometry = pathGeometry(network, path);
      const steps = guide(network, metric, path, geometry, { language: 'en', arrivalSide: 'left' });
      expect(steps.reduce((sum, { distanceM }) => sum + distanceM, 0)).toBeCloseTo(path.lengthM, 3);
      expect(steps.reduce((sum, { durationS }) => sum + durationS, 0)).toBeCloseTo(path.durationMs / 1000, 2);
      for (const [at, step] of steps.entries()) {
        const { lng, lat } = step.maneuver.location;
        expect([lng, lat]).toEqual([
          ...geometry.lngLat.subarray(2 * step.geometryFrom, 2 * step.geometryFrom + 2),
        ]);
        expect(step.edgeFrom).toBe(at === 0 ? 0 : steps[at - 1]!.edgeTo);
        expect(step.geometryFrom).toBe(at === 0 ? 0 : steps[at - 1]!.geometryTo);
        expect(plainOf(step.htmlInstruction)).toBe(step.instruction);
      }
      expect(steps[0]!.maneuver.type).toBe('depart');
      expect(steps.at(-1)!.maneuver).toMatchObject({ type: 'arrive', modifier: 'left' });
      expect(steps.at(-1)!.geometryTo).toBe(geometry.lngLat.length / 2 - 1);
    }
  }
  expect(guided).toBeGreaterThan(40);
});

const plainOf = (html: string): string =>
  html
    .replaceAll(/<\/?b>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
