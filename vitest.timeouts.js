/**
 * A timeout is only for tests that hang; the speed of the machine does not decide results. The limits apply
 * to every run of the tests, also that of the mutants.
 */
export const timeouts = {
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
};
