import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool, type WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { shareNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { RouteTask, RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import { appendResult, spread } from './append-result.js';
import { checkTimes } from './routing/check-times.js';
import type { TripAnswer } from './routing/engine.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { type Pair, pairsOf } from './routing/pairs.js';
import { progress } from './routing/progress.js';

/**
 * How many more routes go through the worker pool with two threads than with one? Wall clock; the dispatcher
 * shares the cores.
 */
const options = readOptions();
/** Tasks in flight: both threads always have the next one waiting. */
const AT_ONCE = 16;
const ROUND_MS = 2_000;

for (const area of options.areas) {
  const network = await openArea(area);
  const pairs = pairsOf(area, network, options.pairs, options.count, options.seed);
  const metric = freeFlowMetric(network, 'driving');
  const file = compiledFile('routing-engine/tasks/route-worker.js');
  const pools = [1, 2].map((threads) =>
    createWorkerPool({ file, workerData: { network: shareNetwork(network) }, threads }),
  );
  const task = ([fromLat, fromLng, toLat, toLng]: Pair): RouteTask => ({
    metric,
    from: { point: { lat: fromLat, lng: fromLng } },
    to: { point: { lat: toLat, lng: toLng } },
    avoid: 0,
    alternatives: 0,
  });
  const answers: TripAnswer[] = pairs.map(() => null);
  const perSecond: number[][] = [[], []];
  const bar = progress(`${area}, workers`);
  // The first round warms both and is not counted.
  for (let round = 0; round <= options.rounds; round++) {
    for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const rate = await load(pools[which]!);
      if (round > 0) perSecond[which]!.push(rate);
    }
    bar.show(round, options.rounds);
  }
  bar.end();
  await Promise.all(pools.map((pool) => pool.close()));
  const asked = answers.flatMap((answer, i) => (answer === null ? [] : [{ pair: pairs[i]!, answer }]));
  const judged = checkTimes(
    network,
    metric,
    asked.map(({ pair }) => pair),
    asked.map(({ answer }) => answer),
  );
  const figures = {
    perSecond: { one: spread(perSecond[0]!), two: spread(perSecond[1]!) },
    twoOverOne: spread(perSecond[1]!.map((rate, round) => rate / perSecond[0]![round]!)),
  };
  appendResult('routing-workers', { area, seed: options.seed, judged, ...figures });
  console.log(
    `${area}: ${figures.perSecond.one.median} routes a second with one worker, ` +
      `${figures.perSecond.two.median} with two, ` +
      `ratio ${figures.twoOverOne.median} (${figures.twoOverOne.least}–${figures.twoOverOne.greatest})`,
  );

  /** Routes a second, with a bounded number in flight. */
  async function load(pool: WorkerPool): Promise<number> {
    let done = 0;
    let next = 0;
    const began = performance.now();
    const lane = async (): Promise<void> => {
      while (performance.now() - began < ROUND_MS) {
        const i = next++ % pairs.length;
        const outcome = await pool.run<RouteTask, RouteTaskOutcome>('default', task(pairs[i]!));
        if (outcome.status === 'ok') {
          const { lengthM, durationMs } = outcome.routes[0]!.path;
          answers[i] = [lengthM, durationMs / 1_000];
        }
        done++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return (done * 1_000) / (performance.now() - began);
  }
}
