import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getMerchantBalance,
  getMerchantEntries,
  getMerchantExport,
  getMerchantPayment,
  getMerchantPayments,
  getMerchantStatement,
  type MerchantEntryBody,
} from '#schemas/http/merchants.js';
import { CsvNumber, csvLine } from '../merchant/csv-line.js';
import { merchantLimits } from '../merchant/limits.js';
import { balancesOf } from '../merchant/merchant-balance.js';
import { listEntries, type MerchantEntry } from '../merchant/merchant-entries.js';
import { findPayments, listPayments, type MerchantPayment } from '../merchant/merchant-payments.js';
import { type Statement, statementOf } from '../merchant/merchant-statement.js';
import { writeCursor } from '../merchant/payment-cursor.js';
import { statementCsv, statementHtml } from '../merchant/statement-document.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import { formatMoney } from '../money/money.js';
import type { PaymentService } from '../payment-service.js';
import {
  accountFor,
  accountsFor,
  catchRefused,
  filterOf,
  rangeFor,
  refuseFields,
} from './merchant-request.js';
import * as messages from './messages.js';
import { paymentJson } from './payment-json.js';
import { paymentProblems } from './payment-problems.js';

/**
 * Merchants read what is theirs: tokens with the scope `merchant`, by the seller accounts of their subject.
 */
export const merchantRoutes = ({ sql, submit }: PaymentService): readonly Route[] => [
  route(getMerchantBalance, ({ query, identity }) =>
    catchRefused(async () => {
      const balances = await balancesOf(sql, await accountsFor(sql, identity, query.seller_account));
      const body = balances.map(({ sellerAccount, available, pending, reserved, disputed }) => ({
        seller_account: sellerAccount,
        currency: available.currency,
        available: formatMoney(available),
        pending: formatMoney(pending),
        reserved: formatMoney(reserved),
        disputed: formatMoney(disputed),
      }));
      return { status: 200, body: { balances: body } };
    }),
  ),
  route(getMerchantEntries, ({ query, identity }) =>
    catchRefused(async () => {
      const currency = currencyOf(query.currency);
      const seller = await accountFor(sql, identity, query.seller_account);
      const page = await listEntries(sql, {
        seller,
        currency,
        ...rangeFor(query),
        ...(query.kind === undefined ? {} : { kind: query.kind }),
        ...(query.subject === undefined ? {} : { subject: query.subject }),
        ...(query.before === undefined ? {} : { before: BigInt(query.before) }),
        limit: query.limit ?? merchantLimits.pageDefault,
      });
      if (page === undefined) return notYet;
      const entries = page.entries.map((entry) => entryJson(entry, currency));
      return { status: 200, body: { entries, next: page.next?.toString() ?? null } };
    }),
  ),
  route(getMerchantStatement, ({ query, identity }) =>
    catchRefused(async () => {
      const currency = currencyOf(query.currency);
      const range = statementRange(query, submit.nowMs());
      const seller = await accountFor(sql, identity, query.seller_account);
      const outcome = await statementOf(sql, { seller, currency, ...range });
      if (outcome.kind === 'not yet') return notYet;
      if (outcome.kind === 'too long')
        return problem(
          paymentProblems.statementTooLong,
          messages.entriesOf(outcome.entries, merchantLimits.statementEntriesMax),
        );
      return statementAnswer(outcome.statement, query.format ?? 'json');
    }),
  ),
  route(getMerchantPayments, ({ query, identity }) =>
    catchRefused(async () => {
      const { checkout_id: checkoutId, seller_account: wanted, limit, ...search } = query;
      if (checkoutId !== undefined) {
        if (Object.keys(search).length > 0)
          throw refuseFields({ pointer: '/query/checkout_id', message: messages.usedAlone });
        const payments = await findPayments(sql, await accountsFor(sql, identity, wanted), { checkoutId });
        return { status: 200, body: { payments: payments.map(paymentJson), next: null } };
      }
      const filter = filterOf(search);
      const seller = await accountFor(sql, identity, wanted);
      const page = await listPayments(sql, { ...filter, seller, limit: limit ?? merchantLimits.pageDefault });
      const next = page.next === undefined ? null : writeCursor(page.next);
      return { status: 200, body: { payments: page.payments.map(paymentJson), next } };
    }),
  ),
  route(getMerchantPayment, ({ params, identity }) =>
    catchRefused(async () => {
      const accounts = await accountsFor(sql, identity, undefined);
      const [found] = await findPayments(sql, accounts, { paymentOrderId: params.payment_order_id });
      if (found === undefined) return problem(problems.notFound, messages.noOrder);
      return { status: 200, body: paymentJson(found) };
    }),
  ),
  route(getMerchantExport, ({ query, identity }) =>
    catchRefused(async () => {
      const { seller_account: wanted, ...search } = query;
      const filter = filterOf(search);
      const seller = await accountFor(sql, identity, wanted);
      const page = await listPayments(sql, { ...filter, seller, limit: merchantLimits.exportRowsMax });
      const lines = [csvLine(exportColumns), ...page.payments.map(paymentLine)];
      const link = page.next === undefined ? {} : { link: nextPart(query, writeCursor(page.next)) };
      return {
        status: 200,
        body: lines.join(''),
        contentType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': 'attachment; filename="payments.csv"', ...link },
      };
    }),
  ),
];

