import { defineConfig } from 'vitest/config';
import { timeouts } from './vitest.timeouts.js';

/**
 * The suites that need the real servers at the addresses that `infra/up` prints. One file at a time: they
 * share the servers.
 */
export default defineConfig({
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    include: ['tests/**/*.real.test.ts'],
    ...timeouts,
    fileParallelism: false,
    reporters: ['default'],
  },
});
