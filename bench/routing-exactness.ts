import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { appendResult } from './append-result.js';
import { compareWithDijkstra } from './routing/compare-with-dijkstra.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { progress } from './routing/progress.js';
import { randomChange } from './routing/random-changes.js';
import { seeded } from './routing/seeded.js';

/**
 * Is every cost that of plain Dijkstra, in each mode, on an empty road and again after a thousand live
 * updates?
 */
const options = readOptions({ count: 10_000 });
const UPDATES = 1_000;
let differ = 0;
for (const area of options.areas) {
  const network = await openArea(area);
  for (const mode of options.modes) {
    const random = seeded(options.seed);
    const empty = freeFlowMetric(network, mode);
    let live = empty;
    for (let version = 1; version <= UPDATES; version++)
      live = applyChanges(network, live, [randomChange(network, mode, random)], version);
    for (const [state, metric] of [
      ['empty road', empty],
      ['after updates', live],
    ] as const) {
      const began = performance.now();
      const bar = progress(`${area}, ${mode}, ${state}`);
      const { compared, unreachable, differences } = await compareWithDijkstra(
        network,
        metric,
        options.count,
        random,
        (done) => bar.show(done, options.count),
      );
      bar.end();
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(
        `${area}, ${mode}, ${state}: ${compared} pairs, ${unreachable} without a way, ` +
          `${differences.length} differ (${seconds} s)`,
      );
      for (const difference of differences.slice(0, 10)) console.log(`  ${difference}`);
      differ += differences.length;
      appendResult('routing-exactness', {
        area,
        mode,
        updates: metric === empty ? 0 : UPDATES,
        seed: options.seed,
        pairs: compared,
        unreachable,
        differences: differences.length,
      });
    }
  }
}
if (differ > 0) process.exit(1);
