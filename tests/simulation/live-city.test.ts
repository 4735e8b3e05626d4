import { beforeAll, describe, expect, it } from 'vitest';
import { runCity } from '#bench/streams/city-run.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { proves } from '#tools/acceptance/proves.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';

/** A Monday. */
const startMs = 1_794_787_200_000;

let network: RoadNetwork;
beforeAll(async () => {
  network = await networkOf(gothenburg);
});

const edges = (found: readonly { readonly edge: number; readonly evidence: string }[]) =>
  found.map(({ edge, evidence }) => `${network.edgeName(edge)} (${edge}): ${evidence}`);

describe('the default city in virtual time', () => {
  // 300 drivers leave sixteen places within fifteen seconds: a busy road is silent a minute later.
  proves('M-064', {
    asked: 'no open road is closed',
    shown: '300 drivers, 8 minutes: no open road, at least two closed ones; 90 minutes in the long runs',
    settings: ['virtual time', 'one seed'],
  });
  it('M-064: lists no open road after a cold start, and finds closed roads', async () => {
    // In so few minutes a seed shows something only if drivers come to the roads that it closes.
    const { found, hidden } = await runCity({ network, seed: 2, startMs, drivers: 300, minutes: 8 });
    expect(edges(found.filter(({ truth }) => truth === undefined))).toEqual([]);
    expect(hidden.filter(({ foundAfterMs }) => foundAfterMs !== undefined).length).toBeGreaterThanOrEqual(2);
  });

  it('M-064: lists no open road as closed when a smaller fleet follows a larger one', async () => {
    const large = await runCity({ network, seed: 2, startMs, drivers: 120, minutes: 4 });
    const later = { startMs: startMs + 5 * 60_000, memory: large.memory };
    const { found } = await runCity({ network, seed: 2, drivers: 15, minutes: 6, ...later });
    expect(edges(found.filter(({ truth }) => truth === undefined))).toEqual([]);
  });
});
