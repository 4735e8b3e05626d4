import { setTimeout as delay } from 'node:timers/promises';
import type { LogRecord, RecordBatch } from '../event-log/event-log.js';
import { tracedStep } from '../event-log/traced-step.js';
import { traceOf } from '../telemetry/tracing.js';
import { decodeRecord } from './decode-record.js';
import type { Input, StreamContext, StreamRecord } from './input.js';
import { InputOrder, type InputOrderOptions } from './input-order.js';
import type { StreamLimits } from './limits.js';
import { deadLetter, drop, type Outcome } from './outcome.js';
import type { Outputs } from './outputs.js';
import type { StateStore } from './state-store.js';
import type { StreamGauges } from './stream-gauges.js';
import { Watermark } from './watermark.js';

export interface PartitionTaskOptions<State> {
  readonly group: string;
  readonly partition: number;
  readonly outputs: Outputs;
  /** Topics of the inputs. */
  readonly topics: InputOrderOptions['topics'];
  readonly offsets: InputOrderOptions['offsets'];
  readonly store: StateStore<State> | undefined;
  readonly fresh: () => State;
  readonly limits: StreamLimits;
  readonly clock: () => number;
  readonly gauges: StreamGauges;
  readonly signal: AbortSignal;
}

/**
 * The records of one partition number of all inputs, their state and their outputs. One thing happens at a
 * time. A record that was applied is never applied again by this task, even if the log brings it again
 * because an append, a snapshot or a commit behind it failed.
 */
export class PartitionTask<State> {
  readonly #options: PartitionTaskOptions<State>;
  #state: State;
  #watermark: Watermark;
  readonly #next = new Map<string, number>();
  /** The same, as far as the outputs are in the log. */
  readonly #done = new Map<string, number>();
  #queue: Promise<unknown> = Promise.resolve();
  #changed = false;
  #savedMs: number;
  /** The name that the outputs of the current step are derived from. */
  #cause = '';
  #emitted = 0;
  readonly #context: StreamContext<State>;
  readonly #order: InputOrder;

