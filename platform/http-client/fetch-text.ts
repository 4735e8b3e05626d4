export interface FetchTextOptions {
  /** After decompression. */
  readonly bytesMax: number;
  /** For all of it, redirects included. */
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  /** Of the text that the caller has. */
  readonly etag?: string;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

export type FetchedText =
  | { readonly kind: 'text'; readonly text: string; readonly etag: string | undefined }
  | { readonly kind: 'not-modified' };

/** The message says what happened, in one sentence. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

const redirects = [301, 302, 303, 307, 308];

/**
 * A text from outside over http or https, bounded in size, time and redirects. A redirect never leaves https.
 * Throws `FetchFailed`, and the reason of the signal.
 */
export async function fetchText(address: string, options: FetchTextOptions): Promise<FetchedText> {
  const { bytesMax, timeoutMs, redirectsMax, etag, signal, fetch: ask = fetch } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signals = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  let url = parse(address);
  try {
    for (let hops = 0; ; hops++) {
      const answer = await ask(url, {
        redirect: 'manual',
        signal: signals,
        ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
      });
      const target = answer.headers.get('location');
      if (redirects.includes(answer.status) && target !== null) {
        await answer.body?.cancel();
        if (hops === redirectsMax)
          throw new FetchFailed(`${address} redirects more than ${redirectsMax} times.`);
        const next = parse(target, url);
        if (url.protocol === 'https:' && next.protocol !== 'https:')
          throw new FetchFailed(`${address} redirects from https to http.`);
        url = next;
        continue;
      }
      if (answer.status === 304 && etag !== undefined) return { kind: 'not-modified' };
      if (answer.status !== 200) {
        await answer.body?.cancel();
        throw new FetchFailed(`${address} answered with ${answer.status}.`);
      }
      const text = await readText(answer, bytesMax, address);
      return { kind: 'text', text, etag: answer.headers.get('etag') ?? undefined };
    }
  } catch (error) {
    if (error instanceof FetchFailed) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) throw new FetchFailed(`${address} did not answer within ${timeoutMs / 1_000} s.`);
    throw new FetchFailed(`${address} cannot be read: ${reasonOf(error)}.`);
  }
}

function parse(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new FetchFailed(`${address} is not an http or https address.`);
  return url;
}

async function readText(answer: Response, bytesMax: number, address: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  const tooLong = (): FetchFailed => new FetchFailed(`${address} is longer than ${bytesMax} bytes.`);
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLong();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    // What a decoder throws on other bytes.
    if (error instanceof TypeError && bytes > 0 && /encoded data/i.test(error.message))
      throw new FetchFailed(`${address} is not text in UTF-8.`);
    throw error;
  }
}

/** `fetch` wraps what went wrong. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
}
