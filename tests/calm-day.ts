import { setTimeout } from 'node:timers/promises';

const dayMs = 86_400_000;
/** A test completes its work within one day long before this. */
const neededMs = 60_000;

/**
 * Today in UTC if enough of it is left for a test that must not see it end; shortly before midnight, waits
 * for tomorrow.
 */
export async function calmDay(): Promise<string> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < neededMs) await setTimeout(leftMs + 1);
  return new Date().toISOString().slice(0, 10);
}
