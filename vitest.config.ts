import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.js';
import { selected } from './tests/selection.js';
import { timeouts } from './vitest.timeouts.js';

/** Vitest finds every file; `tools/test.js` says which of them `npm test` and `npm run test:quick` run. */
const files = selected((process.env['TESTS'] ?? 'full') as 'quick' | 'usual' | 'full');

/** One more than the two cores of a small machine: the third works while others wait. CI sets one. */
const maxWorkers = Number(process.env['WORKERS'] ?? 3);

/** Files in a process that others have used: one for each file costs more than most files do. */
const inFewProcesses = { isolate: false, maxWorkers };

const groups = [
  { name: 'together', include: files.together, ...inFewProcesses },
  {
    name: 'databases',
    include: files.databases,
    ...inFewProcesses,
    // Set-ups run before any group does, so later groups use this server too.
    globalSetup: ['tests/shared-postgres.ts'],
  },
  { name: 'alone', include: files.alone, maxWorkers },
  { name: 'programs', include: files.programs, maxWorkers },
  { name: 'serial', include: files.serial, maxWorkers: 1 },
];

export default defineConfig({
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    ...timeouts,
    // Some start a program three times and wait for it in between.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    // One group after the other: a process is used again only by the next file of its own group.
    projects: groups
      .map((group, groupOrder) => ({ extends: true as const, test: { ...group, sequence: { groupOrder } } }))
      .filter(({ test }) => test.include.length > 0),
  },
});
