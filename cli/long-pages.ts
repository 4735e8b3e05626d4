import { hotelLimits } from '#hotel/limits.js';
import type { Config } from '#platform/config/settings.js';
import { CommandFailed, exitCode } from './exit.js';

/** A guest must not pay for rooms that were released meanwhile. */
export function refuseLongPages({ PAYMENT_PAGE_S: pageS }: Pick<Config, 'PAYMENT_PAGE_S'>): void {
  const { holdSeconds } = hotelLimits;
  if (pageS > holdSeconds)
    throw new CommandFailed(
      `PAYMENT_PAGE_S is ${pageS}, but must be at most ${holdSeconds}: ` +
        'hotels hold unpaid rooms for that long.',
      exitCode.usage,
    );
}
