import { Envelope } from '#platform/encryption/envelope.js';
import type { Context } from '../context.js';
import { keptKey } from './kept-key.js';

/**
 * Encrypts personal data of guests, by the master keys of the settings. Only in development a key is made:
 * in production, one beside the data would protect nothing.
 */
export async function guestEnvelope({ config }: Pick<Context, 'config'>): Promise<Envelope> {
  const keys = config.GUEST_DATA_KEYS;
  if (keys !== undefined) return new Envelope(keys.split(',').map((key) => Buffer.from(key, 'base64')));
  if (process.env['NODE_ENV'] === 'production')
    throw new Error(
      'GUEST_DATA_KEYS is required with NODE_ENV=production. Make a key with: openssl rand -base64 32',
    );
  return new Envelope([Buffer.from(await keptKey(config.MERIDIAN_DATA, 'guest.key'), 'base64url')]);
}
