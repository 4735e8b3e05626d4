import { meridian } from '../main-job/running-platform.js';

/** Programs load many times what the shortest command does. */
const timesTheShortest = 20;

/**
 * Milliseconds within which a program that waits for nothing has ended: five seconds, and on a machine that
 * is busy elsewhere longer by as much as the shortest command takes there now.
 */
export async function soonMs(): Promise<number> {
  const from = performance.now();
  await meridian(['--version']);
  return 5_000 + timesTheShortest * (performance.now() - from);
}
