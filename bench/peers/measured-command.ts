import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Missing } from '../missing.js';
import { peerPython, peerSource } from './peers-folder.js';

export interface Usage {
  /** Of the command and all its descendants. */
  readonly cpuS: number;
  readonly wallS: number;
  /** Peak resident memory of the largest process. */
  readonly peakMib: number;
}

/**
 * Runs a command to its end and returns its resource usage by the kernel. Its output is in a file, which an
 * error quotes. Needs Python 3, because Node.js cannot read the usage of its children.
 */
export async function measuredCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-measure-'));
  const [result, log] = [join(folder, 'used.json'), join(folder, 'log')];
  try {
    const output = openSync(log, 'w');
    const python = existsSync(peerPython) ? peerPython : (process.env['PYTHON'] ?? 'python3');
    const child = spawn(python, [peerSource('measure.py'), result, command, ...args], {
      env,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new Missing(`${python} is not there; install Python 3, or say where it is: PYTHON=….`)
        : error;
    })) as [number | null];
    if (code !== 0) {
      const said = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
      throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said}`);
    }
    return JSON.parse(readFileSync(result, 'utf8')) as Usage;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
