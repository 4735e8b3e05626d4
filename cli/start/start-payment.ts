import { join } from 'node:path';
import { passing } from '#payment/faults/fault-points.js';
import { paymentHttp } from '#payment/http/payment-http.js';
import { paymentMigrations } from '#payment/migrations.js';
import { type PaymentService, startPaymentService } from '#payment/payment-service.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { httpsRiskCheck, strictestOf } from '#payment/risk/https-risk-check.js';
import { type RiskCheck, rulesRiskCheck } from '#payment/risk/risk-check.js';
import type { PaymentSettings } from '#payment/settings/settings.js';
import type { Route } from '#platform/http/http-types.js';
import { openMailer } from '#platform/mail/open-mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import { queueGauges } from '#platform/telemetry/bounded-queue.js';
import { paymentGroups } from '#processors/payments/payment-groups.js';
import { startPaymentGroup } from '#processors/payments/start-payment-groups.js';
import { awaitPort, type Context, type LogAndCodecs } from '../context.js';
import { CommandFailed, exitCode } from '../exit.js';
import { openDatabase } from '../open/open-database.js';
import { webhookTargets } from '../plain-connections.js';
import { settlementAccounts, unsettledProviders } from '../settlement-accounts.js';
import { openConfiguredProviders } from './open-providers.js';
import { paymentSettingsOf } from './payment-settings-of.js';
import type { ListenerUrls } from './serve.js';

/** The SQL store with the tables of payments. */
export const openPaymentSql = (context: Context): Promise<Sql> =>
  awaitPort(
    context,
    'database',
    () =>
      openDatabase(context.config, context.logger, {
        watchQueue: queueGauges(context.metrics),
      }),
    (sql) => sql.migrate('payment', paymentMigrations),
  );

export interface StartedPayment {
  readonly routes: readonly Route[];
  readonly service: PaymentService;
}

/** Payment service, background work and consumer groups; the routes are for the caller's listeners. */
export async function startPayment(
  context: Context,
  { log, codecs }: LogAndCodecs,
  sql: Sql,
  urls: ListenerUrls,
): Promise<StartedPayment> {
  const { logger, metrics } = context;
  const provider = await openConfiguredProviders(context, urls);
  const ports = { sql, log, codecs, logger, metrics };
  const settings = paymentSettingsOf(context.config);
  const accounts = settlementAccounts(context.config);
  for (const { fault, advice } of unsettledProviders(provider.providers.names, context.config))
    logger.warn(`${fault}: ${advice}`);
  const service = startPaymentService({
    ...ports,
    ...provider,
    settings,
    webhookTargets: webhookTargets(),
    risk: riskOf(context, sql, settings),
    settlementAccounts: accounts,
    uploadFolder: join(context.config.MERIDIAN_DATA, 'uploads'),
    mailer: await openMailer(
      context.config.MAIL ?? `dir:${join(context.config.MERIDIAN_DATA, 'mail')}`,
      context.config.MAIL_FROM,
    ),
  });
  context.onStop('payment service', () => service.close());
  for (const group of paymentGroups) {
    const processor = await startPaymentGroup(group, {
      ...ports,
      settings: settings.groups,
      nowMs: Date.now,
      reach: passing,
      execute: (id) => service.execute(id),
      wakeRelay: () => service.wakeRelay(),
      wakeWebhooks: () => service.wakeWebhooks(),
    });
    context.onStop(group, () => processor.close());
  }
  return { routes: paymentHttp(service), service };
}

/** Our own rules, and a third party if one is configured. */
function riskOf({ config }: Context, sql: Sql, settings: PaymentSettings): RiskCheck {
  const rules = rulesRiskCheck(sql, settings);
  const { RISK_BASE_URL: baseUrl, RISK_API_KEY: apiKey, RISK_PINS: pins } = config;
  if (baseUrl === undefined) return rules;
  if (apiKey === undefined || pins === undefined)
    throw new CommandFailed(
      'RISK_BASE_URL is set, so RISK_API_KEY and RISK_PINS must be set too.',
      exitCode.usage,
    );
  const { timeoutMs, connectionsMax } = settings.provider;
  const third = pinnedHttps({ baseUrl, apiKey, pins: pins.split(','), timeoutMs, connectionsMax });
  return strictestOf([rules, httpsRiskCheck(third)]);
}
