import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passing } from '#payment/faults/fault-points.js';
import { paymentHttp } from '#payment/http/payment-http.js';
import { paymentMigrations } from '#payment/migrations.js';
import { type PaymentService, startPaymentService } from '#payment/payment-service.js';
import { httpsPayablesProvider } from '#payment/payouts/https-payables-provider.js';
import type { PayablesProvider } from '#payment/payouts/payables-provider.js';
import { directPsp, hostedPagePsp } from '#payment/psp/https-psp.js';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import type { Psp } from '#payment/psp/psp.js';
import { httpsRiskCheck, strictestOf } from '#payment/risk/https-risk-check.js';
import { type RiskCheck, rulesRiskCheck } from '#payment/risk/risk-check.js';
import { parseMerchantLimits } from '#payment/settings/merchant-limits.js';
import type { RetryStrategy } from '#payment/settings/retry-policy.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import { spawnPsp } from '#payment-simulator/spawn-psp.js';
import type { Route } from '#platform/http/http-types.js';
import { openMailer } from '#platform/mail/open-mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import { paymentGroups, startPaymentGroup } from '#processors/payments/start-payment-groups.js';
import { awaitPort, type Context, type LogAndCodecs } from '../context.js';
import { CommandFailed, exitCode } from '../exit.js';
import { openDatabase } from '../open/open-database.js';
import { settlementAccounts } from '../settlement-accounts.js';
import { requireSingleInstance } from '../single-instance.js';

/** The SQL store with the tables of payments. */
export const openPaymentSql = (context: Context): Promise<Sql> =>
  awaitPort(
    context,
    'database',
    () => openDatabase(context.config, context.logger),
    (sql) => sql.migrate('payment', paymentMigrations),
  );

interface Provider {
  readonly psp: Psp;
  readonly payables: PayablesProvider;
  readonly webhookSecrets: readonly string[];
}

export interface StartedPayment {
  readonly routes: readonly Route[];
  readonly service: PaymentService;
}

/** Payment service, background work and consumer groups; the routes are for the caller's listeners. */
export async function startPayment(
  context: Context,
  { log, codecs }: LogAndCodecs,
  sql: Sql,
  publicUrl: string,
): Promise<StartedPayment> {
  const { logger, metrics } = context;
  const provider = await openProvider(context, publicUrl);
  const ports = { sql, log, codecs, logger, metrics };
  const settings = settingsOf(context);
  const service = startPaymentService({
    ...ports,
    ...provider,
    settings,
    webhookTargets: process.env['NODE_ENV'] === 'production' ? 'public' : 'any',
    risk: riskOf(context, sql, settings),
    settlementAccounts: settlementAccounts(context.config),
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

function settingsOf({ config }: Context): PaymentSettings {
  const strategy = config.PAYMENT_RETRY as RetryStrategy;
  if (config.PAYMENTS_PER_BUYER_MAX < config.PAYMENTS_PER_BUYER)
    throw new CommandFailed(
      `PAYMENTS_PER_BUYER_MAX must be at least PAYMENTS_PER_BUYER, which is ${config.PAYMENTS_PER_BUYER}.`,
      exitCode.usage,
    );
  const limits = parseMerchantLimits(config.PAYMENT_REVIEW_ABOVE_OF);
  if (typeof limits === 'string') throw new CommandFailed(limits, exitCode.usage);
  return {
    ...paymentDefaults,
    strictIdempotency: config.PAYMENT_STRICT_KEYS,
    reviewAfterEventsPerHour: config.PAYMENTS_PER_BUYER,
    blockAfterEventsPerHour: config.PAYMENTS_PER_BUYER_MAX,
    secondPersonAboveMinor: BigInt(config.SECOND_PERSON_ABOVE),
    refundSecondPersonAboveMinor: BigInt(config.REFUND_SECOND_PERSON_ABOVE),
    refundsAloneInADayMinor: BigInt(config.REFUNDS_ALONE_IN_A_DAY),
    reviewAboveMinor: BigInt(config.PAYMENT_REVIEW_ABOVE),
    reviewAboveMinorOf: limits,
    reviewSecondPersonAboveMinor: BigInt(config.REVIEW_SECOND_PERSON_ABOVE),
    retry: { ...paymentDefaults.retry, strategy, attemptsMax: config.PAYMENT_ATTEMPTS },
  };
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
  return strictestOf([rules, httpsRiskCheck(pinnedHttps({ baseUrl, apiKey, pins: pins.split(',') }))]);
}

async function openProvider(context: Context, publicUrl: string): Promise<Provider> {
  const { config } = context;
  if (config.PSP_BASE_URL === undefined) return simulatedProvider(context, publicUrl);
  const missing = (['PSP_API_KEY', 'PSP_PINS', 'WEBHOOK_SECRETS'] as const).filter(
    (name) => config[name] === undefined,
  );
  if (missing.length > 0)
    throw new CommandFailed(`PSP_BASE_URL is set, so ${missing.join(', ')} must be set too.`, exitCode.usage);
  const https = pinnedHttps({
    baseUrl: config.PSP_BASE_URL,
    apiKey: config.PSP_API_KEY!,
    pins: config.PSP_PINS!.split(','),
    ...(config.PSP_AUTHORITIES === undefined
      ? {}
      : { authorities: readFileSync(config.PSP_AUTHORITIES, 'utf8') }),
  });
  return {
    psp: pspOf(context, https, publicUrl),
    payables: httpsPayablesProvider(https),
    webhookSecrets: config.WEBHOOK_SECRETS!.split(',').map(signing),
  };
}

/** For demonstrations: a provider in a separate process, which accepts every card and charges no money. */
async function simulatedProvider(context: Context, publicUrl: string): Promise<Provider> {
  if (process.env['NODE_ENV'] === 'production')
    throw new CommandFailed(
      'PSP_BASE_URL must be set in production: the built-in provider is a simulator.',
      exitCode.usage,
    );
  await requireSingleInstance(context.config, 'simulated payment provider');
  const apiKey = randomBytes(16).toString('hex');
  const webhookSecrets = [signing(randomBytes(24).toString('base64url'))];
  const simulator = await spawnPsp({
    folder: join(context.config.MERIDIAN_DATA, 'psp'),
    seed: 1,
    apiKey,
    webhookSecrets,
    webhookUrl: `${publicUrl}/v1/psp/webhooks`,
  });
  context.onStop('payment provider', () => simulator.close());
  const { url, controlUrl, pin, certificate } = simulator.addresses;
  context.logger.info('payments go to a simulated provider', { url, controlUrl });
  const https = pinnedHttps({ baseUrl: url, apiKey, pins: [pin], authorities: certificate });
  return { psp: pspOf(context, https, publicUrl), payables: httpsPayablesProvider(https), webhookSecrets };
}

function pspOf({ config }: Context, https: PinnedHttps, publicUrl: string): Psp {
  const back = config.PAYMENT_RETURN_URL ?? `${publicUrl}/v1/payment-return`;
  return config.PSP_STYLE === 'direct'
    ? directPsp(https)
    : hostedPagePsp(https, { success: back, failure: back });
}

/** Standard Webhooks writes secrets as `whsec_` and base64; other texts are used as bytes. */
const signing = (secret: string): string =>
  secret.startsWith('whsec_') ? secret : `whsec_${Buffer.from(secret).toString('base64')}`;
