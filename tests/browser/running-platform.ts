import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCards } from '#payment-simulator/cards.js';
import { expectNoCardNumbers } from '../card-data-left.js';
import { startPlatform as startUp } from '../main-job/running-platform.js';

export interface RunningPlatform {
  readonly url: string;
  /** Rejects if the number of a card that a buyer typed is in its files or its output. */
  stop(): Promise<void>;
}

/**
 * The whole platform as a new user runs it, on free ports and an empty data folder. `MERIDIAN_URL` names one
 * that already runs instead, which is then left running.
 */
export async function startPlatform(): Promise<RunningPlatform> {
  const running = process.env['MERIDIAN_URL'];
  if (running !== undefined) return { url: running, stop: async () => {} };

  const data = await mkdtemp(join(tmpdir(), 'meridian-page-'));
  const platform = await startUp(data, ['--drivers', '50', '--seed', '1'], { NODE_ENV: 'test' });
  return {
    url: platform.url,
    async stop() {
      await platform.stop();
      await expectNoCardNumbers(
        data,
        // The invitation to try it names a card.
        platform.output().replace(/pay with the card [\d ]+/, ''),
        testCards.map(({ number }) => number),
      );
      await rm(data, { recursive: true, force: true });
    },
  };
}
