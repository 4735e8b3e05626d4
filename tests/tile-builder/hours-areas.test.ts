import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { readMapSource } from '#osm/read/read-map-source.js';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import { edgesAtHours } from '#routing-engine/network/at-hours.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { usualTruck } from '#routing-engine/network/vehicle.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { CLOSED, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { conditionsAt } from './clock-conditions.js';
import { LegalMoves } from './legal-moves.js';
import { extractBeside, networkOf } from './real-maps.js';

const source = extractBeside('heidelberg');

/** Streets of the old town are open to deliveries in the morning; others are shut to cars then. */
describe.skipIf(source === undefined)(
  'on the roads of heidelberg, if its extract is next to the checkout',
  () => {
    it('M-022: at each hour routes equal Dijkstra, and each step is legal in the raw extract', async () => {
      const network = await networkOf(source!);
      const legal = new LegalMoves();
      await readMapSource(source!, legal.sink);
      const random = seeded(21);
      const openAt = new Set<number>();
      let used = 0;
      // The clocks of Heidelberg are two hours ahead of UTC in summer.
      for (const clock of [
        '2026-07-06T08:00Z',
        '2026-07-06T14:00Z',
        '2026-07-11T10:30Z',
        '2026-07-12T03:00Z',
      ]) {
        const atMs = Date.parse(clock) - 2 * 3_600_000;
        const holds = conditionsAt(new Date(clock));
        for (const mode of travelModes) {
          const open = openEdges(network, mode, atMs);
          openAt.add(open.size);
          const metric = {
            ...applyHours(network, freeFlowMetric(network, mode), open),
            ...(mode === 'truck' ? { vehicle: usualTruck } : {}),
          };
          const atHours = [...edgesAtHours(network, mode)];
          const anywhere = (): number => Math.floor(random() * network.edgeCount);
          // Every other route begins or ends where something opens and shuts.
          const end = (near: boolean) => {
            for (;;) {
              const edge =
                near && atHours.length > 0 ? atHours[Math.floor(random() * atHours.length)]! : anywhere();
              if (metric.costMs[edge] === CLOSED) near = false;
              else return { edge: network.arrays.copyOf[edge]!, fraction: 0.5 };
            }
          };
          for (let route = 0; route < 60; route++) {
            const [from, to] = [[end(route % 2 === 0)], [end(route % 4 === 0)]];
            const found = findRoute(network, metric, { from, to });
            if (route < 8)
              expect(found.status === 'ok' ? found.path.durationMs : undefined).toBe(
                dijkstra(network, metric, from, 0, to).costTo(to),
              );
            if (found.status !== 'ok') continue;
            const ids = Array.from(found.path.edges, (edge) => network.edgeId(edge));
            expect(legal.judge(ids, mode, holds)).toEqual([]);
            if (found.path.edges.some((edge) => open.has(edge))) used++;
          }
        }
      }
      expect(openAt.size).toBeGreaterThan(2);
      expect(used).toBeGreaterThan(20);
    });
  },
);
