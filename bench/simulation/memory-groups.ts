import type { TopicPartition } from '#platform/event-log/event-log.js';
import type { Claim, GroupMember, LogGroups } from '#platform/event-log/log-groups.js';
import { outside, type SimulatedProcess, type VirtualClock } from './virtual-clock.js';

interface Member {
  readonly name: string;
  readonly owner: SimulatedProcess;
  readonly topics: readonly string[];
}

interface Group {
  generation: number;
  members: Member[];
  /** By topic and partition. */
  readonly owners: Map<string, string>;
  readonly committed: Map<string, number>;
}

export interface MemoryGroupsOptions {
  readonly clock: VirtualClock;
  readonly partitionsOf: (topic: string) => number;
  readonly onChange: (group: string) => void;
  /** Whether the member is taken for dead at this commit, although it lives. */
  readonly losesSession: () => boolean;
}

const keyOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
const commitMsMax = 1;

/** The consumer groups of the embedded log (`LogGroups`) without its disk: the same rule of who owns what. */
export class MemoryGroups
  implements Pick<LogGroups, 'join' | 'claim' | 'release' | 'leave' | 'commit' | 'generation'>
{
  readonly #options: MemoryGroupsOptions;
  readonly #groups = new Map<string, Group>();

  constructor(options: MemoryGroupsOptions) {
    this.#options = options;
  }

  generation(group: string): number {
    return this.#group(group).generation;
  }

  committed(group: string, place: TopicPartition): number | undefined {
    return this.#group(group).committed.get(keyOf(place));
  }

  async join(group: string, topics: readonly string[]): Promise<GroupMember> {
    const state = this.#group(group);
    const member = String(state.generation + 1).padStart(12, '0');
    state.members.push({ name: member, owner: this.#options.clock.owner, topics });
    this.#changed(group);
    return { group, member };
  }

  async claim({ group, member }: GroupMember): Promise<Claim> {
    const { members, owners } = this.#group(group);
    const taken: TopicPartition[] = [];
    const due: TopicPartition[] = [];
    for (const topic of new Set(members.flatMap(({ topics }) => topics))) {
      const readers = members.filter(({ topics }) => topics.includes(topic));
      for (let partition = 0; partition < this.#options.partitionsOf(topic); partition++) {
        const place = { topic, partition };
        const owner = owners.get(keyOf(place));
        const heir = readers[partition % readers.length]!.name;
        if (owner === member && heir !== member) due.push(place);
        if (heir !== member || owner === member) continue;
        if (owner !== undefined && members.some(({ name }) => name === owner)) continue;
        owners.set(keyOf(place), member);
        taken.push(place);
      }
    }
    return { taken, due };
  }

  async release({ group, member }: GroupMember, partitions: readonly TopicPartition[]): Promise<void> {
    const { owners } = this.#group(group);
    for (const place of partitions) if (owners.get(keyOf(place)) === member) owners.delete(keyOf(place));
    this.#changed(group);
  }

  async leave({ group, member }: GroupMember): Promise<void> {
    const state = this.#group(group);
    state.members = state.members.filter(({ name }) => name !== member);
    this.#changed(group);
  }

  /** Takes a moment, in which the process may die; then nothing is committed. */
  commit({ group, member }: GroupMember, place: TopicPartition, next: number): Promise<boolean> {
    const { clock, losesSession } = this.#options;
    const { owners, committed } = this.#group(group);
    return new Promise((resolve) => {
      clock.at(commitMsMax, () => {
        if (owners.get(keyOf(place)) === member && losesSession()) owners.delete(keyOf(place));
        const isOurs = owners.get(keyOf(place)) === member;
        if (isOurs) committed.set(keyOf(place), next);
        resolve(isOurs);
      });
    });
  }

  /** Removes the members of a dead process; their partitions become free. */
  removeMembers(owner: SimulatedProcess): void {
    for (const [name, group] of this.#groups) {
      if (!group.members.some((member) => member.owner === owner)) continue;
      group.members = group.members.filter((member) => member.owner !== owner);
      this.#changed(name);
    }
  }

  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { generation: 0, members: [], owners: new Map(), committed: new Map() };
      this.#groups.set(name, group);
    }
    return group;
  }

  /** Members learn of it in a moment of their own. */
  #changed(group: string): void {
    this.#group(group).generation++;
    this.#options.clock.at(0, () => this.#options.onChange(group), outside);
  }
}
