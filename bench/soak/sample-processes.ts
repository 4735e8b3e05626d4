import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processCpuSeconds, processMappedMib, processResidentMib } from '../process-cpu.js';

/** What the processes of a platform use; Linux. */
export interface ProcessUse {
  /** Resident memory of the program itself, MiB. */
  readonly residentMib: number;
  /** The part of it that is pages of mapped files, as of the embedded log. */
  readonly mappedMib: number;
  /** Resident memory of the processes that it started, as PostgreSQL: shared pages count in each. */
  readonly childrenMib: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly cpuS: number;
}

/** All processes below one, by the parent that each names. */
function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (let next = [pid]; next.length > 0; ) {
    next = next.flatMap((each) => children.get(each) ?? []);
    found.push(...next);
  }
  return found;
}

/** Undefined for a process that has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

export function processUse(pid: number): ProcessUse {
  return {
    residentMib: processResidentMib(pid),
    mappedMib: processMappedMib(pid),
    childrenMib: sum(descendants(pid).map((each) => orZero(() => processResidentMib(each)))),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    cpuS: processCpuSeconds(pid),
  };
}

/** A process may end while it is looked at. */
function orZero(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}

/** Allocated bytes of a folder in MB: a sparse file is longer than it is. */
export function folderMb(folder: string): number {
  let blocks = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) blocks += orZero(() => statSync(join(entry.parentPath, entry.name)).blocks);
  return (blocks * 512) / 1e6;
}
