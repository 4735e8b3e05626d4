import { link, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { flushFolders } from '#platform/config/flush-folders.js';
import { makeFolder } from '#platform/config/folders.js';
import { propertyScope } from '#platform/http/identity.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { type KeySource, localKeys } from './key-source.js';
import { tokenLifetimeMaxS } from './limits.js';

export interface DevelopmentIssuerOptions {
  /** Holds the private key; created if it does not exist. */
  readonly folder: string;
  readonly issuer: string;
  readonly audience: string;
  readonly internalAudience: string;
  /** `NODE_ENV` is production. */
  readonly production: boolean;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface TokenRequest {
  readonly sub: string;
  readonly scopes: readonly Scope[];
  /** Hotels to which the token is limited. */
  readonly properties?: readonly string[];
  readonly ttlS?: number;
}

/** Signs tokens for demos and tests with a key on this machine. */
export interface DevelopmentIssuer {
  issueToken(request: TokenRequest): Promise<string>;
  /** Public keys, as served under `/.well-known/jwks.json`. */
  readonly keySet: { readonly keys: readonly JWK[] };
  readonly keys: KeySource;
  /** The folder had no key: no process that started earlier accepts its tokens. */
  readonly isNew: boolean;
}

const defaultTtlS = 3_600;
/** People with these scopes also use the internal listener. */
const internalScopes: readonly Scope[] = ['operator', 'desk', 'finance', 'payouts', 'service'];

export async function openDevelopmentIssuer(options: DevelopmentIssuerOptions): Promise<DevelopmentIssuer> {
  if (options.production) {
    throw new Error(
      'The development issuer gives tokens to everybody and does not start with NODE_ENV=production. ' +
        'Set JWKS_URL to the keys of your issuer.',
    );
  }
  const now = options.now ?? Date.now;
  const { privateJwk, isNew } = await keyIn(options.folder);
  const key = await importJWK(privateJwk, 'EdDSA');
  const { d: _private, ...publicJwk } = privateJwk;
  const keySet = { keys: [publicJwk] };
  return {
    keySet,
    keys: localKeys(keySet),
    isNew,
    async issueToken({ sub, scopes, properties = [], ttlS = defaultTtlS }) {
      if (!(ttlS > 0 && ttlS <= tokenLifetimeMaxS)) {
        throw new Error(`A token is valid for 1 to ${tokenLifetimeMaxS} seconds, not ${ttlS}.`);
      }
      const issuedAt = Math.floor(now() / 1_000);
      const internal = scopes.some((scope) => internalScopes.includes(scope));
      return new SignJWT({ scope: [...scopes, ...properties.map(propertyScope)].join(' ') })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: publicJwk.kid ?? '' })
        .setSubject(sub)
        .setIssuer(options.issuer)
        .setAudience(internal ? [options.audience, options.internalAudience] : options.audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.floor(ttlS))
        .sign(key);
    },
  };
}

async function keyIn(folder: string): Promise<{ readonly privateJwk: JWK; readonly isNew: boolean }> {
  makeFolder(folder, 0o700);
  const file = join(folder, 'ed25519.json');
  const present = await readKey(file);
  if (present !== undefined) return { privateJwk: present, isNew: false };

  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk: JWK = {
    ...(await exportJWK(pair.privateKey)),
    kid: `dev-${crypto.randomUUID().slice(0, 8)}`,
    alg: 'EdDSA',
    use: 'sig',
  };
  const draft = `${file}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify(jwk), { mode: 0o600, flag: 'wx', flush: true });
  // Of two programs that start at the same time the first to link wins, and both use its key.
  const isNew = await link(draft, file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  await unlink(draft);
  await flushFolders(folder, { below: false });
  return { privateJwk: (await readKey(file)) ?? jwk, isNew };
}

async function readKey(file: string): Promise<JWK | undefined> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(`${file} contains a private key and is readable by others; run chmod 600 on it.`);
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const jwk = JSON.parse(text) as JWK;
  if (jwk.kty !== 'OKP' || jwk.d === undefined || jwk.kid === undefined) {
    throw new Error(`${file} is not a key of the development issuer; delete it to create a new one.`);
  }
  return jwk;
}
