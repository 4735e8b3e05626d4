import { spawn } from 'node:child_process';

/**
 * Standard input is a pipe that this process holds. When it ends, this process is gone, so its number may
 * belong to another by now and the nap is cut short; when the nap ends first, this process is still there.
 */
const guard = `
trap '' HUP INT TERM
exec 3<&0
sleep "$1" & nap=$!
( read -r _ <&3; kill -9 $nap ) 2>/dev/null &
exec 3<&-
wait $nap 2>/dev/null && kill -9 "$2"`;

/**
 * Kills this process if it still runs after this many milliseconds. It does so from a process of its own,
 * because an exit stops the threads of this one and then waits for native code, which may never end. If the
 * system refuses to start that process, `onError` receives the error.
 */
export function armExitGuard(afterMs: number, onError: (error: Error) => void): void {
  const seconds = (afterMs / 1_000).toFixed(3);
  const child = spawn('/bin/sh', ['-c', guard, 'meridian-exit-guard', seconds, String(process.pid)], {
    // A group of its own: a second Ctrl-C is for us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', onError);
  child.stdin.on('error', onError);
  child.unref();
}
