import { defineConfig } from 'vitest/config';
import { selected } from './tests/selection.js';
import { timeouts } from './vitest.timeouts.js';

/** `npm test` runs what is usual; `npm run test:quick` and `npm run test:full` name their own. */
const { parallel, serial } = selected((process.env['TESTS'] ?? 'usual') as 'quick' | 'usual' | 'full');

const projects = [
  {
    extends: true as const,
    test: { name: 'parallel', include: parallel, maxWorkers: 2, sequence: { groupOrder: 0 } },
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
      sequence: { groupOrder: 1 },
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
