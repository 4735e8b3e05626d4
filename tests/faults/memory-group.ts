import { existsSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = '/sys/fs/cgroup';
/** The same figures in both versions of control groups. */
const versions = {
  1: {
    ...{ limit: 'memory.limit_in_bytes', none: '-1', kills: 'memory.oom_control' },
    ...{ kept: 'total_rss', shared: 'total_shmem' },
  },
  2: {
    ...{ limit: 'memory.max', none: 'max', kills: 'memory.events' },
    ...{ kept: 'anon', shared: 'shmem' },
  },
} as const;

/** The folder below which this process may make groups, by the version of the system. */
function parentGroup(): { readonly version: 1 | 2; readonly folder: string } {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const own = lines.find((line) => line.includes(':memory:'));
  if (own !== undefined) return { version: 1, folder: join(root, 'memory', own.split(':')[2]!) };
  // Groups with limits may only be in a group without processes, which the topmost may be.
  return { version: 2, folder: root };
}

/** Processes with a common limit of memory: the kernel kills one rather than exceed it. Made by root only. */
export class MemoryGroup {
  readonly #folder: string;
  readonly #version: 1 | 2;

  private constructor(folder: string, version: 1 | 2) {
    this.#folder = folder;
    this.#version = version;
  }

  /** Throws where the system has no such groups or this process may not make one. */
  static open(): MemoryGroup {
    const { version, folder } = parentGroup();
    const group = new MemoryGroup(mkdtempSync(join(folder, 'meridian-')), version);
    try {
      group.limit(undefined);
    } catch (error) {
      rmdirSync(group.#folder);
      throw error;
    }
    return group;
  }

  /** Runs its further arguments as a process of the group, as the process that it is. */
  get within(): readonly string[] {
    return ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(this.#folder, 'cgroup.procs')];
  }

  /** Bytes; undefined for no limit. */
  limit(bytes: number | undefined): void {
    const { limit, none } = versions[this.#version];
    // A plain folder would take any name.
    if (!existsSync(join(this.#folder, limit))) throw new Error('there is no group with a limit of memory');
    writeFileSync(join(this.#folder, limit), bytes === undefined ? none : String(Math.round(bytes)));
  }

  #figure(file: string, name: string): number {
    const text = readFileSync(join(this.#folder, file), 'utf8');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  /** Bytes that the kernel cannot drop or write to a file of theirs. */
  get keptBytes(): number {
    const { kept, shared } = versions[this.#version];
    return this.#figure('memory.stat', kept) + this.#figure('memory.stat', shared);
  }

  /** Processes that were killed for memory. */
  get kills(): number {
    return this.#figure(versions[this.#version].kills, 'oom_kill');
  }

  /** How often the limit was reached. */
  get timesFull(): number {
    return this.#version === 1
      ? Number(readFileSync(join(this.#folder, 'memory.failcnt'), 'utf8'))
      : this.#figure('memory.events', 'max');
  }

  /** Its processes must have ended. */
  async close(): Promise<void> {
    for (let left = 50; ; left -= 1)
      try {
        rmdirSync(this.#folder);
        return;
      } catch (error) {
        if (left === 0) throw error;
        await sleep(100);
      }
  }
}

/** Whether a group can be made here. */
export function mayLimitMemory(): boolean {
  try {
    void MemoryGroup.open().close();
    return true;
  } catch {
    return false;
  }
}
