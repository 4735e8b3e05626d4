import { createAPI, type Reader, Writer } from '@platformatic/kafka';

/** One partition of a produce request: a finished record batch. */
export interface PartitionBatch {
  readonly topic: string;
  readonly partition: number;
  readonly batch: Buffer;
}

export interface PartitionAnswer {
  readonly topic: string;
  readonly partition: number;
  /** Kafka's error code; 0 is none. */
  readonly errorCode: number;
  readonly baseOffset: number;
}

const PRODUCE = 0;
const VERSION = 9;
const ALL_REPLICAS = -1;

/**
 * Produce, version 9, with acks=all. The library's own call builds a buffer object for each field of each
 * record; this one sends encoded record batches.
 */
export const produce = createAPI<[batches: readonly PartitionBatch[], timeoutMs: number], PartitionAnswer[]>(
  PRODUCE,
  VERSION,
  (batches: readonly PartitionBatch[], timeoutMs: number) => {
    const topics = [...new Set(batches.map(({ topic }) => topic))];
    return Writer.create()
      .appendString(null)
      .appendInt16(ALL_REPLICAS)
      .appendInt32(timeoutMs)
      .appendArray(topics, (writer, topic) => {
        const ofTopic = batches.filter((batch) => batch.topic === topic);
        writer.appendString(topic).appendArray(ofTopic, (inner, { partition, batch }) => {
          inner
            .appendInt32(partition)
            .appendUnsignedVarInt(batch.length + 1)
            .append(batch);
        });
      })
      .appendTaggedFields();
  },
  (_correlationId, _apiKey, _apiVersion, reader) => {
    const answers: PartitionAnswer[] = [];
    reader.readArray((topics) => {
      const topic = topics.readString();
      topics.readArray((partitions) => {
        answers.push({ topic, ...readPartition(partitions) });
      });
    });
    return answers;
  },
);

function readPartition(reader: Reader): Omit<PartitionAnswer, 'topic'> {
  const partition = reader.readInt32();
  const errorCode = reader.readInt16();
  const baseOffset = Number(reader.readInt64());
  reader.readInt64();
  reader.readInt64();
  reader.readArray((errors) => {
    errors.readInt32();
    errors.readNullableString();
  });
  reader.readNullableString();
  return { partition, errorCode, baseOffset };
}
