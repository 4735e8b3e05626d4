import { corsLines, type TrustedOrigins } from '../cors.js';
import type { HttpAnswer } from '../http-types.js';
import { bothRateLines, rateLines } from '../rate-limiter.js';
import { apiHeaderLines, pageHeaderLines } from '../security-headers.js';
import type { ExchangeFacts } from './exchange-facts.js';
import type { Rated } from './head-bytes.js';

/** `varies`: a client that accepts gzip gets other bytes. */
export type AnswerEncoding = 'plain' | 'varies' | 'gzip';

const forbiddenInValue = /[\r\n\0]/;

/** Throws if a handler's header contains a line break, which would start another header. */
export function requireWholeHeaders({ headers, contentType }: HttpAnswer): void {
  if (contentType !== undefined && forbiddenInValue.test(contentType)) {
    throw new Error('the content type holds a line break');
  }
  if (headers === undefined) return;
  for (const name of Object.keys(headers)) {
    if (forbiddenInValue.test(headers[name] ?? '')) throw new Error(`header ${name} holds a line break`);
  }
}

/**
 * All header fields of an answer, each with a line break in front, to be written behind the status: the
 * native writer takes the status as it is, which spares a crossing into native code for each field.
 */
export function answerHead(
  facts: ExchangeFacts,
  answer: HttpAnswer,
  contentType: string,
  encoding: AnswerEncoding,
  rated: Rated | undefined,
  trusted: TrustedOrigins,
): string {
  let value = facts.isPage ? pageHeaderLines : apiHeaderLines;
  value += `\r\nx-request-id: ${facts.requestId}`;
  if (encoding === 'gzip') value += '\r\ncontent-encoding: gzip';
  value += ownLines(answer, contentType);
  if (rated?.beside !== undefined) value += bothRateLines(rated, rated.beside);
  else if (rated !== undefined) value += rateLines(rated.policy, rated.verdict);
  const vary = varyOf(answer.headers?.['vary'], encoding, trusted);
  if (vary !== '') value += `\r\nvary: ${vary}`;
  if (trusted.size > 0) value += corsLines(facts.headers.get('origin'), trusted);
  if (answer.timings !== undefined) value += `\r\nserver-timing: ${serverTiming(answer.timings)}`;
  const traceparent = facts.span?.traceparent ?? facts.headers.get('traceparent');
  if (traceparent?.includes(facts.traceId)) value += `\r\ntraceparent: ${traceparent}`;
  return value;
}

/** What the answer says itself, without `vary`. */
export function ownLines({ headers }: Pick<HttpAnswer, 'headers'>, contentType: string): string {
  let text = contentType === '' ? '' : `\r\ncontent-type: ${contentType}`;
  if (headers?.['cache-control'] === undefined) text += '\r\ncache-control: no-store';
  for (const name in headers) if (name !== 'vary') text += `\r\n${name}: ${headers[name]}`;
  return text;
}

function varyOf(own: string | undefined, encoding: AnswerEncoding, trusted: TrustedOrigins): string {
  const first = own ?? (encoding === 'plain' ? '' : 'accept-encoding');
  if (trusted.size === 0) return first;
  return first === '' ? 'origin' : `${first}, origin`;
}

function serverTiming(timings: Readonly<Record<string, number>>): string {
  return Object.entries(timings)
    .map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(1)}`)
    .join(', ');
}
