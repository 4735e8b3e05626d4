import { pruneStore } from '#tile-builder/prune/prune-store.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

const hourMs = 3_600_000;

/**
 * Deletes objects of earlier releases, `graceHours` after they were first found to be unused. SIGINT and
 * SIGTERM end it after the current object, so that no build waits for an ended prune.
 */
export async function pruneTiles(graceHours: number, json: boolean): Promise<void> {
  const objects = await openObjects(readSettings());
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  try {
    const pruned = await pruneStore(objects, { graceMs: graceHours * hourMs, signal: stop.signal });
    if ('heldUpBy' in pruned) {
      const until = new Date(pruned.untilMs).toISOString();
      throw new CommandFailed(
        'A build or another prune of this object store is running: ' +
          `its lock ${pruned.heldUpBy} is valid until ` +
          `${until}. Nothing was deleted. Try again later; if that process has died, delete the lock.`,
      );
    }
    if (json) console.log(JSON.stringify(pruned));
    else if (pruned.reachable === 0)
      console.log('this object store has no current release, so nothing is known to be unused');
    else {
      const { reachable, waiting, deleted } = pruned;
      console.log(
        `${deleted} objects deleted, ${waiting} unused objects kept for now, ` +
          `${reachable} in use by the current release`,
      );
    }
    if (stop.signal.aborted) process.exitCode = exitCode.interrupted;
  } finally {
    await objects.close();
  }
}
