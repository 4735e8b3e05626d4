import type { ObjectStore } from '../object-store/object-store.js';
import { decodeSnapshot, encodeSnapshot, type Snapshot, UnreadableSnapshot } from './snapshot.js';

/** How a processor's state is created, encoded and decoded. One state belongs to one partition number. */
export interface StateDefinition<State> {
  readonly fresh: (partition: number) => State;
  readonly encode: (state: State) => Uint8Array;
  /** Throws when the bytes are no state of this version: it is then built again from the log. */
  readonly decode: (bytes: Uint8Array, partition: number) => State;
}

export interface StoredState<State> {
  readonly state: State;
  readonly snapshot: Snapshot;
}

/**
 * Snapshots in the object store, one object per partition number. State and offsets are one object, replaced
 * as a whole, so that a restart finds a state and exactly its offsets, whatever the instant of the crash.
 */
export class StateStore<State> {
  readonly #objects: ObjectStore;
  readonly #group: string;
  readonly #definition: StateDefinition<State>;
  readonly #bytesMax: number;

  constructor(objects: ObjectStore, group: string, definition: StateDefinition<State>, bytesMax: number) {
    this.#objects = objects;
    this.#group = group;
    this.#definition = definition;
    this.#bytesMax = bytesMax;
  }

  /**
   * Undefined when there is none. Throws `UnreadableSnapshot`, or the store's own error when it is
   * unavailable.
   */
  async load(partition: number): Promise<StoredState<State> | undefined> {
    const bytes = await this.#objects.get(this.#key(partition));
    if (bytes === undefined) return undefined;
    const { snapshot, state } = decodeSnapshot(bytes);
    if (snapshot.group !== this.#group || snapshot.partition !== partition)
      throw new UnreadableSnapshot(`The snapshot belongs to ${snapshot.group}/${snapshot.partition}.`);
    try {
      return { snapshot, state: this.#definition.decode(state, partition) };
    } catch (cause) {
      throw new UnreadableSnapshot(`The state has another version: ${(cause as Error).message}`, {
        cause,
        isOutdated: true,
      });
    }
  }

  async save(snapshot: Snapshot, state: State): Promise<void> {
    const bytes = encodeSnapshot(snapshot, this.#definition.encode(state));
    if (bytes.length > this.#bytesMax) {
      throw new Error(
        `The state of ${this.#group}/${snapshot.partition} has ${bytes.length} bytes; ` +
          `the limit is ${this.#bytesMax}. Use more partitions or evict earlier.`,
      );
    }
    await this.#objects.put(this.#key(snapshot.partition), bytes);
  }

  #key(partition: number): string {
    return `state/${this.#group}/${String(partition).padStart(5, '0')}.snapshot`;
  }
}
