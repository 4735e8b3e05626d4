import { readdirSync, readFileSync } from 'node:fs';

/** A process, distinguished from a later one with the same number by its start time. */
export interface TreeProcess {
  readonly pid: number;
  readonly startedAt: string;
  readonly command: string;
}

interface ListedProcess extends TreeProcess {
  readonly parent: number;
  readonly isDead: boolean;
}

/**
 * All processes below one, as Linux reports them; those whose parent died before they were read are not
 * found.
 */
export function processesBelow(pid: number): readonly TreeProcess[] {
  const all = listed();
  const found: TreeProcess[] = [];
  for (let parents = new Set([pid]); parents.size > 0; ) {
    const children = all.filter(({ parent, isDead }) => parents.has(parent) && !isDead);
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

/**
 * All processes that have this text in their command line or environment, such as the data folder of a
 * program. Those of other users show their command line only.
 */
export function processesNaming(text: string): readonly TreeProcess[] {
  return listed().filter(({ pid, isDead }) => !isDead && pid !== process.pid && names(pid, text));
}

function names(pid: number, text: string): boolean {
  return ['cmdline', 'environ'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

export function stillThere(processes: readonly TreeProcess[]): readonly TreeProcess[] {
  const all = listed();
  return processes.filter(({ pid, startedAt }) =>
    all.some((one) => one.pid === pid && one.startedAt === startedAt && !one.isDead),
  );
}

function listed(): readonly ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 100);
        return [
          {
            pid: Number(name),
            parent: Number(parent),
            isDead: state === 'Z',
            startedAt: rest[17]!,
            command,
          },
        ];
      } catch {
        return [];
      }
    });
}
