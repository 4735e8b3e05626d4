import { defineConfig } from 'vitest/config';
import { timeouts } from './vitest.timeouts.js';

/** These leave the servers as they are and have topics, keys and users of their own: two run at a time. */
const pairs = [
  'tests/{contracts,main-job,platform}/**/*.real.test.ts',
  'tests/real/{analysts,foreign-consumer}.real.test.ts',
];

/** Searches what all the others left in the servers. */
const last = ['tests/real/left-card-data.real.test.ts'];

const groups = [
  { name: 'pairs', include: pairs, maxWorkers: 2 },
  { name: 'serial', include: ['tests/**/*.real.test.ts'], exclude: [...pairs, ...last], maxWorkers: 1 },
  { name: 'last', include: last, maxWorkers: 1 },
];

/** The suites that need the real servers at the addresses that `infra/up` prints. */
export default defineConfig({
  test: {
    globalSetup: ['tests/prepared-map.ts'],
    ...timeouts,
    reporters: ['default'],
    projects: groups.map((group, groupOrder) => ({
      extends: true as const,
      test: { ...group, sequence: { groupOrder } },
    })),
  },
});
