import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpAnswer } from '#platform/http/http-types.js';
import { acceptsGzip } from '../http/accepts-gzip.js';
import type { WithHeaders } from '../http/base-url.js';
import { isUnchanged } from '../http/is-unchanged.js';
import { feedKeptMs } from '../http/limits.js';

const compress = promisify(gzip);

export interface KeptFeedOptions {
  readonly contentType: string;
  /** What the feed is made from now; when it differs, the feed is written again. */
  readonly revision: () => string;
  /** The feed is not written again within this time. */
  readonly freshMs: number;
  /** Undefined where there is nothing to say. */
  readonly write: (writtenMs: number) => Promise<string | undefined>;
  readonly nowMs: () => number;
}

interface Written {
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Quoted. */
  readonly etag: string;
}

interface Kept {
  readonly revision: string;
  readonly writtenMs: number;
  readonly written: Promise<Written | undefined>;
  isDone: boolean;
}

/**
 * A document for other platforms, the same for all. It is written when somebody asks and what it says has
 * changed, or when it is older than `feedKeptMs`; one at a time, and all who ask meanwhile share it.
 */
export class KeptFeed {
  readonly #options: KeptFeedOptions;
  #kept: Kept | undefined;

  constructor(options: KeptFeedOptions) {
    this.#options = options;
  }

  /** 200 or 304; 204 where there is nothing to say. */
  async answer(request: WithHeaders): Promise<HttpAnswer> {
    const written = await this.#written();
    if (written === undefined) return { status: 204, headers: { 'cache-control': 'no-cache' } };
    const { contentType } = this.#options;
    const { plain, gzipped, etag } = written;
    const compressed = acceptsGzip(request);
    // A strong tag names bytes, and the two encodings are different bytes.
    const tag = compressed ? etag : `${etag.slice(0, -1)}-plain"`;
    const headers = { 'cache-control': 'no-cache', vary: 'accept-encoding', etag: tag };
    if (isUnchanged(request.header('if-none-match'), tag)) return { status: 304, headers };
    return compressed
      ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, contentType, body: gzipped }
      : { status: 200, headers, contentType, body: plain };
  }

  #written(): Promise<Written | undefined> {
    const { revision, freshMs, nowMs } = this.#options;
    const [now, of] = [nowMs(), revision()];
    const kept = this.#kept;
    if (kept !== undefined) {
      const ageMs = now - kept.writtenMs;
      const isDue = ageMs >= feedKeptMs || (kept.revision !== of && ageMs >= freshMs);
      if (!kept.isDone || !isDue) return kept.written;
    }
    const next: Kept = { revision: of, writtenMs: now, written: this.#write(now), isDone: false };
    this.#kept = next;
    next.written.then(
      () => {
        next.isDone = true;
      },
      // What failed is written again for the next one who asks.
      () => {
        this.#kept = undefined;
      },
    );
    return next.written;
  }

  async #write(writtenMs: number): Promise<Written | undefined> {
    const text = await this.#options.write(writtenMs);
    if (text === undefined) return undefined;
    const plain = Buffer.from(text);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { plain, gzipped: await compress(plain, { level: 4 }), etag };
  }
}
