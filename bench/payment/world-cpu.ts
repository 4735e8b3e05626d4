import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from '#platform/sql/sql.js';
import { processCpuSeconds } from '../process-cpu.js';

/** CPU seconds of some processes and of the database server with all of its own, so far; Linux. */
export async function worldCpu(sql: Sql): Promise<(processIds: readonly number[]) => number> {
  const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = parentOf(rows[0]!.pid);
  return (processIds) => {
    const ofServer = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid === server || parentOf(pid) === server);
    return [...processIds, ...ofServer].reduce((sum, pid) => sum + secondsOf(pid), 0);
  };
}

/** Zero for a process that has ended between two samples. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function secondsOf(pid: number): number {
  try {
    return processCpuSeconds(pid);
  } catch {
    return 0;
  }
}
