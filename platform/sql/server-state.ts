import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export type ServerState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting' | 'stopping'; readonly processId: number }
  | {
      readonly kind: 'ready';
      readonly processId: number;
      readonly port: number;
      /** Absent when it listens on no Unix socket. */
      readonly socketFolder?: string;
    };

/**
 * What PostgreSQL's own `postmaster.pid` states about the server of this cluster. Its lines: process id, data
 * folder, start time, port, socket folder as the server sees it from the cluster, address, shared memory,
 * state. A file without a running process is left over from a kill -9.
 */
export async function serverState(cluster: string): Promise<ServerState> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const processId = Math.abs(Number(lines[0]));
  if (!Number.isInteger(processId) || processId === 0 || !isAlive(processId)) return { kind: 'absent' };
  const state = lines[7]?.trim();
  if (state === 'ready') {
    const socketFolder = lines[4]?.trim() ?? '';
    const socket = socketFolder === '' ? {} : { socketFolder: resolve(cluster, socketFolder) };
    return { kind: 'ready', processId, port: Number(lines[3]), ...socket };
  }
  return { kind: state === 'stopping' ? 'stopping' : 'starting', processId };
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
