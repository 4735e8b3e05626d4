/**
 * Ids of message schemas, so that five bytes of a record identify its schema. A Confluent-compatible server
 * at scale; embedded, a table on disk with the same numbering rules (ids grow from 1, the same text gets the
 * same id).
 */
export interface SchemaRegistry {
  /**
   * Registers the .proto text under the subject (`<topic>-value`) when it is new. Throws when it breaks
   * compatibility.
   */
  register(subject: string, protoText: string): Promise<number>;
  /** The .proto text of an id; undefined when no such id exists. */
  schema(id: number): Promise<string | undefined>;
  /** Ids of all versions of a subject, oldest first; empty for an unknown subject. */
  ids(subject: string): Promise<readonly number[]>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The registry refused or could not be reached. `retriable`: the same call may succeed later. */
export class SchemaRegistryError extends Error {
  override readonly name = 'SchemaRegistryError';
  readonly retriable: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly retriable: boolean }) {
    super(message, { cause: options.cause });
    this.retriable = options.retriable;
  }
}
