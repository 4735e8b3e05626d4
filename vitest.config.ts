import { defineConfig } from 'vitest/config';
import { patience } from './vitest.patience.js';

/**
 * Files that start programs or browsers, or state how quickly something must happen. They run one after the other when
 * the rest is done, so that none of them waits for a processor that another test has.
 */
const alone = [
  'tests/booking/**/*.test.ts',
  'tests/browser/**/*.test.ts',
  'tests/cli/**/*.test.ts',
  'tests/main-job/**/*.test.ts',
  'tests/programs/**/*.test.ts',
  'tests/simulation/**/*.test.ts',
  'tests/hotel/{http-program,peak}.test.ts',
  'tests/payment/{executor-crash,http-program,outbox}.test.ts',
  'tests/processors/closure-to-reroute.test.ts',
  'tests/readme.test.ts',
];
const onServers = 'tests/**/*.real.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    ...patience,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['tests/**/*.test.ts'],
          exclude: [...alone, onServers],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude: [onServers],
          maxWorkers: 1,
          // Some start a program three times and wait for it in between.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
