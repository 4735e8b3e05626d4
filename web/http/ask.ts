import type { Problem } from '#schemas/http/shapes.js';
import { fetchWithRetries } from './fetch-with-retries.js';
import * as messages from './messages.js';

const triesMax = 3;

/** An unsuccessful answer, with one sentence for the user. */
export class RequestFailed extends Error {
  readonly status: number;
  /** Of the problem; absent if the answer named none. */
  readonly code: string | undefined;

  /** `status` is 0 when no answer came at all. */
  constructor(status: number, sentence: string, code?: string) {
    super(sentence);
    this.name = 'RequestFailed';
    this.status = status;
    this.code = code;
  }
}

/** Why there is no answer. */
export const silence = (): string => (navigator.onLine ? messages.notResponding : messages.offline);

/** No answer, too many requests, or a fault of the server: the same request may succeed later. */
export const mayPass = (cause: unknown): boolean =>
  !(cause instanceof RequestFailed) || cause.status === 0 || cause.status === 429 || cause.status >= 500;

/** What a problem may say beside its texts: the nights it is about, and how many are allowed. */
export interface ProblemFacts {
  /** YYYY-MM-DD; absent: it is about no night. */
  readonly dates?: readonly string[];
  readonly nights?: number;
}

/** By the code of a problem: what the page says in place of the server's text. */
export type ProblemTexts = Readonly<Record<string, string | ((facts: ProblemFacts) => string)>>;

let texts: ProblemTexts = {};

/** The server describes problems in English; a page in another language has its own texts. */
export function setProblemTexts(own: ProblemTexts): void {
  texts = own;
}

/**
 * The sentence of an RFC 9457 problem: in the page's language, else its detail, else its title, else the
 * status; and the fields that were wrong.
 */
export function problemSentence(status: number, body: unknown): string {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem> & ProblemFacts;
  const translated = texts[problem.code ?? ''];
  if (translated !== undefined) return typeof translated === 'string' ? translated : translated(problem);
  const fields = problem.errors?.map(({ pointer, message }) => `${pointer}: ${message}`).join(' ');
  const plain = status === 503 ? messages.busy : messages.status(status);
  const general = problem.detail ?? problem.title ?? plain;
  const text = fields ? `${general.replace(/[.]$/, '')} (${fields})` : general;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly token?: string;
  /** Sent as `idempotency-key`: the same for every attempt of one request. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to this server. Returns the parsed body, or null for 204 and 304; throws `RequestFailed`
 * otherwise.
 */
export async function ask<Answer>(path: string, request: Request = {}): Promise<Answer | null> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (request.token !== undefined) headers['authorization'] = `Bearer ${request.token}`;
  if (request.key !== undefined) headers['idempotency-key'] = request.key;
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method: request.method ?? 'GET', headers };
  if (request.body !== undefined) init.body = JSON.stringify(request.body);
  if (request.signal !== undefined) init.signal = request.signal;
  let response: Response;
  try {
    response = await fetchWithRetries(path, init, triesMax);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw new RequestFailed(0, silence());
  }
  if (response.status === 204 || response.status === 304) return null;
  const body: unknown = await response.json().catch(() => undefined);
  request.signal?.throwIfAborted();
  if (!response.ok) {
    const code = (body as Partial<Problem> | null | undefined)?.code;
    throw new RequestFailed(response.status, problemSentence(response.status, body), code);
  }
  // The connection broke off; null would mean an empty answer.
  if (body === undefined) throw new RequestFailed(0, messages.notResponding);
  return body as Answer;
}
