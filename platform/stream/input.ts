import type { TopicCodec } from '../wire/topic-codec.js';
import type { Outcome } from './outcome.js';

export interface StreamRecord<Message> {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  /** When the log appended it, or the producer's time; Unix milliseconds. */
  readonly timestampMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Message;
}

/** The context of a step. It belongs to one partition number, whose steps never overlap. */
export interface StreamContext<State> {
  readonly partition: number;
  readonly state: State;
  /**
   * Unix milliseconds of event time up to which the inputs are complete; -Infinity at first. It never goes
   * back.
   */
  readonly watermarkMs: number;
  /**
   * Appends to a topic after the step; the input is committed only when the log has it. After a crash an
   * output may come twice, under the same `ce_id` header: group, input position and number of the output.
   */
  emit<Message>(codec: TopicCodec<Message>, key: string, message: Message): void;
  /** Appends a tombstone for a key of a compacted topic. */
  emitTombstone(codec: Pick<TopicCodec<never>, 'topic'>, key: string): void;
}

type Step<Message, State> = (
  record: StreamRecord<Message>,
  context: StreamContext<State>,
) => Outcome | Promise<Outcome>;

type BatchStep<Message, State> = (
  records: ReadonlyArray<StreamRecord<Message>>,
  context: StreamContext<State>,
) => Outcome | readonly Outcome[] | Promise<Outcome | readonly Outcome[]>;

interface InputOptions<Message, State> {
  /** Event time of a message, Unix milliseconds; the record's timestamp when absent. */
  readonly eventTimeMs?: (message: Message) => number;
  /** For compacted topics; without it a tombstone is dropped. */
  readonly onTombstone?: Step<undefined, State>;
}

/**
 * One topic that a processor reads and the step that its records go through. Made by `each` and `batches`.
 */
export interface Input<State> extends InputOptions<unknown, State> {
  readonly codec: TopicCodec<unknown>;
  readonly step: { readonly each: Step<unknown, State> } | { readonly batches: BatchStep<unknown, State> };
}

/**
 * Every record by itself, in the order of its partition. A step that throws is tried again, so it must throw
 * before it changes the state.
 */
export function each<Message, State = undefined>(
  codec: TopicCodec<Message>,
  step: Step<Message, State>,
  options: InputOptions<Message, State> = {},
): Input<State> {
  return { ...options, codec, step: { each: step } } as Input<State>;
}

/**
 * Consecutive records of a partition as a batch, for steps that write in bulk. One outcome for all or one for
 * each. When the step keeps failing it gets the records one by one, so that only the invalid ones become dead
 * letters: it must be idempotent or write nothing when it throws.
 */
export function batches<Message, State = undefined>(
  codec: TopicCodec<Message>,
  step: BatchStep<Message, State>,
  options: InputOptions<Message, State> = {},
): Input<State> {
  return { ...options, codec, step: { batches: step } } as Input<State>;
}
