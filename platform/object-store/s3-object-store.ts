import { randomUUID } from 'node:crypto';
import { objectStoreLimits } from './limits.js';
import { checkObjectKey, checkObjectPrefix, isObjectKey } from './object-key.js';
import { checkObjectSize } from './object-size.js';
import type { ObjectStore } from './object-store.js';
import { type S3Answer, type S3Bucket, type S3Credentials, S3Requests } from './s3-request.js';

const putIdHeader = 'x-amz-meta-put-id';

/**
 * Objects in a bucket of Amazon S3 or of any store that speaks its protocol with conditional puts
 * (`If-None-Match: *`).
 */
export class S3ObjectStore implements ObjectStore {
  readonly #requests: S3Requests;

  constructor(bucket: S3Bucket, credentials: S3Credentials) {
    this.#requests = new S3Requests(bucket, credentials);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    checkObjectKey(key);
    const answer = await this.#requests.send({ method: 'GET', key });
    if (answer.status === 200) return answer.body;
    if (isMissing(answer)) return undefined;
    throw this.#requests.refusal(answer);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    checkObjectKey(key);
    checkObjectSize(bytes);
    const answer = await this.#requests.send({ method: 'PUT', key, body: bytes });
    if (answer.status !== 200) throw this.#requests.refusal(answer);
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    checkObjectKey(key);
    checkObjectSize(bytes);
    const putId = randomUUID();
    const headers = { 'if-none-match': '*', [putIdHeader]: putId };
    const answer = await this.#requests.send({ method: 'PUT', key, body: bytes, headers });
    if (answer.status === 200) return true;
    if (answer.status !== 412) throw this.#requests.refusal(answer);
    if (!answer.repeated) return false;
    // The key may exist because of our own first attempt, whose answer was lost.
    const taken = await this.#requests.send({ method: 'HEAD', key });
    return taken.headers.get(putIdHeader) === putId;
  }

  async *list(prefix: string): AsyncGenerator<string> {
    checkObjectPrefix(prefix);
    let token: string | undefined;
    do {
      const answer = await this.#requests.send({
        method: 'GET',
        query: {
          'list-type': '2',
          'max-keys': String(objectStoreLimits.listPageKeysMax),
          prefix,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
      });
      if (answer.status !== 200) throw this.#requests.refusal(answer);
      const page = new TextDecoder().decode(answer.body);
      // A bucket may hold objects of others; keys that obey our rule contain nothing that XML escapes.
      for (const [, key] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) if (isObjectKey(key!)) yield key!;
      token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/
        .exec(page)?.[1]
        ?.replaceAll('&amp;', '&');
    } while (token !== undefined);
  }

  async delete(key: string): Promise<void> {
    checkObjectKey(key);
    const answer = await this.#requests.send({ method: 'DELETE', key });
    if (answer.status !== 204 && answer.status !== 200 && !isMissing(answer))
      throw this.#requests.refusal(answer);
  }

  async check(): Promise<void> {
    const timeoutMs = objectStoreLimits.checkTimeoutMs;
    const answer = await this.#requests.send({ method: 'HEAD', timeoutMs, attempts: 1 });
    if (answer.status === 200) return;
    // A bucket may be created later; refused credentials stay wrong.
    throw Object.assign(this.#requests.refusal(answer), { retriable: answer.status !== 403 });
  }

  async close(): Promise<void> {}
}

/** A missing bucket also answers 404, but is a mistake in the address and not a missing object. */
function isMissing(answer: S3Answer): boolean {
  return answer.status === 404 && !new TextDecoder().decode(answer.body).includes('NoSuchBucket');
}
