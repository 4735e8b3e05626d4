import { setTimeout } from 'node:timers/promises';
import type { Consumer, ConsumerOptions, RecordBatch, TopicPartition } from './event-log.js';
import type { GroupMember, LogGroups } from './log-groups.js';
import { PartitionReader } from './partition-reader.js';
import { redeliveryDelayMs } from './redelivery.js';

export interface LmdbConsumerOptions extends ConsumerOptions {
  readonly groups: Pick<LogGroups, 'join' | 'claim' | 'release' | 'leave' | 'commit' | 'generation'>;
  readonly next: (partition: TopicPartition, fromOffset: number) => RecordBatch | undefined;
  /** The offset to begin at, inside what the partition holds. */
  readonly firstOffset: (partition: TopicPartition, wanted: number | undefined) => number;
  readonly onClosed: (consumer: LmdbConsumer) => void;
}

/** One member of a group on the embedded log. */
export class LmdbConsumer implements Consumer {
  readonly ready: Promise<void>;
  readonly #options: LmdbConsumerOptions;
  #member: GroupMember | undefined;
  #seen = -1;
  /** One after the other. */
  #failedSyncs = 0;
  #syncing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  readonly #readers = new Map<string, PartitionReader>();

  constructor(options: LmdbConsumerOptions) {
    this.#options = options;
    this.ready = this.#join();
    this.ready.catch(() => {});
  }

  get group(): string {
    return this.#options.group;
  }

  wake(topic: string, partition: number): void {
    this.#readers.get(`${topic}/${partition}`)?.wake();
  }

  wakeAll(): void {
    for (const reader of this.#readers.values()) reader.wake();
    this.groupChanged();
  }

  groupChanged(): void {
    if (this.#member === undefined || this.#closing !== undefined) return;
    if (this.#options.groups.generation(this.group) === this.#seen) return;
    this.#syncing ??= this.#sync()
      .catch(async (error: unknown) => {
        this.#options.onError?.(asError(error), undefined);
        await setTimeout(redeliveryDelayMs(++this.#failedSyncs));
        this.#seen = -1;
      })
      .finally(() => {
        this.#syncing = undefined;
        this.groupChanged();
      });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #join(): Promise<void> {
    this.#member = await this.#options.groups.join(this.group, this.#options.topics);
    this.#syncing = this.#sync();
    try {
      await this.#syncing;
    } finally {
      this.#syncing = undefined;
    }
    this.groupChanged();
  }

  async #sync(): Promise<void> {
    const member = this.#member!;
    this.#seen = this.#options.groups.generation(this.group);
    const { taken, due } = await this.#options.groups.claim(member);
    if (taken.length > 0) await this.#start(taken);
    if (due.length > 0) {
      await this.#stop(due);
      await this.#options.groups.release(member, due);
    }
    this.#failedSyncs = 0;
  }

  async #start(taken: readonly TopicPartition[]): Promise<void> {
    const { firstOffset, next, groups, onBatch, onError } = this.#options;
    const own = await this.#askForOffsets(taken);
    if (this.#closing !== undefined) return;
    for (const { topic, partition } of taken) {
      const place = { topic, partition };
      const wanted = own.find((offset) => offset.topic === topic && offset.partition === partition)?.offset;
      const reader = new PartitionReader({
        ...place,
        from: firstOffset(place, wanted),
        next: (fromOffset) => next(place, fromOffset),
        commit: (nextOffset) => groups.commit(this.#member!, place, nextOffset),
        onBatch,
        onError: (error) => onError?.(error, place),
      });
      this.#readers.set(`${topic}/${partition}`, reader);
      // A process that was stopped long enough for another to take its partition finds out at its next
      // commit.
      void reader.done.then((kept) => {
        if (!kept) void this.#forget(place);
      });
    }
  }

  async #askForOffsets(
    taken: readonly TopicPartition[],
  ): Promise<ReadonlyArray<TopicPartition & { readonly offset: number }>> {
    for (let attempt = 1; this.#closing === undefined; attempt++) {
      try {
        return (await this.#options.onAssigned?.(taken)) ?? [];
      } catch (error) {
        this.#options.onError?.(asError(error), undefined);
        await setTimeout(redeliveryDelayMs(attempt));
      }
    }
    return [];
  }

  async #stop(partitions: readonly TopicPartition[]): Promise<void> {
    const held = partitions.filter(({ topic, partition }) => this.#readers.has(`${topic}/${partition}`));
    await Promise.all(held.map(({ topic, partition }) => this.#readers.get(`${topic}/${partition}`)!.stop()));
    await this.#revoke(held);
  }

  async #forget(place: TopicPartition): Promise<void> {
    await this.#revoke([place]);
    this.#seen = -1;
    this.groupChanged();
  }

  async #revoke(partitions: readonly TopicPartition[]): Promise<void> {
    const gone = partitions.filter(({ topic, partition }) => this.#readers.delete(`${topic}/${partition}`));
    if (gone.length === 0) return;
    try {
      await this.#options.onRevoked?.(gone);
    } catch (error) {
      this.#options.onError?.(asError(error), undefined);
    }
  }

  async #close(): Promise<void> {
    await this.ready.catch(() => {});
    await this.#syncing;
    await this.#stop([...this.#readers.values()].map(({ topic, partition }) => ({ topic, partition })));
    if (this.#member !== undefined) await this.#options.groups.leave(this.#member);
    this.#options.onClosed(this);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
