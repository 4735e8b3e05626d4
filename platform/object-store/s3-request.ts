import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { objectStoreLimits } from './limits.js';
import { ObjectStoreUnavailable } from './object-store.js';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  /**
   * Address of a store other than Amazon's, `http://127.0.0.1:9000`; the bucket is then the first segment of
   * the path.
   */
  readonly endpoint?: string;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The answer to an earlier attempt was lost, so this attempt may see the effect of that one. */
  readonly repeated: boolean;
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  /** Absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly timeoutMs?: number;
  readonly attempts?: number;
}

const retriedStatus = new Set([408, 409, 429, 500, 502, 503, 504]);

/**
 * Signed requests to one bucket. After lost connections, timeouts and retriable answers they are repeated a
 * bounded number of times with growing random waits; then `ObjectStoreUnavailable`. The caller handles every
 * other answer.
 */
export class S3Requests {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #where: string;

  constructor(bucket: S3Bucket, credentials: S3Credentials) {
    this.#client = new AwsClient({ ...credentials, service: 's3', region: bucket.region });
    this.#base =
      bucket.endpoint === undefined
        ? `https://${bucket.bucket}.s3.${bucket.region}.amazonaws.com/`
        : `${bucket.endpoint.replace(/\/+$/, '')}/${bucket.bucket}/`;
    this.#where = `The object store (bucket ${bucket.bucket} at ${new URL(this.#base).host})`;
  }

  async send(request: S3Request): Promise<S3Answer> {
    const attempts = request.attempts ?? objectStoreLimits.requestAttemptsMax;
    let repeated = false;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(request);
      if (!(outcome instanceof Error)) {
        if (!retriedStatus.has(outcome.status)) return { ...outcome, repeated };
        if (attempt === attempts)
          throw this.#unavailable(`responded with status ${outcome.status}: ${sentence(outcome.body)}`);
      } else if (attempt === attempts) {
        throw this.#unavailable(`does not answer: ${reason(outcome)}`, outcome);
      }
      repeated = true;
      await delay(Math.random() * objectStoreLimits.retryDelayMs * 2 ** attempt);
    }
  }

  /** For an answer that is neither the expected one nor worth another attempt. */
  refusal(answer: S3Answer): Error {
    return new Error(
      `${this.#where} refused with status ${answer.status}: ${sentence(answer.body)}. ` +
        'Check the bucket, the region and the keys.',
    );
  }

  async #attempt(request: S3Request): Promise<Omit<S3Answer, 'repeated'> | Error> {
    const url = new URL(this.#base + (request.key ?? ''));
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const body = request.body ?? null;
    const signed = await this.#client.sign(url.href, {
      method: request.method,
      headers: {
        ...request.headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      body: body as Uint8Array<ArrayBuffer> | null,
    });
    try {
      const response = await fetch(signed, {
        signal: AbortSignal.timeout(request.timeoutMs ?? objectStoreLimits.requestTimeoutMs),
        // A signature is valid for one host only, and only the operator sets the address of the store.
        redirect: 'manual',
      });
      const bytes = Number(response.headers.get('content-length') ?? 0);
      if (request.method !== 'HEAD' && bytes > objectStoreLimits.objectBytesMax) {
        await response.body?.cancel();
        throw new RangeError(
          `The object has ${bytes} bytes; at most ${objectStoreLimits.objectBytesMax} are read.`,
        );
      }
      return {
        status: response.status,
        headers: response.headers,
        body: new Uint8Array(await response.arrayBuffer()),
      };
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #unavailable(what: string, cause?: Error): ObjectStoreUnavailable {
    return new ObjectStoreUnavailable(`${this.#where} ${what}`, { cause });
  }
}

/** The code and message of S3's XML, or the beginning of the body. */
function sentence(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 2_000));
  const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1];
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1];
  return code === undefined ? text.slice(0, 200) : [code, message].filter(Boolean).join(', ');
}

function reason(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
