import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { Missing } from '../missing.js';

/** Throws a sentence unless the command can be run and succeeds. What it prints goes to standard error. */
export function runCommand(command: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, error } = spawnSync(command, args, { ...options, stdio: ['ignore', 2, 2] });
  if (error !== undefined)
    throw new Missing(`${command} cannot be run (${error.message}); install it first.`);
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}; what it printed is above.`);
}
