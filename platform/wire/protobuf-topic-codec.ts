import type { TopicContract } from '#schemas/topics.js';
import { type MessageBody, reflectedBody } from './message-body.js';
import { parseProto, protoText } from './proto-files.js';
import type { SchemaRegistry } from './schema-registry.js';
import { type BodyCodec, UndecodableRecord } from './topic-codec.js';
import { readWireHeader, type WireHeader, wireHeader } from './wire-header.js';

/**
 * The codec of a topic: registers the topic's .proto text and writes its id. It reads what any registered
 * version of the subject wrote, with our own schema: Protobuf skips fields that are newer and fills in those
 * that are older. `body` replaces the generated code for messages with hand-written code.
 */
export async function protobufTopicCodec<Message extends object>(
  topic: TopicContract,
  registry: SchemaRegistry,
  body?: MessageBody<Message>,
): Promise<BodyCodec<Message>> {
  const text = protoText(topic.proto.file);
  const type = parseProto(text).lookupType(topic.proto.message);
  const messageIndex = type.parent!.nestedArray.filter((nested) => 'fields' in nested).indexOf(type);
  const subject = `${topic.name}-value`;
  const schemaId = await registry.register(subject, text);
  const codec = new ProtobufTopicCodec(topic, {
    subject,
    schemaId,
    messageIndex,
    registry,
    body: body ?? reflectedBody<Message>(type),
  });
  await codec.refresh();
  return codec;
}

interface CodecParts<Message> {
  readonly subject: string;
  readonly schemaId: number;
  readonly messageIndex: number;
  readonly registry: SchemaRegistry;
  readonly body: MessageBody<Message>;
}

class ProtobufTopicCodec<Message extends object> implements BodyCodec<Message> {
  readonly topic: TopicContract;
  readonly #parts: CodecParts<Message>;
  readonly #header: Buffer;
  #readable: ReadonlySet<number>;

  constructor(topic: TopicContract, parts: CodecParts<Message>) {
    this.topic = topic;
    this.#parts = parts;
    this.#header = wireHeader(parts.schemaId, parts.messageIndex);
    this.#readable = new Set([parts.schemaId]);
  }

  encode(message: Message): Uint8Array {
    return this.#parts.body.encode(message, this.#header);
  }

  decode(value: Uint8Array): Message {
    const { schemaId, bodyAt } = this.#headerOf(value);
    return this.#parts.body.decode(value.subarray(bodyAt), schemaId === this.#parts.schemaId);
  }

  bodyOf(value: Uint8Array): Uint8Array {
    return value.subarray(this.#headerOf(value).bodyAt);
  }

  #headerOf(value: Uint8Array): WireHeader {
    const header = readWireHeader(value);
    const { subject, body } = this.#parts;
    if (!this.#readable.has(header.schemaId))
      throw new UndecodableRecord(
        `The value names the schema ${header.schemaId}, which is not a version of ${subject}.`,
      );
    if (header.messageIndex !== this.#parts.messageIndex)
      throw new UndecodableRecord(
        `The value contains message ${header.messageIndex} of its schema, not a ${body.name}.`,
      );
    return header;
  }

  async refresh(): Promise<boolean> {
    const before = this.#readable;
    const ids = await this.#parts.registry.ids(this.#parts.subject);
    this.#readable = new Set([this.#parts.schemaId, ...ids]);
    return this.#readable.size > before.size;
  }
}
