import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `mk_<id>_<secret>`: an id to look it up with, and 256 random bits of which only the hash is stored. */
export interface ApiKeyText {
  readonly keyId: string;
  readonly secret: string;
}

const pattern = /^mk_([0-9a-f]{16})_([\w-]{43})$/;

export function makeKeyText(): ApiKeyText {
  return { keyId: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export const writeKeyText = ({ keyId, secret }: ApiKeyText): string => `${prefixOf(keyId)}_${secret}`;

/** What people may see of a key. */
export const prefixOf = (keyId: string): string => `mk_${keyId}`;

export function parseKeyText(text: string): ApiKeyText | undefined {
  const [, keyId, secret] = pattern.exec(text) ?? [];
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret };
}

/** A plain hash is enough: nobody can guess 256 random bits, however fast the hash is. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const isSecretOf = (secret: string, hash: Uint8Array): boolean =>
  timingSafeEqual(hashOfSecret(secret), hash);
