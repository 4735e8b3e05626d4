import { tmpdir } from 'node:os';
import { Batcher, oneLoop } from '#platform/batcher/batcher.js';
import type { Mailer } from '#platform/mail/mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { forgetOldEvents } from '#platform/webhooks/attempt-log.js';
import { WebhookDispatcher } from '#platform/webhooks/dispatch-webhooks.js';
import type { TargetRule } from '#platform/webhooks/webhook-target.js';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { lookAtPage } from './card-pages/store-page.js';
import { eraseOldEvidence } from './disputes/erase-evidence.js';
import { noteMissedDeadlines } from './disputes/missed-deadlines.js';
import { sendAnswers } from './disputes/send-answers.js';
import { type BackgroundLoop, startLoop } from './executor/background-loop.js';
import { alertOverdue, workOnDue } from './executor/due-work.js';
import { beginOrder, executeOrder } from './executor/execute-order.js';
import type { ExecutorDeps } from './executor/executor-deps.js';
import { InFlightCalls } from './executor/in-flight-calls.js';
import { resolveOrder } from './executor/resolve-order.js';
import { workOnCards } from './executor/work-on-cards.js';
import { workOnPages } from './executor/work-on-pages.js';
import { passing, type ReachFaultPoint } from './faults/fault-points.js';
import { publishRoot } from './ledger/publish-root.js';
import { advanceEntryIndex } from './merchant/entry-index.js';
import { merchantTables } from './merchant-webhooks/merchant-tables.js';
import { sendMails } from './notices/send-mails.js';
import type { Order } from './orders/order.js';
import { batchOrders } from './orders/order-batchers.js';
import { viewEvents } from './orders/payment-view.js';
import { batchSubmissions, forgetOldKeys, type SubmitDeps } from './orders/submit-payment.js';
import { forgetSent } from './outbox/outbox.js';
import { OutboxRelay, type RelayDeps } from './outbox/relay.js';
import { alertOverduePayouts } from './payouts/alert-payouts.js';
import type { PayablesProvider } from './payouts/payables-provider.js';
import { runPayouts } from './payouts/payout-runner.js';
import { runSchedules } from './payouts/run-schedules.js';
import type { Providers } from './psp/providers.js';
import { type ImportDeps, importDueSettlements } from './reconciliation/import-settlement.js';
import { reportProof } from './reconciliation/report-proof.js';
import type { SettlementAccounts } from './reconciliation/settlement-accounts.js';
import { forgetBuyerEvents } from './risk/buyer-events.js';
import { type RiskCheck, rulesRiskCheck } from './risk/risk-check.js';
import type { PaymentSettings } from './settings/settings.js';
import { advanceLagging } from './wallet/wallet.js';
import { batchWebhooks, type WebhookDeps } from './webhooks/receive-webhook.js';

export interface PaymentServicePorts {
  readonly sql: Sql;
  readonly providers: Providers;
  readonly log: RelayDeps['log'];
  readonly codecs: RelayDeps['codecs'];
  readonly settings: PaymentSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pays the sellers; without it payouts are reserved and wait. */
  readonly payables?: PayablesProvider;
  /** Sends letters to buyers; without it the letters wait. */
  readonly mailer?: Mailer;
  /** Accounts at providers whose settlement files are accepted; absent: all. */
  readonly settlementAccounts?: SettlementAccounts;
  /** Where files wait while they are received; absent: the folder of the system. */
  readonly uploadFolder?: string;
  /** The rules of `risk/` when absent. */
  readonly risk?: RiskCheck;
  readonly nowMs?: () => number;
  readonly random?: () => number;
  readonly reach?: ReachFaultPoint;
  /** Where webhooks of merchants may lead; `public` when absent. */
  readonly webhookTargets?: TargetRule;
}

/**
 * Everything behind the payment routes, and the background work of one process. Any number of processes may
 * run on one database.
 */
