import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { type DeedBody, getFinanceAudit } from '#schemas/http/finance-audit.js';
import {
  type FinanceAccountBody,
  type FinancePaymentBody,
  getFinanceBalances,
  getFinancePayment,
  getFinancePayments,
  type TimelineEntryBody,
} from '#schemas/http/finance-payments.js';
import { auditLog, type Deed } from '../finance/audit-log.js';
import { type TimelineEntry, timelineOf } from '../finance/payment-timeline.js';
import { ordersBehind } from '../finance/payments-behind.js';
import { type AccountBalance, trialBalance } from '../finance/trial-balance.js';
import { merchantLimits } from '../merchant/limits.js';
import {
  findPayments,
  findPaymentsById,
  listPayments,
  type MerchantPayment,
} from '../merchant/merchant-payments.js';
import { writeCursor } from '../merchant/payment-cursor.js';
import { formatMoney, type Money } from '../money/money.js';
import { readOrder } from '../orders/order.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import { catchRefused, cursorOf, filterOf, refuseFields } from './merchant-request.js';
import * as messages from './messages.js';
import { paymentJson } from './payment-json.js';

/** People with the scope `finance` look up payments of every seller, what happened to them, and balances. */
export const financePaymentRoutes = ({ sql }: PaymentService): readonly Route[] => [
  route(getFinancePayments, ({ query }) =>
    catchRefused(async () => {
      const { id, seller_account: seller, limit = merchantLimits.pageDefault, ...search } = query;
      if (id !== undefined) {
        if (seller !== undefined || query.limit !== undefined || Object.keys(search).length > 0)
          throw refuseFields({ pointer: '/query/id', message: messages.usedAlone });
        const behind = await ordersBehind(sql, id);
        if (behind === undefined) return problem(problems.unavailable, messages.entriesBehind);
        const found = await findPaymentsById(sql, id, { behind, limit: merchantLimits.pageMax });
        return { status: 200, body: { payments: found.map(withSeller), next: null } };
      }
      const filter = filterOf(search);
      const page = await listPayments(sql, { ...filter, ...(seller === undefined ? {} : { seller }), limit });
      const next = page.next === undefined ? null : writeCursor(page.next);
      return { status: 200, body: { payments: page.payments.map(withSeller), next } };
    }),
  ),
  route(getFinancePayment, ({ params }) =>
    catchUnavailable(async () => {
      const order = await readOrder(sql, params.payment_order_id);
      if (order === undefined) return problem(problems.notFound, messages.noOrder);
      const [payment] = await findPayments(sql, [order.sellerAccount], { paymentOrderId: order.id });
      const { entries, hasMore } = await timelineOf(sql, order.id);
      return {
        status: 200,
        body: {
          payment: withSeller(payment!),
          provider: order.provider ?? null,
          psp_reference: order.pspReference ?? null,
          timeline: entries.map(entryJson),
          has_more: hasMore,
        },
      };
    }),
  ),
  route(getFinanceAudit, ({ query }) =>
    catchRefused(async () => {
      const { who, limit = merchantLimits.pageDefault } = query;
      const before = cursorOf('before', query.before);
      const page = await auditLog(sql, {
        limit,
        ...(who === undefined ? {} : { who }),
        ...(before === undefined ? {} : { before }),
      });
      const next = page.next === undefined ? null : writeCursor(page.next);
      return { status: 200, body: { deeds: page.deeds.map(deedJson), next } };
    }),
  ),
  route(getFinanceBalances, () =>
    catchUnavailable(async () => {
      const balances = await trialBalance(sql);
      return { status: 200, body: { balances: balances.map(accountJson) } };
    }),
  ),
];

const withSeller = (payment: MerchantPayment): FinancePaymentBody => ({
  ...paymentJson(payment),
  seller_account: payment.sellerAccount,
});

const entryJson = ({ at, kind, amount, ...entry }: TimelineEntry): TimelineEntryBody => ({
  at: at.toISOString(),
  kind,
  subject: entry.subject ?? null,
  state: entry.state ?? null,
  detail: entry.detail ?? null,
  who: entry.who ?? null,
  ...moneyJson(amount),
  debit: entry.debit ?? null,
  credit: entry.credit ?? null,
});

const deedJson = ({ at, amount, ...deed }: Deed): DeedBody => ({
  at: at.toISOString(),
  who: deed.who,
  action: deed.action,
  subject: deed.subject,
  reason: deed.reason ?? null,
  payment_order_id: deed.paymentOrderId ?? null,
  seller_account: deed.sellerAccount ?? null,
  ...moneyJson(amount),
  debit: deed.debit ?? null,
  credit: deed.credit ?? null,
});

const moneyJson = (amount: Money | undefined) => ({
  amount: amount === undefined ? null : formatMoney(amount),
  currency: amount?.currency ?? null,
});

const accountJson = ({
  account,
  currency,
  type,
  balanceMinor,
  reservedMinor,
  accounts,
}: AccountBalance): FinanceAccountBody => ({
  account,
  currency,
  type,
  balance: formatMoney({ minor: balanceMinor, currency }),
  reserved: formatMoney({ minor: reservedMinor, currency }),
  accounts,
});
