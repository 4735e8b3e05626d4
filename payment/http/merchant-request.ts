import type { HttpAnswer } from '#platform/http/http-types.js';
import type { Identity } from '#platform/http/identity.js';
import { type FieldError, problem, problems } from '#platform/http/problem.js';
import type { SqlSession } from '#platform/sql/sql.js';
import { accountsOf } from '../merchant/merchant-accounts.js';
import type { PaymentFilter } from '../merchant/merchant-payments.js';
import { type PaymentCursor, readCursor } from '../merchant/payment-cursor.js';
import { parseCurrency } from '../money/currency.js';
import { parseMoney } from '../money/money.js';
import type { OrderStatus } from '../orders/order.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';

/** Thrown by a handler, and answered as it is. */
export class Refused extends Error {
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super('refused');
    this.answer = answer;
  }
}

/** Answers what `work` refuses, and 503 while the database is away. */
export const catchRefused = (work: () => Promise<HttpAnswer>): Promise<HttpAnswer> =>
  catchUnavailable(() =>
    work().catch((error: unknown) => {
      if (error instanceof Refused) return error.answer;
      throw error;
    }),
  );

export const refuseFields = (...errors: readonly FieldError[]): Refused =>
  new Refused(problem(problems.invalid, messages.badQuery, { errors: [...errors] }));

/**
 * The seller accounts that a request is about: the named one, or all of the merchant. Another merchant's
 * account looks like one that does not exist.
 */
export async function accountsFor(
  session: SqlSession,
  { userId }: Identity,
  wanted: string | undefined,
): Promise<readonly string[]> {
  const accounts = await accountsOf(session, userId);
  if (wanted === undefined) return accounts;
  if (accounts.includes(wanted)) return [wanted];
  throw new Refused(problem(problems.notFound, messages.noSellerAccount));
}

/** The same where one account is needed. */
export async function accountFor(
  session: SqlSession,
  identity: Identity,
  wanted: string | undefined,
): Promise<string> {
  const [account, ...others] = await accountsFor(session, identity, wanted);
  if (account === undefined) throw new Refused(problem(problems.notFound, messages.noSellerAccount));
  if (others.length > 0)
    throw refuseFields({ pointer: '/query/seller_account', message: messages.nameOneAccount });
  return account;
}

/** The format has been checked; a time such as that of 31 February is refused here. */
export function instantOf(name: 'from' | 'to', text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw refuseFields({ pointer: `/query/${name}`, message: messages.noInstant });
  return at;
}

export function rangeFor(query: { readonly from?: string; readonly to?: string }): {
  from?: Date;
  to?: Date;
} {
  const from = instantOf('from', query.from);
  const to = instantOf('to', query.to);
  if (from !== undefined && to !== undefined && from >= to)
    throw refuseFields({ pointer: '/query/to', message: messages.endsBeforeBegin });
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The `next` of an earlier page; a text that we do not write is refused. */
export function cursorOf(name: 'after' | 'before', text: string | undefined): PaymentCursor | undefined {
  const cursor = text === undefined ? undefined : readCursor(text);
  if (text !== undefined && cursor === undefined)
    throw refuseFields({ pointer: `/query/${name}`, message: messages.noCursor });
  return cursor;
}

export interface SearchQuery {
  readonly status?: OrderStatus;
  readonly currency?: string;
  readonly amount_from?: string;
  readonly amount_to?: string;
  readonly buyer_account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
}

export function filterOf(query: SearchQuery): Omit<PaymentFilter, 'seller' | 'limit'> {
  const currency = query.currency === undefined ? undefined : parseCurrency(query.currency);
  if (query.currency !== undefined && currency === undefined)
    throw refuseFields({ pointer: '/query/currency', message: messages.noCurrency });
  const amount = (name: 'amount_from' | 'amount_to'): bigint | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    if (currency === undefined)
      throw refuseFields({ pointer: `/query/${name}`, message: messages.needsCurrency });
    const parsed = parseMoney(text, currency);
    if (parsed.kind === 'money') return parsed.money.minor;
    throw refuseFields({ pointer: `/query/${name}`, message: parsed.reason });
  };
  const [amountFromMinor, amountToMinor] = [amount('amount_from'), amount('amount_to')];
  const after = cursorOf('after', query.after);
  return {
    ...rangeFor(query),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(currency === undefined ? {} : { currency }),
    ...(amountFromMinor === undefined ? {} : { amountFromMinor }),
    ...(amountToMinor === undefined ? {} : { amountToMinor }),
    ...(query.buyer_account === undefined ? {} : { buyerAccount: query.buyer_account }),
    ...(after === undefined ? {} : { after }),
  };
}
