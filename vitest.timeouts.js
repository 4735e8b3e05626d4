/**
 * A limit is for what hangs: nothing is judged by the speed of the machine. Of every run of the tests, that
 * of the mutants too.
 */
export const timeouts = {
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
};
