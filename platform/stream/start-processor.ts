import { setMaxListeners } from 'node:events';
import type { DeadLetter } from '#schemas/messages.js';
import type { Consumer, EventLog, RecordBatch, TopicPartition } from '../event-log/event-log.js';
import type { ObjectStore } from '../object-store/object-store.js';
import { type Logger, silentLogger } from '../telemetry/logger.js';
import type { TopicCodec } from '../wire/topic-codec.js';
import type { Input, StreamContext } from './input.js';
import { type StreamLimits, streamLimits } from './limits.js';
import { Outputs } from './outputs.js';
import { PartitionTask } from './partition-task.js';
import { UnreadableSnapshot } from './snapshot.js';
import { type StateDefinition, StateStore } from './state-store.js';
import { type StreamGauges, silentGauges } from './stream-gauges.js';

/** A processor as a value: its inputs, their steps and its state. */
export interface Topology<State = undefined> {
  /** Name of the consumer group, and of the snapshots. */
  readonly group: string;
  /** Where a group begins that has neither snapshot nor committed offset. */
  readonly startAt: 'earliest' | 'latest';
  /** One for each topic. Topics with the same key and number of partitions meet in the same state. */
  readonly inputs: ReadonlyArray<Input<State>>;
  readonly state?: StateDefinition<State>;
  /**
   * Called for every partition number periodically, between records, so that windows end even without new
   * records.
   */
  readonly tick?: {
    readonly everyMs: number;
    readonly run: (context: StreamContext<State>) => void | Promise<void>;
  };
}

export interface ProcessorDeps {
  readonly log: EventLog;
  readonly deadLetters: TopicCodec<DeadLetter>;
  /** Where snapshots are stored; required by a topology with state. */
  readonly objects?: ObjectStore;
  readonly limits?: Partial<StreamLimits>;
  readonly clock?: () => number;
  readonly logger?: Logger;
  readonly gauges?: StreamGauges;
}

export interface Processor {
  /** Resolves when partitions were assigned for the first time. */
  readonly ready: Promise<void>;
  /** The least over the partition numbers that are not idle; -Infinity at first. */
  watermarkMs(): number;
  /** Partitions of a topic that are ours now. */
  partitions(topic: string): readonly number[];
  /** Records that wait, by topic, over the partitions that are ours. */
  lag(): Promise<ReadonlyMap<string, number>>;
  /** Finishes the work in progress, takes the last snapshots, leaves the group. */
  close(): Promise<void>;
}

/**
 * Runs a topology as one member of its group. Records that cannot be processed go to `dead.letter.v1` with
 * cause and position, and the partition continues. State survives `kill -9` with each record's effect in it
 * once; outputs come at least once.
 *
 * ```ts
 * const processor = await startProcessor(
 *   { group: 'speeds', startAt: 'earliest', inputs: [each(codecs.trafficSegmentSpeed, (record) => ok)] },
 *   { log, deadLetters: codecs.deadLetter },
 * );
 * ```
 */
export async function startProcessor<State = undefined>(
  topology: Topology<State>,
  deps: ProcessorDeps,
): Promise<Processor> {
  const processor = new RunningProcessor(topology, deps);
  await processor.start();
  return processor;
}

class RunningProcessor<State> implements Processor {
  readonly #topology: Topology<State>;
  readonly #deps: ProcessorDeps;
  readonly #limits: StreamLimits;
  readonly #clock: () => number;
  readonly #logger: Logger;
  readonly #gauges: StreamGauges;
  readonly #store: StateStore<State> | undefined;
  readonly #inputs: ReadonlyMap<string, Input<State>>;
  readonly #tasks = new Map<number, PartitionTask<State>>();
  readonly #held = new Map<string, TopicPartition>();
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #consumer: Consumer | undefined;