export interface PaymentService {
  readonly sql: Sql;
  readonly submit: SubmitDeps;
  readonly webhooks: WebhookDeps;
  readonly settlements: ImportDeps;
  readonly logger: Logger;
  readonly uploadFolder: string;
  /** A payment event as its caller sees it; undefined when there is none. */
  view(checkoutId: string): Promise<PaymentEvent | undefined>;
  /** Starts an order if it may start; the background job handles failures. */
  execute(orderId: string): Promise<void>;
  /**
   * The same for an order that was just stored. Resolves with the resulting order, if no other process
   * changed it.
   */
  begin(order: Order): Promise<Order | undefined>;
  /** Queries the provider about an order in progress, with a minimum interval for each. */
  askNow(orderId: string): Promise<void>;
  /** There may be work: polls at once. */
  wake(): void;
  readonly webhookTargets: TargetRule;
  /** A webhook for a merchant may be due: it is sent soon. */
  wakeWebhooks(): void;
  /** An answer to a dispute was stored: it is sent soon. */
  wakeDisputes(): void;
  /** The deletion of a saved card was requested: the provider is asked soon. */
  wakeCards(): void;
  /** A card page is wanted: it is registered soon. */
  wakePages(): void;
  /** Something may have happened to the card page of an order: it is worked on soon. */
  askPage(orderId: string): Promise<void>;
  /** A message was written with a change: the relay sends it to the log soon. */
  wakeRelay(): void;
  close(): Promise<void>;
}

const batching = { turn: oneLoop };

