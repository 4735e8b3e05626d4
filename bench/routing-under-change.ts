import { once } from 'node:events';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { type RoadNetwork, shareNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { appendResult, spread } from './append-result.js';
import type { Area } from './routing/areas.js';
import { checkTimes } from './routing/check-times.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourWay } from './routing/our-engine.js';
import { type Pair, pairsOf } from './routing/pairs.js';
import { progress } from './routing/progress.js';
import { percentile } from './routing/statistics.js';
import type { UpdateMessage, UpdateWorkerData } from './routing/update-worker.js';

/**
 * How long do queries take while one per cent of all edges change each second, compared with the same thread
 * without changes? Another thread customizes; this one applies the newest metric between two queries. Idle
 * and changing seconds alternate. Afterwards answers of every version are checked on that version: a mixed
 * one voids the figures.
 */
const options = readOptions({ shares: [1] });
const PHASE_MS = 4_000;
const CHECKED_PER_VERSION = 3;

for (const area of options.areas) {
  const network = await openArea(area);
  const pairs = pairsOf(area, network, options.pairs, options.count, options.seed);
  for (const pattern of options.patterns)
    for (const share of options.shares) await measure(area, network, pairs, pattern, share);
}

interface Sample {
  readonly pair: Pair;
  readonly metric: Metric;
  readonly answer: readonly [number, number] | null;
}

async function measure(
  area: Area,
  network: RoadNetwork,
  pairs: readonly Pair[],
  pattern: 'clustered' | 'random',
  share: number,
): Promise<void> {
  const { port1: updates, port2 } = new MessageChannel();
  const data: UpdateWorkerData = {
    network: shareNetwork(network),
    share: share / 100,
    pattern,
    seed: options.seed,
    updates: port2,
  };
  const file = compiledFile('bench/routing/update-worker.js');
  const updater = new Worker(file, { workerData: data, transferList: [port2] });
  await once(updater, 'message');
  let metric = freeFlowMetric(network, 'driving');
  let turn = 0;
  const samples: Sample[] = [];
  const customizedMs: number[] = [];

  const phase = (ms: number): number[] => {
    const tookMs: number[] = [];
    let sampled = 0;
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const update = receiveMessageOnPort(updates)?.message as UpdateMessage | undefined;
      if (update !== undefined) {
        ({ metric } = update);
        customizedMs.push(update.tookMs);
        sampled = 0;
      }
      const pair = pairs[turn++ % pairs.length]!;
      const before = performance.now();
      const path = ourWay(network, metric, pair);
      tookMs.push(performance.now() - before);
      if (path !== undefined && path.metricVersion !== metric.version)
        throw new Error(`void: an answer names version ${path.metricVersion}, asked on ${metric.version}`);
      if (sampled++ < CHECKED_PER_VERSION)
        samples.push({
          pair,
          metric,
          answer: path === undefined ? null : [path.lengthM, path.durationMs / 1_000],
        });
    }
    return tookMs;
  };

  phase(PHASE_MS);
  const idle: number[] = [];
  const changing: number[] = [];
  const ratio: number[] = [];
  let versions = metric.version;
  const bar = progress(`${area}, ${share} % ${pattern}`);
  for (let round = 0; round < options.rounds; round++) {
    const still = percentile(phase(PHASE_MS), 0.99);
    updater.postMessage('change');
    const moving = percentile(phase(PHASE_MS), 0.99);
    // What is still being customized must not reach into the next idle seconds.
    updater.postMessage('stop');
    await once(updater, 'message');
    idle.push(still);
    changing.push(moving);
    ratio.push(moving / still);
    bar.show(round + 1, options.rounds);
  }
  bar.end();
  versions = metric.version - versions;
  await updater.terminate();
  updates.close();
  let judged = 0;
  for (const { pair, metric: at, answer } of samples) judged += checkTimes(network, at, [pair], [answer]);
  const figures = {
    idleP99Ms: spread(idle),
    changingP99Ms: spread(changing),
    changingOverIdle: spread(ratio),
    customizedMs: spread(customizedMs),
  };
  appendResult('routing-under-change', {
    area,
    pattern,
    share,
    seed: options.seed,
    versions,
    judged,
    ...figures,
  });
  console.log(
    `${area}, ${share} % ${pattern} a second: p99 ${figures.idleP99Ms.median} ms idle, ` +
      `${figures.changingP99Ms.median} ms under change, ` +
      `ratio ${figures.changingOverIdle.median} ` +
      `(${figures.changingOverIdle.least}–${figures.changingOverIdle.greatest}); ${versions} versions, ` +
      `${judged} answers judged, customized in ${figures.customizedMs.median} ms`,
  );
}
