import type { TopicPartition } from './event-log.js';
import { type LogFiles, writeLog } from './log-files.js';

export interface GroupMember {
  readonly group: string;
  readonly member: string;
}

export interface Claim {
  /** Partitions that became this member's. */
  readonly taken: readonly TopicPartition[];
  /** Partitions that belong to another member now: end their batch, then `release` them. */
  readonly due: readonly TopicPartition[];
}

/**
 * The consumer groups and their members. Each partition of a group has at most one owner in the `owners`
 * table, and every step is one write transaction, so that members of one process and of several share
 * partitions by the same rule: partition `p` of a topic belongs to live member `p mod n` in the order of
 * joining. A member takes its partitions when they are free, and releases those of another member after its
 * batch has ended; a commit counts only from the owner.
 */
export class LogGroups {
  readonly #files: LogFiles;
  readonly #process: string;
  readonly #onChange: (group: string) => void;

  constructor(files: LogFiles, process: string, onChange: (group: string) => void) {
    this.#files = files;
    this.#process = process;
    this.#onChange = onChange;
  }

  /** The returned name sorts behind all members that joined before. */
  async join(group: string, topics: readonly string[]): Promise<GroupMember> {
    const member = await this.#change(group, (generation) => {
      const name = `${String(generation).padStart(12, '0')}-${this.#process}`;
      this.#files.members.putSync([group, name], { process: this.#process, topics });
      return name;
    });
    return { group, member };
  }

  async claim({ group, member }: GroupMember): Promise<Claim> {
    const { owners } = this.#files;
    const { committed } = writeLog(this.#files, (): Claim => {
      const members = [...this.#files.members.getRange(groupRange(group))];
      const names = new Set(members.map(({ key }) => key[1]));
      const taken: TopicPartition[] = [];
      const due: TopicPartition[] = [];
      for (const topic of new Set(members.flatMap(({ value }) => value.topics))) {
        const readers = members.filter(({ value }) => value.topics.includes(topic)).map(({ key }) => key[1]);
        const count = this.#files.topics.get(topic)?.partitions ?? 0;
        for (let partition = 0; partition < count; partition++) {
          const owner = owners.get([group, topic, partition]);
          const heir = readers[partition % readers.length];
          if (owner === member && heir !== member) due.push({ topic, partition });
          if (heir !== member || owner === member) continue;
          if (owner !== undefined && names.has(owner)) continue;
          owners.putSync([group, topic, partition], member);
          taken.push({ topic, partition });
        }
      }
      return { taken, due };
    });
    return committed;
  }

  async release({ group, member }: GroupMember, partitions: readonly TopicPartition[]): Promise<void> {
    await this.#change(group, () => {
      for (const { topic, partition } of partitions) {
        if (this.#files.owners.get([group, topic, partition]) === member)
          this.#files.owners.removeSync([group, topic, partition]);
      }
    });
  }

  /** This also frees the member's partitions, because an owner that is not a member does not count. */
  async leave({ group, member }: GroupMember): Promise<void> {
    await this.#change(group, () => this.#files.members.removeSync([group, member]));
  }

  /** Removes the members of processes that have ended; their partitions become free. */
  async bury(processes: ReadonlySet<string>): Promise<void> {
    const orphans = [...this.#files.members.getRange()].filter(({ value }) => processes.has(value.process));
    for (const { key } of orphans) {
      await this.#change(key[0], () => {
        this.#files.members.removeSync(key);
      });
    }
    await writeLog(this.#files, () => {
      for (const process of processes) this.#files.processes.removeSync(process);
    }).committed;
  }

  /**
   * False when the member no longer owns the partition: another member processes everything since the last
   * commit.
   */
  async commit(
    { group, member }: GroupMember,
    { topic, partition }: TopicPartition,
    next: number,
  ): Promise<boolean> {
    const { committed } = writeLog(this.#files, () => {
      if (this.#files.owners.get([group, topic, partition]) !== member) return false;
      this.#files.committed.putSync([group, topic, partition], next);
      return true;
    });
    return committed;
  }

  generation(group: string): number {
    return this.#files.generations.get(group) ?? 0;
  }

  async #change<Result>(group: string, action: (generation: number) => Result): Promise<Result> {
    const { committed } = writeLog(this.#files, () => {
      const generation = this.generation(group) + 1;
      this.#files.generations.putSync(group, generation);
      return action(generation);
    });
    const result = await committed;
    this.#onChange(group);
    return result;
  }
}

function groupRange(group: string): { start: [string, string]; end: [string, string] } {
  return { start: [group, ''], end: [group, '\uffff'] };
}
