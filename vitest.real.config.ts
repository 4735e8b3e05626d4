import { defineConfig } from 'vitest/config';

/** The suites that need the real servers whose addresses `infra/up` prints. One file at a time: they share the servers. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    include: ['tests/**/*.real.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    reporters: ['default'],
  },
});
