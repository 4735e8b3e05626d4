import { join } from 'node:path';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { settings } from '#platform/config/settings.js';
import type { Driver } from './recorded-senders.js';

/** The development issuer of a data folder, with the settings that programs have by default. */
export const issuerOf = (data: string, now: () => number = Date.now) =>
  openDevelopmentIssuer({
    now,
    folder: join(data, 'dev-issuer'),
    issuer: settings.TOKEN_ISSUER.fallback,
    audience: settings.TOKEN_AUDIENCE.fallback,
    internalAudience: settings.INTERNAL_TOKEN_AUDIENCE.fallback,
    production: false,
  });

/** Drivers with tokens of the development issuer of a data folder, as `meridian token` prints them. */
export async function driversOf(data: string, userIds: readonly string[]): Promise<Driver[]> {
  const issuer = await issuerOf(data);
  return Promise.all(
    userIds.map(async (userId) => ({
      userId,
      token: await issuer.issueToken({ sub: userId, scopes: ['driver'], ttlS: 3_600 }),
    })),
  );
}

/** No test here needs the rate limits, and every sender is faster than a phone. */
export const unlimited = {
  BATCHES_PER_USER: '1000000',
  RATE_PER_USER: '1000000',
  RATE_PER_ADDRESS: '1000000',
};
