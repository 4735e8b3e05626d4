import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { textHoldsCardData } from '../card-data/find-card-data.js';
import { webhookLimits } from './limits.js';
import { publicLookup } from './public-address.js';
import { type TargetRule, targetProblem } from './webhook-target.js';

/** What came of one attempt. `status` is undefined without an answer; then `failure` says why. */
export interface Posted {
  readonly status: number | undefined;
  readonly failure: string | undefined;
  /** The beginning of the answer, for the owner's log. */
  readonly answer: string;
}

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rule: TargetRule;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const lookup = publicLookup();

/** Never rejects. Follows no redirect, and each attempt has its own connection. */
export function postWebhook(post: WebhookPost): Promise<Posted> {
  const { url, headers, body, rule, signal, timeoutMs } = post;
  // Literal addresses are not looked up, and rules may have changed since the endpoint was created.
  const wrong = targetProblem(url, rule);
  if (wrong !== undefined) return Promise.resolve(failed(`the URL ${wrong}`));
  return new Promise((resolve) => {
    const { answerBytesMax } = webhookLimits;
    const outgoing = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      ...(rule === 'public' ? { lookup } : {}),
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    const settle = (posted: Posted): void => {
      clearTimeout(timer);
      resolve(posted);
    };
    outgoing.on('error', (error) => settle(failed(error.message)));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const end = (): void => {
        settle({ status: incoming.statusCode ?? 0, failure: undefined, answer: kept(Buffer.concat(chunks)) });
        // The rest of a long answer is of no interest.
        outgoing.destroy();
      };
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= answerBytesMax) end();
      });
      incoming.on('error', (error) => settle(failed(error.message)));
      incoming.on('end', end);
    });
    outgoing.end(body);
  });
}

const failed = (failure: string): Posted => ({
  status: undefined,
  failure: failure.slice(0, 200),
  answer: '',
});

/** Readable, and without card data, wherever the receiver may have it from. */
function kept(answer: Buffer): string {
  const text = answer
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Cs}\ufffd]+/gu, ' ')
    .slice(0, webhookLimits.answerKeptMax);
  return textHoldsCardData(text) ? '' : text;
}
