import { meridian } from '../main-job/running-platform.js';

/** Programs load many times as much as the shortest command. */
const timesTheShortest = 20;

/**
 * Milliseconds within which a program that waits for nothing has ended: five seconds, and on a busy machine
 * longer by the current duration of the shortest command.
 */
export async function soonMs(): Promise<number> {
  const from = performance.now();
  await meridian(['--version']);
  return 5_000 + timesTheShortest * (performance.now() - from);
}
