import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spread, UNREACHABLE } from '#processors/reroute/spread.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { CLOSED } from '#routing-engine/overlay/metric.js';
import { gridNetwork } from '../grid-network.js';

const { network } = await gridNetwork(4, 3);

/** Bellman and Ford: relaxes all turns until no value decreases. */
function plainTimes(costMs: Int32Array, source: number, forward: boolean, untilMs: number): Int32Array {
  const times = new Int32Array(network.edgeCount).fill(UNREACHABLE);
  times[source] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let from = 0; from < network.edgeCount; from++)
      for (let to = 0; to < network.edgeCount; to++) {
        const turn = turnDs(network, 'driving', from, to);
        if (turn === undefined || costMs[from] === CLOSED || costMs[to] === CLOSED) continue;
        const [known, other] = forward ? [from, to] : [to, from];
        const ms = times[known]! + costMs[to]! + 100 * turn;
        if (times[known] === UNREACHABLE || ms >= times[other]! || ms > untilMs) continue;
        times[other] = ms;
        changed = true;
      }
  }
  return times;
}

describe('times to and from one edge', () => {
  it("the times equal those of plain relaxation, even over roads longer than the queue's range", () => {
    const cost = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(CLOSED, 5_000_000, 20_000_000) },
    );
    const costs = fc.array(cost, { minLength: network.edgeCount, maxLength: network.edgeCount });
    const until = fc.constantFrom(UNREACHABLE, 30_000, 6_000_000);
    const reached = new Int32Array(network.edgeCount);
    fc.assert(
      fc.property(
        costs,
        fc.nat(network.edgeCount - 1),
        fc.boolean(),
        until,
        (all, source, forward, untilMs) => {
          const costMs = Int32Array.from(all);
          costMs[source] = 1_000;
          spread(network, costMs, source, forward, reached, untilMs);
          expect(reached).toEqual(plainTimes(costMs, source, forward, untilMs));
        },
      ),
      { numRuns: 60 },
    );
  });
});
