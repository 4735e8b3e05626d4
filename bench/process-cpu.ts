import { readFileSync } from 'node:fs';

/** Clock ticks a second of /proc figures; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU seconds (user and system, all threads) that a process has used so far; Linux. */
export function processCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses and may hold spaces; fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory in MiB; Linux. */
export const processResidentMib = (pid: number): number => statusMib(pid, 'VmRSS');

/** The part of it that is pages of mapped files: the kernel drops them when it needs memory. */
export const processMappedMib = (pid: number): number => statusMib(pid, 'RssFile');

function statusMib(pid: number, field: string): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return line ? Number(line[1]) / 1024 : Number.NaN;
}
