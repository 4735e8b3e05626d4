import type { PspAnswer } from '../psp.js';
import { stripeLimits } from './limits.js';
import { type Fields, fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';

/** What could not be read, so that the whole is not used: no settlement is better than a part of one. */
export class Unread extends Error {
  override readonly name = 'Unread';
  readonly answer: PspAnswer<never>;

  constructor(answer: PspAnswer<never>) {
    super('A list of the provider could not be read.');
    this.answer = answer;
  }
}

export const unreadable = (what: string): Unread =>
  new Unread({ kind: 'unknown', reason: `${what} cannot be parsed` });

/** All objects of a list of Stripe, which comes in pages, newest first. Rejects with `Unread`. */
export async function* eachOf(
  stripe: StripeClient,
  path: string,
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<Fields> {
  let after = '';
  for (let page = 0; page < stripeLimits.pagesMax; page += 1) {
    const query = new URLSearchParams({
      ...filter,
      limit: String(stripeLimits.pageSize),
      ...(after === '' ? {} : { starting_after: after }),
    });
    const reply = await stripe.get(`${path}?${query.toString()}`);
    const list = objectOf(reply);
    const entries = list?.['data'];
    if (!Array.isArray(entries)) throw new Unread(readFailure(reply, true));
    for (const entry of entries) yield fieldsOf(entry) ?? {};
    const last = fieldsOf(entries.at(-1))?.['id'];
    if (list!['has_more'] !== true) return;
    if (typeof last !== 'string') throw unreadable('a list');
    after = last;
  }
  throw new Unread({ kind: 'unknown', reason: `${path} has too many pages for one period` });
}
