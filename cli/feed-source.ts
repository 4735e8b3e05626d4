import { readFile, stat } from 'node:fs/promises';
import { FetchFailed, fetchText } from '#platform/http-client/fetch-text.js';
import { feedBytesMax } from '#traffic-exchange/events/limits.js';
import { CommandFailed, exitCode } from './exit.js';
import { refusePlainAddress } from './plain-connections.js';

const timeoutMs = 60_000;
const redirectsMax = 5;
const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A feed in a file or at an address. */
export class FeedSource {
  readonly #address: string;
  readonly #signal: AbortSignal;
  #etag: string | undefined;

  constructor(address: string, signal: AbortSignal) {
    if (isUrl.test(address)) refusePlainAddress('the feed', address);
    this.#address = address;
    this.#signal = signal;
  }

  /** Undefined where the address says that nothing has changed since the last time. */
  async read(): Promise<string | undefined> {
    if (!isUrl.test(this.#address)) return this.#file();
    try {
      const fetched = await fetchText(this.#address, {
        ...{ bytesMax: feedBytesMax, timeoutMs, redirectsMax, signal: this.#signal },
        ...(this.#etag === undefined ? {} : { etag: this.#etag }),
      });
      if (fetched.kind === 'not-modified') return undefined;
      this.#etag = fetched.etag;
      return fetched.text;
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      throw new CommandFailed(error.message);
    }
  }

  /** What was read last is of no use: it is asked for again. */
  forget(): void {
    this.#etag = undefined;
  }

  async #file(): Promise<string> {
    const file = this.#address;
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || !found.isFile())
      throw new CommandFailed(`${file} is not a file, and no http or https address.`, exitCode.usage);
    if (found.size > feedBytesMax) throw new CommandFailed(`${file} is longer than ${feedBytesMax} bytes.`);
    return readFile(file, 'utf8');
  }
}
