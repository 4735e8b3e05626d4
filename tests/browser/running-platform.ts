import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCards } from '#payment-simulator/cards.js';
import { expectNoCardNumbers } from '../card-data-left.js';
import { startPlatform as startUp } from '../main-job/running-platform.js';

export interface RunningPlatform {
  readonly url: string;
  /** Of the listener for staff. */
  readonly internalUrl: string;
  /** Its data folder. */
  readonly data: string;
  /** Rejects if the number of a card that a buyer typed is in its files or its output. */
  stop(): Promise<void>;
}

/**
 * The whole platform as a new user runs it, on free ports and an empty data folder. `MERIDIAN_URL` names one
 * that already runs instead, with `MERIDIAN_INTERNAL_URL` and `MERIDIAN_DATA`, which is then left running.
 */
export async function startPlatform(): Promise<RunningPlatform> {
  const { MERIDIAN_URL: running, MERIDIAN_INTERNAL_URL: internal, MERIDIAN_DATA: folder } = process.env;
  if (running !== undefined)
    return { url: running, internalUrl: internal ?? running, data: folder ?? '', stop: async () => {} };

  const data = await mkdtemp(join(tmpdir(), 'meridian-page-'));
  const platform = await startUp(data, ['--drivers', '50', '--seed', '1'], { NODE_ENV: 'test' });
  return {
    url: platform.url,
    internalUrl: platform.internalUrl,
    data,
    async stop() {
      await platform.stop();
      await expectNoCardNumbers(
        data,
        // The invitation to try it names a card.
        platform.output().replace(/pay with the card [\d ]+/, ''),
        testCards.map(({ number }) => number),
      );
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
