import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Data that only its own key opens, and that key, which only a master key opens. */
export interface Sealed {
  readonly wrappedKey: Uint8Array;
  readonly sealed: Uint8Array;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** The first byte of what this file writes. */
const version = 1;
/** Says which master key opens a key, and nothing else about it. */
const nameBytes = 4;

/**
 * Envelope encryption with AES-256-GCM: each text has a key of its own, so deleting that key erases the text
 * wherever copies of it are. The first master key wraps new keys, all of them open old ones.
 *
 * `context` names the place where the text is kept. A sealed text that is copied to another place does not
 * open.
 */
export class Envelope {
  readonly #masters: ReadonlyMap<string, Buffer>;
  readonly #first: string;

  constructor(masterKeys: readonly Uint8Array[]) {
    if (masterKeys.length === 0 || masterKeys.some((key) => key.length !== keyBytes))
      throw new Error(`A master key has ${keyBytes} bytes, and there must be one at least.`);
    this.#masters = new Map(masterKeys.map((key) => [nameOf(key).toString('hex'), Buffer.from(key)]));
    this.#first = nameOf(masterKeys[0]!).toString('hex');
  }

  seal(text: string, context: string): Sealed {
    const key = randomBytes(keyBytes);
    return {
      wrappedKey: Buffer.concat([
        Buffer.from([version]),
        Buffer.from(this.#first, 'hex'),
        encrypt(this.#masters.get(this.#first)!, key, context),
      ]),
      sealed: Buffer.concat([Buffer.from([version]), encrypt(key, Buffer.from(text), context)]),
    };
  }

  /** Throws when it was changed, belongs to another context, or no master key fits. */
  open({ wrappedKey, sealed }: Sealed, context: string): string {
    if (wrappedKey[0] !== version || sealed[0] !== version)
      throw new Error('The sealed text has an unknown version.');
    const master = this.#masters.get(Buffer.from(wrappedKey.subarray(1, 1 + nameBytes)).toString('hex'));
    if (master === undefined)
      throw new Error('No master key opens this text: one is missing in the setting.');
    const key = decrypt(master, wrappedKey.subarray(1 + nameBytes), context);
    return decrypt(key, sealed.subarray(1), context).toString();
  }
}

const nameOf = (key: Uint8Array): Buffer => createHash('sha256').update(key).digest().subarray(0, nameBytes);

function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

function decrypt(key: Buffer, bytes: Uint8Array, context: string): Buffer {
  const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]);
}
