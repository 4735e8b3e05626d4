import { setTimeout } from 'node:timers/promises';

const dayMs = 86_400_000;
/** What a test does of one day is done long before. */
const neededMs = 60_000;

/**
 * Today in UTC, when enough of it is left for a test that must not see it end; shortly before midnight
 * tomorrow, once it has come.
 */
export async function calmDay(): Promise<string> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < neededMs) await setTimeout(leftMs + 1);
  return new Date().toISOString().slice(0, 10);
}
