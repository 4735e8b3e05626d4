import { setTimeout as delay } from 'node:timers/promises';
import type { DeadLetter } from '#schemas/messages.js';
import type { TopicContract } from '#schemas/topics.js';
import { checkRecords } from '../event-log/check-records.js';
import { type EventLog, type LogRecord, LogUnavailable, type NewRecord } from '../event-log/event-log.js';
import { eventLogLimits } from '../event-log/limits.js';
import { traceHeader, tracing } from '../telemetry/tracing.js';
import type { TopicCodec } from '../wire/topic-codec.js';
import type { StreamLimits } from './limits.js';

/**
 * Left for the other fields of a dead letter; a longer value is truncated, and its position says where the
 * complete value is.
 */
const DEAD_LETTER_FIELD_BYTES = 16_384;
const CAUSE_CHARACTERS_MAX = 2_000;

export interface OutputsOptions {
  readonly log: EventLog;
  readonly deadLetters: TopicCodec<DeadLetter>;
  readonly group: string;
  readonly limits: StreamLimits;
  readonly clock: () => number;
  /** Ends the wait for an unavailable log. */
  readonly signal: AbortSignal;
}

/** Records that a partition's steps emitted and that the log does not have yet. */
export class Outputs {
  readonly #options: OutputsOptions;
  readonly #pending: Array<{ readonly topic: string; readonly record: NewRecord }> = [];

  constructor(options: OutputsOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#pending.length;
  }

  /**
   * Throws for a record that no log would accept. `id` is the same whenever the same input is processed
   * again; `trace` is the work that emits it.
   */
  add(
    topic: TopicContract,
    key: string,
    value: Uint8Array | null,
    id: string,
    trace = tracing()?.current(),
  ): void {
    const headers = {
      ...(trace === undefined ? {} : { [traceHeader]: trace }),
      ce_id: id,
      ce_source: this.#options.group,
      'content-type': 'application/protobuf',
    };
    const record = { key, value, headers };
    checkRecords(topic.name, [record]);
    this.#pending.push({ topic: topic.name, record });
  }

  addDeadLetter(topic: string, partition: number, record: LogRecord, reason: string, attempts: number): void {
    const { deadLetters, group, clock } = this.#options;
    const valueMax = eventLogLimits.recordBytesMax - DEAD_LETTER_FIELD_BYTES;
    const value = record.value ?? new Uint8Array(0);
    const letter: DeadLetter = {
      group,
      topic,
      partition,
      offset: record.offset,
      key: Buffer.from(record.key),
      value: value.subarray(0, valueMax),
      cause: reason.slice(0, CAUSE_CHARACTERS_MAX),
      attempts,
      failedMs: clock(),
    };
    const id = `${group}/${topic}/${partition}/${record.offset}/dead`;
    this.add(deadLetters.topic, `${topic}/${partition}`, deadLetters.encode(letter), id);
  }

  /** Discards the outputs of a failed attempt. */
  truncate(length: number): void {
    this.#pending.length = length;
  }

  /** Resolves when the log has everything; an unavailable log is retried until the signal ends the wait. */
  async flush(): Promise<void> {
    const { log, limits, signal } = this.#options;
    for (let attempt = 0; this.#pending.length > 0; attempt++) {
      const { topic } = this.#pending[0]!;
      const until = this.#pending.findIndex((output) => output.topic !== topic);
      const run = this.#pending.slice(0, until === -1 ? undefined : until);
      try {
        await log.append(
          topic,
          run.map(({ record }) => record),
        );
        this.#pending.splice(0, run.length);
        attempt = -1;
      } catch (error) {
        if (!(error instanceof LogUnavailable && error.retriable)) throw error;
        await delay(Math.min(limits.backOffFirstMs * 2 ** attempt, limits.backOffLastMs), undefined, {
          signal,
        });
      }
    }
  }
}
