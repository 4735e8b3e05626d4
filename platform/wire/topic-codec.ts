import type { TopicContract } from '#schemas/topics.js';

/**
 * Turns a topic's messages into values in the Confluent wire format (0x00, schema id as 4 bytes big-endian,
 * message index, Protobuf body) and back.
 */
export interface TopicCodec<Message> {
  readonly topic: TopicContract;
  encode(message: Message): Uint8Array;
  /** Throws `UndecodableRecord` with a sentence for bytes that are not a message of this topic. */
  decode(value: Uint8Array): Message;
  /**
   * Fetches schema versions that a newer writer has registered since; resolves with whether there are any.
   */
  refresh(): Promise<boolean>;
}

/** A codec whose messages may also be read by code of one's own. */
export interface BodyCodec<Message> extends TopicCodec<Message> {
  /** The Protobuf body behind a header that was checked. Throws `UndecodableRecord`. */
  bodyOf(value: Uint8Array): Uint8Array;
}

export class UndecodableRecord extends Error {
  override readonly name = 'UndecodableRecord';
}
