/**
 * Numbers for message schemas, so that a record says in five bytes how it is read. A Confluent-compatible server at
 * scale; embedded, a file with the same numbering rules (ids grow from 1, the same text gets the same id).
 */
export interface SchemaRegistry {
  /** Registers the .proto text under the subject (`<topic>-value`) when it is new. Throws when it breaks compatibility. */
  register(subject: string, protoText: string): Promise<number>;
  /** The .proto text of an id; undefined when no such id exists. */
  schema(id: number): Promise<string | undefined>;
  check(): Promise<void>;
  close(): Promise<void>;
}
