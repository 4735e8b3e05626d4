import { expect, test } from 'vitest';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import { silentLogger } from '#platform/telemetry/logger.js';

const options = { logger: silentLogger, signal: new AbortController().signal };

test('F42: waits for a dependency that starts late', async () => {
  let tries = 0;
  const found = await waitFor(
    'the cache',
    async () => {
      tries++;
      if (tries < 3) throw new Error('not yet');
      return 'here';
    },
    options,
  );
  expect([found, tries]).toEqual(['here', 3]);
});

test('F41: does not wait after a permanent error', async () => {
  const refused = Object.assign(new Error('the keys are refused'), { retriable: false });
  const attempt = (): Promise<void> => Promise.reject(refused);
  await expect(waitFor('the store', attempt, options)).rejects.toThrow(
    'the store is unavailable: the keys are refused',
  );
});
