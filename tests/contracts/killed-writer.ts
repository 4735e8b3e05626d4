import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compiledTree } from '../compiled-tree.js';

/**
 * Runs `script` (an ES module that imports the compiled packages and prints a line for each acknowledgement)
 * and kills it with SIGKILL after `lines` lines, in the middle of its work. Returns every line that it
 * printed.
 */
export async function killedWriter(
  script: string,
  args: readonly string[],
  lines: number,
): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], {
    cwd: compiledTree,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    acknowledged.push(line);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error('The writer ended by itself before it could be killed.');
  return acknowledged;
}