const notYet = problem(problems.unavailable, messages.entriesBehind);

function currencyOf(text: string): Currency {
  const currency = parseCurrency(text);
  if (currency === undefined)
    throw refuseFields({ pointer: '/query/currency', message: messages.noCurrency });
  return currency;
}

interface StatementQuery {
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The future has no statement yet, so it ends now at the latest. */
function statementRange(query: StatementQuery, nowMs: number): { readonly from: Date; readonly to: Date } {
  const { month } = query;
  const timed = query.from !== undefined || query.to !== undefined;
  if (month !== undefined && timed)
    throw refuseFields({ pointer: '/query/month', message: messages.monthOrTimes });
  const monthOf = month === undefined ? undefined : { from: new Date(`${month}-01T00:00:00Z`) };
  const range = monthOf === undefined ? rangeFor(query) : { ...monthOf, to: nextMonth(monthOf.from) };
  const { from } = range;
  const to = new Date(Math.min(range.to?.getTime() ?? nowMs, nowMs));
  if (from === undefined) throw refuseFields({ pointer: '/query/from', message: messages.monthOrTimes });
  if (from >= to) throw refuseFields({ pointer: '/query/from', message: messages.notBegun });
  return { from, to };
}

const nextMonth = (from: Date): Date => new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));

function statementAnswer(statement: Statement, format: 'json' | 'csv' | 'html'): HttpAnswer {
  const { seller, currency, from, to, openingMinor, closingMinor, entries } = statement;
  switch (format) {
    case 'csv':
      return {
        status: 200,
        body: statementCsv(statement),
        contentType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': 'attachment; filename="statement.csv"' },
      };
    case 'html':
      return { status: 200, body: statementHtml(statement), contentType: 'text/html; charset=utf-8' };
    case 'json':
      return {
        status: 200,
        body: {
          seller_account: seller,
          currency,
          from: from.toISOString(),
          to: to.toISOString(),
          opening_balance: formatMoney({ minor: openingMinor, currency }),
          closing_balance: formatMoney({ minor: closingMinor, currency }),
          entries: entries.map((entry) => entryJson(entry, currency)),
        },
      };
  }
}

function entryJson(entry: MerchantEntry, currency: Currency): MerchantEntryBody {
  const money = (minor: bigint): string => formatMoney({ minor, currency });
  return {
    sequence: entry.sequence.toString(),
    at: entry.at.toISOString(),
    kind: entry.kind,
    amount: money(entry.amountMinor),
    reserved: money(entry.reservedMinor),
    balance: money(entry.balanceMinor),
    subject: entry.subject,
    operation: entry.operation,
  };
}

const amountColumns = [
  'amount',
  'captured_amount',
  'refunded_amount',
  'disputed_amount',
  'application_fee',
] as const;
const textColumns = [
  'created_at',
  'payment_order_id',
  'checkout_id',
  'buyer_account',
  'payment_order_status',
  'failure_code',
  'currency',
] as const;
const exportColumns = [...textColumns, ...amountColumns];

function paymentLine(payment: MerchantPayment): string {
  const json = paymentJson(payment);
  return csvLine([
    ...textColumns.map((name) => json[name] ?? ''),
    ...amountColumns.map((name) => new CsvNumber(json[name])),
  ]);
}

function nextPart(query: object, after: string): string {
  const parameters = new URLSearchParams({ ...(query as Record<string, string>), after });
  return `<${getMerchantExport.path}?${parameters}>; rel="next"`;
}