export function startPaymentService(ports: PaymentServicePorts): PaymentService {
  const { sql, settings, logger, metrics } = ports;
  const nowMs = ports.nowMs ?? Date.now;
  const reach = ports.reach ?? passing;
  const deps: ExecutorDeps = {
    sql,
    orders: batchOrders(sql, batching),
    providers: ports.providers,
    settings,
    logger,
    metrics,
    nowMs,
    random: ports.random ?? Math.random,
    reach,
  };
  const relay = new OutboxRelay({
    sql,
    log: ports.log,
    codecs: ports.codecs,
    nowMs,
    reach,
    leaseMs: settings.relayLeaseMs,
  });
  const { rounds } = settings;
  const due = startLoop('due payments', rounds.workMs, logger, () => workOnDue(deps));
  const outbox = startLoop('outbox', rounds.workMs, logger, () => relay.round(), rounds.outboxRestMs);
  const settlements = {
    sql,
    providers: ports.providers,
    accounts: ports.settlementAccounts,
    nowMs,
    settings: settings.settlements,
  };
  const webhookTargets = ports.webhookTargets ?? 'public';
  const dispatcher = new WebhookDispatcher({
    tables: merchantTables,
    sql,
    rule: webhookTargets,
    nowMs,
    random: deps.random,
    logger,
    times: settings.merchantWebhooks,
  });
  const merchantWebhooks = startLoop('webhooks of merchants', rounds.merchantWebhooksMs, logger, () =>
    dispatcher.round(),
  );
  dispatcher.onEnd = merchantWebhooks.wake;
  // Answers that this process stores wake it; what is left are repeated ones and those of a dead process.
  const answers = startLoop('answers to disputes', rounds.disputesMs, logger, () => sendAnswers(deps));
  const cards = startLoop('saved cards', rounds.savedCardsMs, logger, () => workOnCards(deps));
  const pages = startLoop('card pages', rounds.workMs, logger, () => workOnPages(deps, due.wake));
  const loops: readonly BackgroundLoop[] = [
    answers,
    cards,
    pages,
    startLoop('deadlines of disputes', rounds.alertsMs, logger, () => noteMissedDeadlines(deps)),
    startLoop('old evidence', rounds.cleanupMs, logger, () =>
      eraseOldEvidence(sql, nowMs(), settings.disputes.keptAfterEndMs),
    ),
    due,
    outbox,
    merchantWebhooks,
    startLoop(
      'overdue payments',
      Math.max(rounds.workMs, Math.min(rounds.alertsMs, settings.overdueMs)),
      logger,
      () => alertOverdue(deps).then(() => false),
    ),
    startLoop('old keys', rounds.cleanupMs, logger, () =>
      forgetOldKeys(sql, nowMs(), settings.keyRetentionMs).then(() => false),
    ),
    startLoop('counted payments', rounds.cleanupMs, logger, () =>
      forgetBuyerEvents(sql, nowMs()).then(() => false),
    ),
    startLoop('old messages', rounds.cleanupMs, logger, () =>
      forgetSent(sql, nowMs(), settings.outboxRetentionMs),
    ),
    startLoop('old events of merchants', rounds.cleanupMs, logger, () =>
      forgetOldEvents(merchantTables, sql, nowMs(), settings.merchantWebhooks.keptMs),
    ),
    startLoop('overdue pay-outs', rounds.alertsMs, logger, () =>
      alertOverduePayouts(deps, nowMs(), settings.payouts.overdueMs).then(() => false),
    ),
    startLoop('payout schedules', rounds.payoutSchedulesMs, logger, () =>
      runSchedules(sql, new Date(nowMs())).then(() => false),
    ),
    startLoop('root of the ledger', rounds.rootMs, logger, () => publishRoot(sql, nowMs()).then(() => false)),
    // Payouts, finance decisions and adjustments post without a change of an order: nothing else would update
    // the wallets.
    startLoop('wallets that lag', rounds.walletsMs, logger, () => advanceLagging(sql)),
    startLoop('entries of merchants', rounds.merchantEntriesMs, logger, () => advanceEntryIndex(sql)),
    startLoop('settlements', rounds.settlementsMs, logger, () =>
      importDueSettlements(settlements, logger).then(() => false),
    ),
    startLoop('proof of the money', rounds.proofMs, logger, () =>
      reportProof(sql, metrics, {
        now: new Date(nowMs()),
        dueAfterMs: settings.settlementDueAfterMs,
      }).then(() => false),
    ),
  ];
  const { payables, mailer } = ports;
  const mails =
    mailer === undefined
      ? undefined
      : startLoop('mails', rounds.mailsMs, logger, () =>
          sendMails({ sql, mailer, nowMs, logger, settings: settings.mails }),
        );
  const payouts =
    payables === undefined
      ? undefined
      : startLoop('pay-outs', rounds.workMs, logger, () =>
          runPayouts({
            sql,
            provider: payables,
            now: () => new Date(nowMs()),
            random: deps.random,
            settings: settings.payouts,
            onAlert: ({ payoutId, failure }) =>
              logger.error('a payout failed: check the bank account of the seller', { payoutId, failure }),
          }).then((taken) => taken > 0),
        );
  const views = new Batcher((ids: readonly string[]) => viewEvents(sql, ids), batching);
  const underWay = new InFlightCalls();
  const begin = <Result>(orderId: string, work: () => Promise<Result>): Promise<Result | undefined> =>
    underWay
      .run(orderId, work)
      .catch((error: Error) => {
        logger.warn('order execution failed, will retry in the background', {
          paymentOrderId: orderId,
          cause: error.message,
        });
        return undefined;
      })
      .finally(outbox.wake);
  const wake = (): void => {
    due.wake();
    payouts?.wake();
    outbox.wake();
  };
  return {
    sql,
    submit: {
      sql,
      settings,
      risk: ports.risk ?? rulesRiskCheck(sql, settings, batching),
      nowMs,
      reach,
      batched: batchSubmissions(sql, batching),
    },
    webhooks: {
      ...deps,
      received: batchWebhooks(sql, reach, batching),
      answered: (orderId) => underWay.over(orderId, settings.webhookWaitMs),
    },
    settlements,
    logger,
    uploadFolder: ports.uploadFolder ?? tmpdir(),
    view: (checkoutId) => views.call(checkoutId),
    execute: (orderId) => begin(orderId, () => executeOrder(deps, orderId)),
    begin: (order) => begin(order.id, () => beginOrder(deps, order)),
    async askNow(orderId) {
      const now = nowMs();
      const { rowCount } = await sql.query(
        `UPDATE payment_orders SET next_attempt_at = $2, version = version + 1, changed_at = $2
         WHERE payment_order_id = $1 AND payment_order_status = 'EXECUTING' AND pending <> 'unknown' AND changed_at < $3`,
        [orderId, new Date(now), new Date(now - settings.reloadAskMs)],
      );
      if (rowCount === 1) await resolveOrder(deps, orderId).catch(() => {});
    },
    wake,
    webhookTargets,
    wakeWebhooks: merchantWebhooks.wake,
    wakeDisputes: answers.wake,
    wakeCards: cards.wake,
    wakePages: pages.wake,
    async askPage(orderId) {
      if (await lookAtPage(sql, orderId, new Date(nowMs()))) pages.wake();
    },
    wakeRelay: outbox.wake,
    async close() {
      for (const loop of loops) await loop.close();
      await dispatcher.close();
      await payouts?.close();
      await mails?.close();
      await mailer?.close();
      await relay.release().catch(() => {});
      ports.providers.close();
    },
  };
}
