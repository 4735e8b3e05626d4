import { type Dispatcher, Pool } from 'undici';
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

export function connectPlatform(baseUrl: string): PlatformClient {
  const pool = new Pool(baseUrl, {
    connections: requestsInFlightMax,
    pipelining: 1,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
  });
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    async token(sub) {
      const answer = await post(postDevelopmentSession.path, { sub, scope: 'driver' }, {});
      if (answer.statusCode !== 201) throw new Error(`No token for ${sub}: ${await answer.body.text()}`);
      return ((await answer.body.json()) as DevelopmentSession).token;
    },
    async sendBatch(token, batchId, locs) {
      let answer: Dispatcher.ResponseData;
      try {
        answer = await post(
          postLocations.path,
          { locs, batch_id: batchId },
          { authorization: `Bearer ${token}` },
        );
      } catch {
        return { outcome: 'retry', afterMs: undefined };
      }
      const text = await answer.body.text();
      if (answer.statusCode === 202) return { outcome: 'accepted' };
      if (answer.statusCode === 429 || answer.statusCode >= 500) {
        const seconds = Number(answer.headers['retry-after']);
        return { outcome: 'retry', afterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined };
      }
      return { outcome: 'refused', status: answer.statusCode, detail: text.slice(0, 200) };
    },
    close: () => pool.close(),
  };
}
