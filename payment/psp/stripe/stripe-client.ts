import type { HttpsReply, PinnedHttps } from '../pinned-https.js';
import type { PspAnswer } from '../psp.js';
import { errorCodeOf } from './stripe-codes.js';

/** The version of the API that this adapter was written for, whatever the account's default is. */
export const stripeVersion = '2026-08-26.dahlia';

export type Fields = Readonly<Record<string, unknown>>;

export interface StripeClient {
  get(path: string): Promise<HttpsReply>;
  /** `fields` by their names in the form; `key` makes a repeated call have one effect, for at least a day. */
  post(path: string, fields: Readonly<Record<string, string>>, key?: string): Promise<HttpsReply>;
  remove(path: string): Promise<HttpsReply>;
  /** To the host for files. */
  upload(path: string, body: Uint8Array, contentType: string): Promise<HttpsReply>;
  close(): void;
}

/** `files` speaks to the host that takes files, which is another one. */
export function stripeClient(https: PinnedHttps, files = https): StripeClient {
  const version = { 'stripe-version': stripeVersion };
  return {
    get: (path) => https.call('GET', path, undefined, version),
    post: (path, fields, key) =>
      https.call('POST', path, new URLSearchParams(fields).toString(), {
        ...version,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }),
    remove: (path) => https.call('DELETE', path, undefined, version),
    upload: (path, body, contentType) =>
      files.call('POST', path, body, { ...version, 'content-type': contentType }),
    close: () => {
      https.close();
      if (files !== https) files.close();
    },
  };
}

/** The object of a successful reply. */
export const objectOf = (reply: HttpsReply): Fields | undefined =>
  reply.kind === 'reply' && reply.status === 200 ? fieldsOf(reply.body) : undefined;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined;

/** The error of a refused request. */
export const errorOf = (reply: HttpsReply): Fields =>
  (reply.kind === 'reply' ? fieldsOf(fieldsOf(reply.body)?.['error']) : undefined) ?? {};

/**
 * What a reply without a usable object means. `mayCharge`: the call could have moved money, so that without a
 * clear refusal its outcome is unknown. A call that cannot is simply repeated.
 */
export function readFailure(reply: HttpsReply, mayCharge: boolean): PspAnswer<never> {
  switch (reply.kind) {
    case 'not-sent':
      return { kind: 'refused', code: 'provider_unreachable' };
    case 'suspect':
      return { kind: 'suspect', reason: reply.reason };
    case 'lost':
      return unclear(reply.reason, mayCharge);
    case 'reply': {
      const { status, retryAfterMs } = reply;
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
      if (status === 429) return { kind: 'refused', code: 'rate_limited', ...wait };
      if (status === 401 || status === 403) return { kind: 'refused', code: 'invalid_api_key' };
      // 409: another call with this key, or for this object, is in progress.
      if (status >= 400 && status < 500 && status !== 409)
        return { kind: 'refused', code: errorCodeOf(errorOf(reply)) };
      return unclear(`the provider answered ${status}`, mayCharge);
    }
  }
}

const unclear = (reason: string, mayCharge: boolean): PspAnswer<never> =>
  mayCharge ? { kind: 'unknown', reason } : { kind: 'refused', code: 'never_arrived' };
