import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import type { QueuedAppend, WrittenGroup } from './append-queue.js';
import { recordBytes } from './check-records.js';
import type { RecordPosition } from './event-log.js';
import { eventLogLimits } from './limits.js';
import { partitionOf } from './murmur2.js';

/** What Kafka's record batch adds to a record's own bytes, at most: lengths, offsets, timestamp. */
const RECORD_OVERHEAD_BYTES = 40;

type Destination = `${string}/${number}`;
type Round = Map<
  Destination,
  { readonly messages: Message[]; readonly at: Array<readonly [number, number]>; bytes: number }
>;

/** Sends groups of appends with acks=all by an idempotent producer. */
export class KafkaAppends {
  readonly #kafka: Kafka;
  #producer: Promise<Producer> | undefined;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  async write(group: readonly QueuedAppend[]): Promise<WrittenGroup> {
    const positions = group.map(({ records }) => new Array<RecordPosition>(records.length));
    for (const round of roundsOf(group)) await this.#send(round, positions);
    return { positions, durable: Promise.resolve() };
  }

  async close(): Promise<void> {
    const producer = await this.#producer?.catch(() => undefined);
    await producer?.disconnect();
  }

  async #send(round: Round, positions: ReadonlyArray<RecordPosition[]>): Promise<void> {
    this.#producer ??= this.#connect();
    const connecting = this.#producer;
    try {
      const producer = await connecting;
      const answers = await producer.sendBatch({
        acks: -1,
        topicMessages: [...round].map(([destination, { messages }]) => ({
          topic: topicOf(destination),
          messages,
        })),
      });
      for (const { topicName, partition, baseOffset } of answers) {
        const first = Number(baseOffset);
        for (const [index, [append, record]] of round.get(`${topicName}/${partition}`)!.at.entries())
          positions[append]![record] = { partition, offset: first + index };
      }
    } catch (error) {
      // A failed send may have been stored all the same. This producer would give its sequence numbers to the next
      // records, and the broker would take those for the same ones and drop them: only a new producer id is safe.
      this.#producer = undefined;
      void connecting.then((producer) => producer.disconnect()).catch(() => {});
      throw error;
    }
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      retry: { retries: 4 },
    });
    await producer.connect();
    return producer;
  }
}

/** All records of a partition in one request form one record batch, whose bytes the broker limits. */
function roundsOf(group: readonly QueuedAppend[]): Round[] {
  const rounds: Round[] = [];
  const current = new Map<Destination, number>();
  for (const [append, { topic, partitionCount, records }] of group.entries()) {
    for (const [index, record] of records.entries()) {
      const partition = partitionOf(record.key, partitionCount);
      const destination: Destination = `${topic}/${partition}`;
      const bytes = recordBytes(record) + RECORD_OVERHEAD_BYTES;
      let at = current.get(destination) ?? 0;
      const present = rounds[at]?.get(destination);
      if (present !== undefined && present.bytes + bytes > eventLogLimits.recordBytesMax) at++;
      current.set(destination, at);
      rounds[at] ??= new Map();
      let batch = rounds[at]!.get(destination);
      if (batch === undefined) {
        batch = { messages: [], at: [], bytes: 0 };
        rounds[at]!.set(destination, batch);
      }
      batch.bytes += bytes;
      batch.at.push([append, index]);
      batch.messages.push({
        partition,
        key: record.key,
        value: record.value === null ? null : asBuffer(record.value),
        ...(record.headers && { headers: record.headers }),
        ...(record.timestampMs !== undefined && { timestamp: String(record.timestampMs) }),
      });
    }
  }
  return rounds;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function topicOf(destination: Destination): string {
  return destination.slice(0, destination.lastIndexOf('/'));
}
