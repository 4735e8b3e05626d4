import { createHash } from 'node:crypto';
import { type Database, open, type RootDatabase } from 'lmdb';
import { makeFolder } from '../config/folders.js';
import { lmdbCommitOptions, lmdbWrite } from '../lmdb/lmdb-write.js';
import { wireLimits } from './limits.js';
import { incompatibilities, protoShape } from './proto-compatibility.js';
import { type SchemaRegistry, SchemaRegistryError } from './schema-registry.js';

/**
 * The registry of one machine: a table on LMDB that several processes may have open. A new version of a
 * subject must be compatible with all before it, in both directions.
 */
export class EmbeddedSchemaRegistry implements SchemaRegistry {
  readonly #env: RootDatabase<unknown, string>;
  readonly #texts: Database<string, number>;
  readonly #idsByText: Database<number, string>;
  readonly #subjects: Database<readonly number[], string>;
  #closing: Promise<void> | undefined;

  /** Opens or makes the registry in `folder`. */
  static async open(folder: string): Promise<EmbeddedSchemaRegistry> {
    try {
      makeFolder(folder);
      return new EmbeddedSchemaRegistry(folder);
    } catch (cause) {
      const message =
        `The schema registry in ${folder} cannot be opened (${(cause as Error).message}). ` +
        'The folder must be writable and contain only a registry.';
      throw new SchemaRegistryError(message, { cause, retriable: false });
    }
  }

  private constructor(folder: string) {
    this.#env = open<unknown, string>({ path: folder, ...lmdbCommitOptions });
    this.#texts = this.#env.openDB('texts', {});
    this.#idsByText = this.#env.openDB('ids', {});
    this.#subjects = this.#env.openDB('subjects', {});
  }

  async register(subject: string, protoText: string): Promise<number> {
    if (Buffer.byteLength(protoText) > wireLimits.schemaBytesMax)
      throw refusal(subject, `it has more than ${wireLimits.schemaBytesMax} bytes`);
    try {
      protoShape(protoText);
    } catch (cause) {
      throw refusal(subject, `it is not Protobuf: ${(cause as Error).message}`);
    }
    const outcome = await this.#write(() => this.#register(subject, protoText));
    if (typeof outcome !== 'number') throw refusal(subject, outcome.fault);
    return outcome;
  }

  async schema(id: number): Promise<string | undefined> {
    this.#env.resetReadTxn();
    return this.#texts.get(id);
  }

  async ids(subject: string): Promise<readonly number[]> {
    this.#env.resetReadTxn();
    return this.#subjects.get(subject) ?? [];
  }

  /** All subjects in lexical order. */
  subjects(): readonly string[] {
    this.#env.resetReadTxn();
    return [...this.#subjects.getKeys()];
  }

  async check(): Promise<void> {
    if (this.#closing !== undefined)
      throw new SchemaRegistryError('The schema registry is closed.', { retriable: false });
    this.subjects();
  }

  close(): Promise<void> {
    this.#closing ??= this.#env.close();
    return this.#closing;
  }

  async #write<Result>(action: () => Result): Promise<Result> {
    try {
      const { committed, flushed } = lmdbWrite(this.#env, action);
      await flushed;
      return await committed;
    } catch (cause) {
      const message = `The schema registry cannot write to its disk (${(cause as Error).message}).`;
      throw new SchemaRegistryError(message, { cause, retriable: true });
    }
  }

  #register(subject: string, text: string): number | { readonly fault: string } {
    const known = this.#idsByText.get(digest(text));
    const versions = this.#subjects.get(subject) ?? [];
    if (known !== undefined && versions.includes(known)) return known;
    if (versions.length >= wireLimits.schemasPerSubjectMax)
      return { fault: `the subject has ${versions.length} versions, which is the limit` };
    const faults = versions.flatMap((id) => incompatibilities(protoShape(this.#texts.get(id)!), text));
    if (faults.length > 0) return { fault: [...new Set(faults)].join(' ') };
    const id = known ?? (lastKey(this.#texts) ?? 0) + 1;
    this.#texts.putSync(id, text);
    this.#idsByText.putSync(digest(text), id);
    this.#subjects.putSync(subject, [...versions, id]);
    return id;
  }
}

function lastKey(table: Database<string, number>): number | undefined {
  const [key] = table.getKeys({ reverse: true, limit: 1 });
  return key;
}

/** LMDB's keys are short; equal texts have equal digests. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function refusal(subject: string, reason: string): SchemaRegistryError {
  return new SchemaRegistryError(`The schema for ${subject} is refused: ${reason}`, { retriable: false });
}
