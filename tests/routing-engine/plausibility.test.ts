import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findNear } from '#routing-engine/route/find-near.js';
import { extractBeside, networkOf } from '../tile-builder/real-maps.js';

type Pair = readonly [readonly [lat: number, lng: number], readonly [lat: number, lng: number]];
type Answer = readonly [meters: number, seconds: number] | null;

const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const read = <Value>(name: string): Value => JSON.parse(readFileSync(folder + name, 'utf8')) as Value;
const engines = ['osrm-mld', 'valhalla', 'graphhopper'] as const;
const source = extractBeside('heidelberg');
const there = source !== undefined && existsSync(`${folder}pairs-heidelberg.json`);

describe.skipIf(!there)(
  there
    ? 'beside other engines in Heidelberg'
    : 'beside other engines: skipped, their answers are not beside the checkout',
  () => {
    it('distances are within 5 % of other engines at the median; every pair has a route', async () => {
      const network = await networkOf(source!);
      const metric = freeFlowMetric(network, 'driving');
      const pairs = read<Pair[]>('pairs-heidelberg.json').slice(0, 600);
      const ratios = engines.map((): number[] => []);
      const answers = engines.map((engine) => read<Answer[]>(`peers-heidelberg-${engine}.json`));
      let touched = 0;
      let long = 0;
      for (const [i, [[fromLat, fromLng], [toLat, toLng]]] of pairs.entries()) {
        const query = {
          from: { point: { lat: fromLat, lng: fromLng } },
          to: { point: { lat: toLat, lng: toLng } },
          ...{ avoid: 0, maxMeters: 500 },
        };
        const outcome = findNear(network, metric, { ...query, count: 1 });
        if (outcome.status !== 'ok') throw new Error(`pair ${i}: ${outcome.status}`);
        const path = outcome.paths[0]!;
        for (const [engine, theirs] of answers.entries())
          if (theirs[i]) ratios[engine]!.push(path.lengthM / theirs[i][0]);
        if (path.lengthM > 10_000) {
          long++;
          touched += path.debug.cellsTouched;
        }
        if (i % 20 !== 0) continue;
        const found = findNear(network, metric, { ...query, count: 3 });
        if (found.status !== 'ok') throw new Error(found.status);
        expect(found.paths[0]!.durationMs).toBe(path.durationMs);
        for (const { durationMs, edges } of found.paths) {
          expect(durationMs).toBeLessThanOrEqual(1.4 * path.durationMs);
          for (let e = 1; e < edges.length; e++)
            expect(network.arrays.tail[edges[e]!]).toBe(network.arrays.head[edges[e - 1]!]);
        }
      }
      for (const list of ratios) {
        list.sort((a, b) => a - b);
        expect(Math.abs(list[list.length >> 1]! - 1)).toBeLessThan(0.05);
      }
      // M-041: a long route reads few of the detailed cells.
      expect(long).toBeGreaterThan(20);
      expect(touched / long).toBeLessThan(0.05 * network.cellCount);
    });
  },
);
