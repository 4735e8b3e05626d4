import type { Logger } from '../telemetry/logger.js';
import { type TopicCodec, UndecodableRecord } from '../wire/topic-codec.js';
import type { EventLog, LogRecord, RecordBatch, TopicPartition } from './event-log.js';
import { tracedStep } from './traced-step.js';

export interface FollowOptions<Message> {
  readonly log: EventLog;
  readonly logger: Logger;
  readonly codec: Pick<TopicCodec<Message>, 'topic' | 'decode'>;
  /** Unique among the running instances: each of them sees every record. */
  readonly instanceId: string;
  /** `beginning`: the complete topic is state. `end`: only records from now on. */
  readonly from: 'beginning' | 'end';
  /** Skips a record before it is decoded. */
  readonly wants?: (record: LogRecord) => boolean;
  /**
   * Gets the messages of one batch of a partition, in order; never empty. When it rejects, the batch is
   * redelivered.
   */
  readonly apply: (messages: readonly Message[]) => Promise<void> | void;
}

export interface Follower {
  /** Resolves once everything that was in the log at the start has been applied. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Updates the state of one instance from a topic. The state is in memory, so every start reads the topic from
 * the chosen position again, whatever the group committed. A record that cannot be decoded is logged and
 * skipped: the topic's processors send it to the dead letters, and one bad record must not stop a gateway.
 */
export async function followTopic<Message>(options: FollowOptions<Message>): Promise<Follower> {
  const { log, codec } = options;
  const topic = codec.topic.name;
  const group = `follower-${topic}-${options.instanceId}`;
  const behind = new Map<number, number>();
  let assigned = false;
  let caughtUp = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    caughtUp = resolve;
  });

  const onAssigned = async (partitions: readonly TopicPartition[]) => {
    const offsets = new Map((await log.offsets(topic)).map((each) => [each.partition, each]));
    const starts = partitions.flatMap(({ partition }) => {
      const known = offsets.get(partition);
      if (known === undefined) return [];
      if (options.from === 'beginning' && known.earliest < known.end) behind.set(partition, known.end);
      const offset = options.from === 'beginning' ? known.earliest : known.end;
      return [{ topic, partition, offset }];
    });
    assigned = true;
    if (behind.size === 0) caughtUp();
    return starts;
  };

  const decode = (record: LogRecord, batch: RecordBatch): Message | undefined => {
    if (record.value === null || options.wants?.(record) === false) return undefined;
    try {
      return codec.decode(record.value);
    } catch (error) {
      if (!(error instanceof UndecodableRecord)) throw error;
      options.logger.warn('skipping a record that cannot be decoded', {
        topic,
        partition: batch.partition,
        offset: record.offset,
        cause: error.message,
      });
      return undefined;
    }
  };

  const onBatch = async (batch: RecordBatch) => {
    const messages = batch.records.flatMap((record) => decode(record, batch) ?? []);
    if (messages.length > 0) await tracedStep(group, topic, batch.records, () => options.apply(messages));
    const end = behind.get(batch.partition);
    if (end === undefined || batch.nextOffset < end) return;
    behind.delete(batch.partition);
    if (assigned && behind.size === 0) caughtUp();
  };

  const consumer = await log.consume({
    group,
    topics: [topic],
    startAt: options.from === 'beginning' ? 'earliest' : 'latest',
    onBatch,
    onAssigned,
    onError: (error, position) =>
      options.logger.warn('a consumer failed and is retried', {
        topic,
        partition: position?.partition,
        cause: error.message,
      }),
  });
  return { ready: consumer.ready.then(() => ready), close: () => consumer.close() };
}
