import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getFinancePaymentSettlement,
  type SettledLineBody,
  type SettlementEntryBody,
} from '#schemas/http/finance-settlement.js';
import { type SettlementEntry, settlementOf } from '../finance/payment-settlement.js';
import type { SettledLine } from '../finance/settled-lines.js';
import { formatMoney } from '../money/money.js';
import { readOrder } from '../orders/order.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { payoutJson } from './payout-routes.js';

/** People with the scope `finance` read where the money of a payment went. */
export const financeSettlementRoutes = ({ sql, submit }: PaymentService): readonly Route[] => [
  route(getFinancePaymentSettlement, ({ params }) =>
    catchUnavailable(async () => {
      const order = await readOrder(sql, params.payment_order_id);
      if (order === undefined) return problem(problems.notFound, messages.noOrder);
      const found = await settlementOf(sql, order, submit.settings.settlements);
      return {
        status: 200,
        body: {
          lines: found.lines.map(lineJson),
          payouts: found.payouts.map(payoutJson),
          entries: found.entries.map(entryJson),
          has_more: found.hasMore,
        },
      };
    }),
  ),
];

const lineJson = ({ currency, ...line }: SettledLine): SettledLineBody => ({
  file_no: line.fileNo,
  file_id: line.fileId,
  line_no: line.lineNo,
  kind: line.kind,
  operation: line.operation,
  psp_reference: line.pspReference,
  amount: formatMoney({ minor: line.amountMinor, currency }),
  fee: formatMoney({ minor: line.feeMinor, currency }),
  currency,
  succeeded: line.succeeded,
  occurred_at: line.occurredAt.toISOString(),
  payout_ids: [...line.payoutIds],
});

const entryJson = ({ at, amount, ...entry }: SettlementEntry): SettlementEntryBody => ({
  at: at.toISOString(),
  ...entry,
  amount: formatMoney(amount),
  currency: amount.currency,
});
