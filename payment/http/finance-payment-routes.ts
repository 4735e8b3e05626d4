import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  type FinanceAccountBody,
  type FinancePaymentBody,
  getFinanceBalances,
  getFinancePayment,
  getFinancePayments,
  type TimelineEntryBody,
} from '#schemas/http/finance-payments.js';
import { type TimelineEntry, timelineOf } from '../finance/payment-timeline.js';
import { type AccountBalance, trialBalance } from '../finance/trial-balance.js';
import { merchantLimits } from '../merchant/limits.js';
import {
  findPayments,
  findPaymentsById,
  listPayments,
  type MerchantPayment,
} from '../merchant/merchant-payments.js';
import { writeCursor } from '../merchant/payment-cursor.js';
import { formatMoney } from '../money/money.js';
import { readOrder } from '../orders/order.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import { catchRefused, filterOf, refuseFields } from './merchant-request.js';
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
        const found = await findPaymentsById(sql, id, merchantLimits.pageMax);
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
  amount: amount === undefined ? null : formatMoney(amount),
  currency: amount?.currency ?? null,
  debit: entry.debit ?? null,
  credit: entry.credit ?? null,
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
