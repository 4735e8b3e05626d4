import { Pool } from 'undici';
import { type DevelopmentSession, postDevelopmentSession } from '#schemas/http/development.js';
import { postLocations } from '#schemas/http/locations.js';
import { requestsInFlightMax, requestTimeoutMs } from './limits.js';

/** lat, lng, Unix milliseconds, accuracy in metres, metres per second, degrees from north. */
export type LocationTuple = readonly [number, number, number, number, number, number];

export type SendOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly status: number; readonly detail: string }
  | { readonly outcome: 'retry'; readonly afterMs: number | undefined };

/** What a driver's phone does over HTTP: get a token, send a batch. */
export interface PlatformClient {
  token(sub: string): Promise<string>;
  sendBatch(token: string, batchId: string, locs: readonly LocationTuple[]): Promise<SendOutcome>;
  close(): Promise<void>;
}

/** What the platform answered to a request. */
export interface HttpReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Rejects when there is no answer. */
export type HttpPost = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<HttpReply>;

export function connectPlatform(baseUrl: string): PlatformClient {
  const pool = new Pool(baseUrl, {
    connections: requestsInFlightMax,
    pipelining: 1,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
  });
  const post: HttpPost = async (path, body, headers) => {
    const {
      statusCode,
      headers: fields,
      body: answer,
    } = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: statusCode,
      retryAfter: fields['retry-after'] === undefined ? undefined : String(fields['retry-after']),
      text: await answer.text(),
    };
  };
  return { ...clientOver(post), close: () => pool.close() };
}

export const clientOver = (post: HttpPost): Omit<PlatformClient, 'close'> => ({
  async token(sub) {
    const { status, text } = await post(postDevelopmentSession.path, { sub, scope: 'driver' }, {});
    if (status !== 201) throw new Error(`No token for ${sub}: ${text}`);
    return (JSON.parse(text) as DevelopmentSession).token;
  },
  async sendBatch(token, batchId, locs) {
    let reply: HttpReply;
    try {
      reply = await post(
        postLocations.path,
        { locs, batch_id: batchId },
        { authorization: `Bearer ${token}` },
      );
    } catch {
      return { outcome: 'retry', afterMs: undefined };
    }
    const { status, retryAfter, text } = reply;
    if (status === 202) return { outcome: 'accepted' };
    if (status === 429 || status >= 500) {
      const seconds = Number(retryAfter);
      return { outcome: 'retry', afterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined };
    }
    return { outcome: 'refused', status, detail: text.slice(0, 200) };
  },
});
