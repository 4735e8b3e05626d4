import type { ShutdownCase } from './one-shutdown.js';

/** Lengths of the phases in which the moment is chosen. An `up` also opens a map and PostgreSQL. */
const spansMs = { ingest: { start: 1_500, load: 1_000 }, up: { start: 6_000, load: 2_000 } } as const;

/**
 * Signals at random moments. Every `upEvery`-th goes to `up`, the others to `ingest`. Of each program a third
 * comes during the start, and half leaves no time to drain, so that work is in progress at the end.
 */
export function randomCases(
  count: number,
  { upEvery, random = Math.random }: { readonly upEvery: number; readonly random?: () => number },
): ShutdownCase[] {
  const seen = { ingest: 0, up: 0 };
  return Array.from({ length: count }, (_, nth): ShutdownCase => {
    const program = (nth + 1) % upEvery === 0 ? 'up' : 'ingest';
    const nthOfIts = seen[program]++;
    const phase = nthOfIts % 3 === 2 ? 'start' : 'load';
    return {
      program,
      phase,
      afterMs: Math.floor(random() * spansMs[program][phase]),
      ...(program === 'up' ? { args: ['--drivers', '20'] } : {}),
      ...(nthOfIts % 2 === 0 ? {} : { env: { DRAIN_MS: '1' } }),
    };
  });
}