  constructor(options: PartitionTaskOptions<State>) {
    this.#options = options;
    this.#state = options.fresh();
    this.#watermark = new Watermark(options.limits);
    this.#savedMs = options.clock();
    this.#context = this.#newContext();
    this.#order = new InputOrder({
      ...options,
      next: (topic) => this.#next.get(topic) ?? this.#done.get(topic),
    });
  }

  get watermark(): Watermark {
    return this.#watermark;
  }

  /** Offset by topic up to which everything is handled and its outputs are in the log. */
  get done(): ReadonlyMap<string, number> {
    return this.#done;
  }

  /**
   * Resolves with the offsets of the snapshot; undefined when there is none. Throws for one that cannot be
   * read.
   */
  restore(): Promise<Readonly<Record<string, number>> | undefined> {
    return this.#alone(async () => {
      const stored = await this.#options.store?.load(this.#options.partition);
      if (stored === undefined) return undefined;
      this.#state = stored.state;
      this.#watermark = new Watermark(
        this.#options.limits,
        stored.snapshot.watermarkMs ?? Number.NEGATIVE_INFINITY,
      );
      for (const [topic, offset] of Object.entries(stored.snapshot.offsets)) {
        this.#next.set(topic, offset);
        this.#done.set(topic, offset);
      }
      return stored.snapshot.offsets;
    });
  }

  /** The offset from which a topic is read, if it is not the committed one. */
  startAt(topic: string, offset: number): void {
    this.#done.set(topic, offset);
  }

  async handle(input: Input<State>, batch: RecordBatch): Promise<void> {
    try {
      for (const run of this.#order.runs(batch.records)) {
        await this.#order.turn(batch.topic, run[0]!.timestampMs);
        await this.#alone(() => this.#apply(input, batch, run));
      }
    } finally {
      this.#order.leave(batch.topic);
    }
    await this.#alone(async () => {
      await this.#options.outputs.flush();
      this.#done.set(batch.topic, this.#next.get(batch.topic) ?? 0);
      if (this.#options.clock() - this.#savedMs >= this.#options.limits.snapshotEveryMs) await this.#save();
    });
  }

  tick(run: (context: StreamContext<State>) => void | Promise<void>): Promise<void> {
    return this.#alone(async () => {
      this.#watermark.advance(this.#options.clock());
      this.#begin(`tick/${this.#options.clock()}`);
      await run(this.#context);
      this.#changed = true;
      await this.#options.outputs.flush();
    });
  }

  /** The last snapshot, before the partition goes to another member. */
  end(): Promise<void> {
    return this.#alone(() => this.#save());
  }

  #alone<Result>(action: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(action);
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #apply(input: Input<State>, batch: RecordBatch, run: readonly LogRecord[]): Promise<void> {
    const next = this.#next.get(batch.topic) ?? 0;
    const records = run.filter(({ offset }) => offset >= next);
    if ('each' in input.step) for (const record of records) await this.#handleOne(input, batch, record);
    else await this.#handleRuns(input, batch, records);
  }

  /** A tombstone with its own step is processed in order, between the records around it. */
  async #handleRuns(input: Input<State>, batch: RecordBatch, records: readonly LogRecord[]): Promise<void> {
    let run: LogRecord[] = [];
    for (const record of records) {
      if (record.value !== null || input.onTombstone === undefined) {
        run.push(record);
        continue;
      }
      if (run.length > 0) await this.#handleMany(input, batch, run);
      run = [];
      await this.#handleOne(input, batch, record);
    }
    if (run.length > 0) await this.#handleMany(input, batch, run);
  }

  async #handleOne(input: Input<State>, batch: RecordBatch, record: LogRecord): Promise<void> {
    const each = 'each' in input.step ? input.step.each : () => drop('no step');
    const decoded = await decodeRecord(input.codec, batch, record);
    let attempts = 1;
    let outcome: Outcome;
    if ('kind' in decoded) outcome = decoded;
    else {
      this.#observe(input, decoded);
      const step = record.value === null ? (input.onTombstone ?? (() => drop('tombstone'))) : each;
      const run = (): Outcome | Promise<Outcome> => step(decoded as StreamRecord<undefined>, this.#context);
      this.#begin(`${batch.topic}/${batch.partition}/${record.offset}`);
      [outcome, attempts] = await tracedStep(this.#options.group, batch.topic, [record], () =>
        this.#attempt(batch.topic, run),
      );
    }
    this.#settle(batch, record, outcome, attempts);
    if (this.#options.outputs.length >= this.#options.limits.pendingOutputsMax)
      await this.#options.outputs.flush();
  }

  async #handleMany(input: Input<State>, batch: RecordBatch, records: readonly LogRecord[]): Promise<void> {
    if (!('batches' in input.step)) return;
    const step = input.step.batches;
    const decoded: Array<StreamRecord<unknown>> = [];
    const undecodable = new Map<LogRecord, Outcome>();
    const whole: LogRecord[] = [];
    for (const record of records) {
      const result =
        record.value === null ? drop('tombstone') : await decodeRecord(input.codec, batch, record);
      if ('kind' in result) undecodable.set(record, result);
      else {
        this.#observe(input, result);
        decoded.push(result);
        whole.push(record);
      }
    }
    const last = records.at(-1)!;
    const outcomes = new Map(undecodable);
    let attempts = 1;
    if (decoded.length > 0) {
      this.#begin(`${batch.topic}/${batch.partition}/${last.offset}`);
      let answer: Outcome | readonly Outcome[];
      [answer, attempts] = await tracedStep(this.#options.group, batch.topic, whole, () =>
        this.#attempt(batch.topic, () => step(decoded, this.#context)),
      );
      const failed =
        !Array.isArray(answer) && (answer as Outcome).kind === 'deadLetter' && decoded.length > 1;
      for (const [index, record] of whole.entries()) {
        let outcome = Array.isArray(answer) ? (answer[index] as Outcome) : (answer as Outcome);
        if (failed) {
          this.#begin(`${batch.topic}/${batch.partition}/${record.offset}`);
          const [single] = await tracedStep(this.#options.group, batch.topic, [record], () =>
            this.#attempt(batch.topic, () => step([decoded[index]!], this.#context)),
          );
          outcome = Array.isArray(single) ? (single[0] as Outcome) : (single as Outcome);
        }
        outcomes.set(record, outcome);
      }
    }
    for (const record of records) this.#settle(batch, record, outcomes.get(record)!, attempts);
  }

  /**
   * Errors marked `retriable` come from dependencies, not from the record: they are thrown, and the batch is
   * redelivered.
   */
  async #attempt<Result>(
    topic: string,
    run: () => Result | Promise<Result>,
  ): Promise<readonly [Result | Outcome, number]> {
    const { limits, outputs, gauges, signal } = this.#options;
    const emitted = this.#emitted;
    const pending = outputs.length;
    for (let attempt = 1; ; attempt++) {
      try {
        return [await run(), attempt];
      } catch (error) {
        outputs.truncate(pending);
        this.#emitted = emitted;
        if ((error as { retriable?: unknown } | null)?.retriable === true) throw error;
        if (attempt >= limits.attemptsMax) return [deadLetter('failed', error), attempt];
        gauges.retried(topic);
        const wait = Math.min(limits.backOffFirstMs * 2 ** (attempt - 1), limits.backOffLastMs);
        await delay(wait, undefined, { signal });
      }
    }
  }

  #settle(batch: RecordBatch, record: LogRecord, outcome: Outcome, attempts: number): void {
    const { gauges, outputs } = this.#options;
    switch (outcome.kind) {
      case 'ok':
        break;
      case 'drop':
        gauges.dropped(batch.topic, outcome.reason);
        break;
      case 'deadLetter': {
        gauges.deadLettered(batch.topic);
        outputs.addDeadLetter(batch.topic, batch.partition, record, causeOf(outcome), attempts);
        break;
      }
    }
    gauges.records(batch.topic, 1);
    this.#next.set(batch.topic, record.offset + 1);
    this.#changed = true;
  }

  #observe(input: Input<State>, record: StreamRecord<unknown>): void {
    const hasTime = record.message !== undefined && input.eventTimeMs !== undefined;
    const eventTimeMs = hasTime ? input.eventTimeMs!(record.message) : record.timestampMs;
    this.#watermark.observe(record.topic, eventTimeMs, this.#options.clock());
  }

  async #save(): Promise<void> {
    const { store, clock, group, partition } = this.#options;
    this.#savedMs = clock();
    if (store === undefined || !this.#changed || this.#next.size === 0) return;
    // After a restart, an output that the log lacks must be produced again, so the snapshot must precede its
    // input.
    await this.#options.outputs.flush();
    const { valueMs } = this.#watermark;
    const snapshot = {
      group,
      partition,
      offsets: Object.fromEntries(this.#next),
      watermarkMs: Number.isFinite(valueMs) ? valueMs : null,
      savedMs: this.#savedMs,
    };
    await store.save(snapshot, this.#state);
    this.#changed = false;
  }

  #begin(cause: string): void {
    this.#cause = cause;
    this.#emitted = 0;
  }

  #newContext(): StreamContext<State> {
    const { outputs, group, partition } = this.#options;
    const nextId = (): string => `${group}/${this.#cause}/${this.#emitted++}`;
    const stateOf = (): State => this.#state;
    const watermarkOf = (): number => this.#watermark.valueMs;
    return {
      partition,
      get state() {
        return stateOf();
      },
      get watermarkMs() {
        return watermarkOf();
      },
      emit: (codec, key, message) =>
        outputs.add(codec.topic, key, codec.encode(message), nextId(), traceOf(message as object)),
      emitTombstone: (codec, key) => outputs.add(codec.topic, key, null, nextId()),
    };
  }
}

function causeOf({ reason, error }: { readonly reason: string; readonly error?: unknown }): string {
  if (error === undefined) return reason;
  return `${reason}: ${error instanceof Error ? error.message : String(error)}`;
}
