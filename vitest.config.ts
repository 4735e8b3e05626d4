import { defineConfig } from 'vitest/config';
import { selected } from './tests/selection.js';
import { timeouts } from './vitest.timeouts.js';

/** Vitest itself finds every file; `tools/test.js` says which of them `npm test` and `npm run test:quick` run. */
const { together, parallel, serial } = selected(
  (process.env['TESTS'] ?? 'full') as 'quick' | 'usual' | 'full',
);

const projects = [
  {
    extends: true as const,
    test: {
      name: 'together',
      include: together,
      // A process for each file costs more than most of these files do.
      isolate: false,
      maxWorkers: 3,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true as const,
    test: { name: 'parallel', include: parallel, maxWorkers: 3, sequence: { groupOrder: 1 } },
  },
  {
    extends: true as const,
    test: {
      name: 'serial',
      include: serial,
      maxWorkers: 1,
      // Some start a program three times and wait for it in between.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      sequence: { groupOrder: 2 },
    },
  },
];

export default defineConfig({
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    ...timeouts,
    reporters: ['default'],
    projects: projects.filter(({ test }) => test.include.length > 0),
  },
});
