import { spawn } from 'node:child_process';

/**
 * Standard input is a pipe from this process. If it ends first, this process has ended and its id may belong
 * to another one, so nothing is killed. If the sleep ends first, this process still runs.
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
    // A separate process group, because a second Ctrl-C is meant for us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', onError);
  child.stdin.on('error', onError);
  child.unref();
}
