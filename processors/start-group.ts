import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { StreamLimits } from '#platform/stream/limits.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { type Processor, startProcessor, type Topology } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { Counts } from './counts.js';

/** A consumer group that runs in this process. */
export interface Running {
  /** Resolves when the group has its partitions and has read what was in the log at its start. */
  readonly ready: Promise<void>;
  /** Finishes the work in progress, stores the state, leaves the group. Safe to call twice. */
  close(): Promise<void>;
  /** Counts since the start, by name. */
  stats(): Readonly<Record<string, number>>;
}

/** External dependencies of every group. */
export interface GroupDeps {
  readonly log: EventLog;
  readonly codecs: Pick<TopicCodecs, 'deadLetter'>;
  /** Snapshots of the state. */
  readonly objects: ObjectStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds; `Date.now` when absent. */
  readonly clock?: () => number;
  readonly limits?: Partial<StreamLimits>;
}

/** Runs a topology; `onCaughtUp` is called once, when everything written before the start is processed. */
export async function startGroup<State>(
  topology: Topology<State>,
  deps: GroupDeps,
  counts: Pick<Counts, 'all'>,
  onCaughtUp: () => void = () => undefined,
): Promise<Running> {
  const processor = await startProcessor(topology, {
    log: deps.log,
    deadLetters: deps.codecs.deadLetter,
    objects: deps.objects,
    logger: deps.logger,
    gauges: metricsGauges(deps.metrics, topology.group),
    ...(deps.clock === undefined ? {} : { clock: deps.clock }),
    ...(deps.limits === undefined ? {} : { limits: deps.limits }),
  });
  const stop = new AbortController();
  const ready = caughtUp(processor, stop.signal).then(onCaughtUp);
  ready.catch((error: Error) =>
    deps.logger.error('a consumer group could not start', { group: topology.group, cause: error.message }),
  );
  return {
    ready,
    stats: () => counts.all(),
    async close() {
      stop.abort();
      await processor.close();
    },
  };
}

const pollMs = 20;

async function caughtUp(processor: Processor, signal: AbortSignal): Promise<void> {
  await processor.ready;
  while (!signal.aborted) {
    const lags = await processor.lag();
    if ([...lags.values()].every((records) => records === 0)) return;
    await delay(pollMs);
  }
}
