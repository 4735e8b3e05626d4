import type { Migration } from '#platform/sql/sql.js';
import { applicationFees } from './schema/application-fees.js';
import { cancelledOrders } from './schema/cancelled-orders.js';
import { cardPages } from './schema/card-pages.js';
import { closedLetters } from './schema/closed-letters.js';
import { disputeDeadlines } from './schema/dispute-deadlines.js';
import { disputeEvidence } from './schema/dispute-evidence.js';
import { failuresToRedrive } from './schema/failures-to-re-drive.js';
import { financeLists } from './schema/finance-lists.js';
import { firstCaptures } from './schema/first-captures.js';
import { lateAcceptance } from './schema/late-acceptance.js';
import { ledger } from './schema/ledger.js';
import { manualCapture } from './schema/manual-capture.js';
import { merchantWebhooks } from './schema/merchant-webhooks.js';
import { merchants } from './schema/merchants.js';
import { messages } from './schema/messages.js';
import { orders } from './schema/orders.js';
import { payoutParts } from './schema/payout-parts.js';
import { payoutSchedules } from './schema/payout-schedules.js';
import { payouts } from './schema/payouts.js';
import { providerOfAnOrder } from './schema/provider-of-an-order.js';
import { reconciliation } from './schema/reconciliation.js';
import { refunds } from './schema/refunds.js';
import { refundsOfAPerson } from './schema/refunds-of-a-person.js';
import { risk } from './schema/risk.js';
import { savedCards } from './schema/saved-cards.js';
import { secondReviewer } from './schema/second-reviewer.js';
import { settledDays } from './schema/settled-days.js';
import { settlementPayouts } from './schema/settlement-payouts.js';
import { traceOfAMessage } from './schema/trace-of-a-message.js';
import { wallet } from './schema/wallet.js';
import { developmentHistory } from './upgrade/development-history.js';

/** The history `payment`: the schema of the first release, and what changes it afterwards. */
export const paymentMigrations: readonly Migration[] = [
  {
    name: '0001-baseline',
    sql: [ledger, wallet, payouts, reconciliation, orders, refunds, messages, risk].join(''),
    replaces: developmentHistory,
  },
  { name: '0002-refunds-of-a-person', sql: refundsOfAPerson },
  { name: '0010-merchants', sql: merchants },
  { name: '0011-merchant-webhooks', sql: merchantWebhooks },
  { name: '0012-manual-capture', sql: manualCapture },
  { name: '0020-provider-of-an-order', sql: providerOfAnOrder },
  { name: '0030-settlement-payouts', sql: settlementPayouts },
  { name: '0031-second-reviewer', sql: secondReviewer },
  { name: '0032-dispute-evidence', sql: disputeEvidence },
  { name: '0033-payout-schedules', sql: payoutSchedules },
  { name: '0034-application-fees', sql: applicationFees },
  { name: '0035-saved-cards', sql: savedCards },
  { name: '0036-dispute-deadlines', sql: disputeDeadlines },
  { name: '0037-card-pages', sql: cardPages },
  { name: '0038-payout-parts', sql: payoutParts },
  { name: '0039-cancelled-orders', sql: cancelledOrders },
  { name: '0040-settled-days', sql: settledDays },
  { name: '0041-trace-of-a-message', sql: traceOfAMessage },
  { name: '0042-finance-lists', sql: financeLists },
  { name: '0043-late-acceptance', sql: lateAcceptance },
  { name: '0044-closed-letters', sql: closedLetters },
  { name: '0045-first-captures', sql: firstCaptures },
  { name: '0046-failures-to-re-drive', sql: failuresToRedrive },
];