  constructor(topology: Topology<State>, deps: ProcessorDeps) {
    const { group, state, inputs } = topology;
    this.#topology = topology;
    this.#deps = deps;
    this.#limits = { ...streamLimits, ...deps.limits };
    this.#clock = deps.clock ?? Date.now;
    this.#logger = (deps.logger ?? silentLogger).child({ group });
    this.#gauges = deps.gauges ?? silentGauges;
    if (state !== undefined && deps.objects === undefined)
      throw new Error(`The processor ${group} has state and needs an object store for its snapshots.`);
    this.#store = state && new StateStore(deps.objects!, group, state, this.#limits.snapshotBytesMax);
    this.#inputs = new Map(inputs.map((input) => [input.codec.topic.name, input]));
    setMaxListeners(waitsMax(inputs), this.#stop.signal);
  }

  get ready(): Promise<void> {
    return this.#consumer!.ready;
  }

  async start(): Promise<void> {
    const { group, startAt, inputs, tick } = this.#topology;
    const { log, deadLetters } = this.#deps;
    for (const topic of this.#inputs.keys()) this.#gauges.begin?.(topic);
    await log.createTopics([...inputs.map(({ codec }) => codec.topic), deadLetters.topic]);
    this.#consumer = await log.consume({
      group,
      startAt,
      topics: [...this.#inputs.keys()],
      maxBatchRecords: this.#limits.batchRecordsMax,
      onBatch: (batch) => this.#handle(batch),
      onAssigned: (partitions) => this.#assign(partitions),
      onRevoked: (partitions) => this.#revoke(partitions),
      onError: (error, position) =>
        this.#logger.warn('A batch of records failed and will be retried.', {
          cause: error.message,
          ...position,
        }),
    });
    this.#every(this.#limits.lagEveryMs, () => this.#measure());
    if (tick !== undefined) this.#every(tick.everyMs, () => this.#tick(tick.run));
  }

  watermarkMs(): number {
    const now = this.#clock();
    const marks = [...this.#tasks.values()].map(({ watermark }) => watermark);
    const awake = marks.filter((mark) => !mark.isIdle(now));
    const values = (awake.length > 0 ? awake : marks).map(({ valueMs }) => valueMs);
    return values.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...values);
  }

  partitions(topic: string): readonly number[] {
    return [...this.#held.values()].filter((held) => held.topic === topic).map(({ partition }) => partition);
  }

  async lag(): Promise<ReadonlyMap<string, number>> {
    const lags = new Map<string, number>();
    for (const topic of this.#inputs.keys()) {
      const offsets = await this.#deps.log.offsets(topic);
      const committed = await this.#deps.log.committed(this.#topology.group, topic);
      let lag = 0;
      for (const place of this.#held.values()) {
        if (place.topic !== topic) continue;
        const { earliest, end } = offsets.find(({ partition }) => partition === place.partition)!;
        const stored = committed.find(({ partition }) => partition === place.partition)?.offset ?? -1;
        const next = this.#tasks.get(place.partition)?.done.get(topic) ?? stored;
        lag += Math.max(0, end - Math.max(next, earliest));
      }
      lags.set(topic, lag);
    }
    return lags;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stop.abort();
    await this.#consumer?.close();
  }

  async #handle(batch: RecordBatch): Promise<void> {
    const task = this.#tasks.get(batch.partition);
    if (task === undefined) throw new Error(`${batch.topic}/${batch.partition} is not assigned.`);
    await task.handle(this.#inputs.get(batch.topic)!, batch);
  }

  async #assign(
    partitions: readonly TopicPartition[],
  ): Promise<ReadonlyArray<TopicPartition & { readonly offset: number }>> {
    const starts: Array<TopicPartition & { readonly offset: number }> = [];
    for (const partition of new Set(partitions.map((place) => place.partition))) {
      const task = this.#tasks.get(partition) ?? this.#newTask(partition);
      const offsets = this.#tasks.has(partition)
        ? Object.fromEntries(task.done)
        : await this.#restore(task, partition);
      this.#tasks.set(partition, task);
      for (const place of partitions) {
        if (place.partition !== partition) continue;
        // A lost state is rebuilt from the beginning, whatever offset was committed.
        const rebuilt = this.#store !== undefined && this.#topology.startAt === 'earliest' ? 0 : undefined;
        const offset = offsets?.[place.topic] ?? rebuilt;
        if (offset === undefined) continue;
        task.startAt(place.topic, offset);
        starts.push({ ...place, offset });
      }
    }
    for (const place of partitions) this.#held.set(`${place.topic}/${place.partition}`, place);
    return starts;
  }

  async #restore(
    task: PartitionTask<State>,
    partition: number,
  ): Promise<Readonly<Record<string, number>> | undefined> {
    try {
      return await task.restore();
    } catch (error) {
      // An unavailable store is retried, so that the state is not lost; an unreadable snapshot is rebuilt.
      if (!(error instanceof UnreadableSnapshot)) throw error;
      const fields = { cause: error.message, partition };
      if (error.isOutdated)
        this.#logger.info('A snapshot is outdated; the state is rebuilt from the log.', fields);
      else this.#logger.error('A snapshot cannot be read; the state is rebuilt from the log.', fields);
      return undefined;
    }
  }

  async #revoke(partitions: readonly TopicPartition[]): Promise<void> {
    for (const { topic, partition } of partitions) this.#held.delete(`${topic}/${partition}`);
    const still = new Set([...this.#held.values()].map(({ partition }) => partition));
    for (const [partition, task] of [...this.#tasks]) {
      if (still.has(partition)) continue;
      await task.end().catch((error: Error) =>
        this.#logger.warn('The last snapshot failed; the next member replays from the previous one.', {
          cause: error.message,
          partition,
        }),
      );
      this.#tasks.delete(partition);
    }
  }

  #newTask(partition: number): PartitionTask<State> {
    const { group, state } = this.#topology;
    const { log } = this.#deps;
    const common = { group, limits: this.#limits, clock: this.#clock, signal: this.#stop.signal };
    return new PartitionTask({
      ...common,
      partition,
      outputs: new Outputs({ ...common, log, deadLetters: this.#deps.deadLetters }),
      topics: [...this.#inputs.keys()],
      offsets: async (topic) => (await log.offsets(topic)).find((each) => each.partition === partition)!,
      store: this.#store,
      fresh: () => state?.fresh(partition) as State,
      gauges: this.#gauges,
    });
  }

  async #measure(): Promise<void> {
    for (const [topic, records] of await this.lag()) this.#gauges.lag(topic, records);
    for (const { watermark } of this.#tasks.values()) watermark.advance(this.#clock());
    const watermark = this.watermarkMs();
    if (Number.isFinite(watermark)) this.#gauges.watermark(watermark);
  }

  async #tick(run: (context: StreamContext<State>) => void | Promise<void>): Promise<void> {
    // In parallel: a partition that waits must not delay the others.
    await Promise.all([...this.#tasks.values()].map((task) => task.tick(run)));
  }

  /** Never overlaps with itself. */
  #every(ms: number, action: () => Promise<void>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      action()
        .catch((error: Error) => this.#logger.warn('A periodic step failed.', { cause: error.message }))
        .finally(() => {
          busy = false;
        });
    }, ms);
    timer.unref();
    this.#timers.push(timer);
  }
}

/** What may wait for the end at once: a batch of each partition of each input, and a tick of each number. */
function waitsMax<State>(inputs: ReadonlyArray<Input<State>>): number {
  const partitions = inputs.map(({ codec }) => codec.topic.partitions);
  return partitions.reduce((sum, count) => sum + count, Math.max(...partitions));
}
