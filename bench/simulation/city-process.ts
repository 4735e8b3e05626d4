import { OutboxRelay as HotelRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import { beginOrder, executeOrder } from '#payment/executor/execute-order.js';
import type { ExecutorDeps } from '#payment/executor/executor-deps.js';
import { passing } from '#payment/faults/fault-points.js';
import { batchOrders } from '#payment/orders/order-batchers.js';
import { batchSubmissions } from '#payment/orders/submit-payment.js';
import { OutboxRelay } from '#payment/outbox/relay.js';
import type { PaymentService } from '#payment/payment-service.js';
import { hostedPagePsp } from '#payment/psp/https-psp.js';
import { openProviders } from '#payment/psp/providers.js';
import { rulesRiskCheck } from '#payment/risk/risk-check.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import { advanceLagging } from '#payment/wallet/wallet.js';
import { batchWebhooks } from '#payment/webhooks/receive-webhook.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { followPayments } from '#processors/booking/follow-payments.js';
import { followReservations } from '#processors/booking/follow-reservations.js';
import { hearMoneyFrom } from '#processors/booking/note-money.js';
import { paymentPort } from '#processors/booking/payment-port.js';
import type { CityProcess, CityWorld } from './city-world.js';
import { bookedInLedger, bookedInWallet, doneWith, groupOf } from './consumer-groups.js';
import { CrashableSql } from './crashable-sql.js';

export const webhookSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const settings: PaymentSettings = {
  ...paymentDefaults,
  leaseMs: 10_000,
  registrationMs: 15 * 60_000,
  relayLeaseMs: 3_000,
};

/** `onDeath` is called when the process dies; it does nothing from then on. */
export function startCityProcess(world: CityWorld, onDeath: () => void): CityProcess {
  const { clock, codecs, random, provider } = world;
  const nowMs = () => clock.nowMs;
  const sql = new CrashableSql(world.sql, clock, () => clock.nowMs < world.unavailableUntilMs);
  sql.onCrash = onDeath;
  const pages = { success: 'https://shop.invalid', failure: 'https://shop.invalid' };
  const deps: ExecutorDeps = {
    sql,
    orders: batchOrders(sql),
    providers: openProviders([hostedPagePsp(provider.https(), pages, [webhookSecret])], { nowMs }),
    settings,
    logger: silentLogger,
    metrics: createMetrics({ processMetrics: false }),
    nowMs,
    random,
    reach: passing,
  };
  const service: PaymentService = {
    sql,
    submit: {
      sql,
      settings,
      risk: rulesRiskCheck(sql, settings),
      nowMs,
      reach: passing,
      batched: batchSubmissions(sql),
    },
    webhooks: { ...deps, received: batchWebhooks(sql, passing) },
    settlements: { sql, providers: deps.providers, nowMs, settings: settings.settlements },
    logger: deps.logger,
    wakeCards: () => {},
    wakePages: () => {},
    askPage: () => Promise.resolve(),
    uploadFolder: 'uploads',
    view: () => Promise.resolve(undefined),
    execute: (id) => executeOrder(deps, id).catch(() => {}),
    begin: (order) => beginOrder(deps, order).catch(() => undefined),
    askNow: () => Promise.resolve(),
    wake: () => {},
    wakeRelay: () => {},
    webhookTargets: 'any',
    wakeDisputes: () => {},
    wakeWebhooks: () => {},
    close: () => Promise.resolve(),
  };
  const reservations = new PostgresReservations({
    sql,
    now: () => new Date(nowMs()),
    random,
    hearMoney: hearMoneyFrom(sql),
  });
  const log = world.log as unknown as EventLog;
  const relay = new OutboxRelay({
    sql,
    log,
    codecs,
    nowMs,
    reach: passing,
    leaseMs: settings.relayLeaseMs,
  });
  const hotelRelay = new HotelRelay({ sql, holder: 'city', publish: publishToLog(log, codecs) });
  const booking = { sql, reservations, payments: paymentPort(service), nowMs };
  const { paymentOrderLifecycle: payments, reservationLifecycle: stays } = codecs;
  return {
    sql,
    service,
    reservations,
    groups: [
      groupOf('ledger', payments, bookedInLedger(world, sql)),
      groupOf('wallet', payments, bookedInWallet(world, sql)),
      groupOf('booking', payments, async (changes) =>
        doneWith(world, await followPayments(booking, changes)),
      ),
      groupOf('booking', stays, async (events) => doneWith(world, await followReservations(booking, events))),
    ],
    jobs: [
      ['due', () => workOnDue(deps)],
      ['wallets', () => advanceLagging(sql)],
      ['messages', () => relay.round()],
      ['stays', () => hotelRelay.relayOnce()],
      ['holds', () => reservations.expireHolds()],
    ],
    alert: () => alertOverdue(deps),
  };
}
