import { once } from 'node:events';
import { passing } from '#payment/faults/fault-points.js';
import { paymentRoutes } from '#payment/http/payment-routes.js';
import { providerRoutes } from '#payment/http/provider-routes.js';
import { startPaymentService } from '#payment/payment-service.js';
import { directPsp } from '#payment/psp/https-psp.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openSql } from '#platform/sql/open-sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { paymentGroups } from '#processors/payments/payment-groups.js';
import { startPaymentGroup } from '#processors/payments/start-payment-groups.js';

/** The configuration that a measured payment process receives in its environment. */
export interface PaymentChildConfig {
  readonly sql: string;
  readonly log: string;
  readonly schemas: string;
  readonly pspUrl: string;
  readonly pspPin: string;
  readonly pspCertificate: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly settings: Partial<Omit<PaymentSettings, 'reviewAboveMinor'>>;
  readonly roundEveryMs: number;
  readonly pspTimeoutMs: number;
}

const config = JSON.parse(process.env['PAYMENT_CHILD'] ?? '{}') as PaymentChildConfig;
// Everything is loaded and nothing has run yet: the measurement starts with the first input.
await once(process.stdin, 'data');
const sql = await openSql(config.sql);
const log = await openEventLog(config.log);
const codecs = await openTopicCodecs(await openSchemaRegistry(config.schemas));
const common = { sql, log, codecs, logger: silentLogger, metrics: createMetrics() };
const https = pinnedHttps({
  baseUrl: config.pspUrl,
  apiKey: config.apiKey,
  pins: [config.pspPin],
  authorities: config.pspCertificate,
  timeoutMs: config.pspTimeoutMs,
});
const pages = { success: 'https://shop.invalid/', failure: 'https://shop.invalid/' };
const service = startPaymentService({
  ...common,
  providers: openProviders([directPsp(https, pages, [config.webhookSecret])]),
  settings: {
    ...paymentDefaults,
    ...config.settings,
    rounds: { ...paymentDefaults.rounds, workMs: config.roundEveryMs },
  },
});
for (const group of paymentGroups)
  await startPaymentGroup(group, {
    ...common,
    settings: paymentDefaults.groups,
    nowMs: Date.now,
    reach: passing,
    execute: (id) => service.execute(id),
    wakeRelay: () => service.wakeRelay(),
  });
const server = createHttpServer({
  name: 'payment-under-measurement',
  listener: 'public',
  // No other routes, because a program that is killed a second later would compile their schemas for nothing.
  routes: [...paymentRoutes(service), ...providerRoutes(service)],
  authenticator: {
    verify: (userId) => ({
      ok: true,
      identity: { userId, scopes: ['customer'], expiresAt: Date.now() + 60_000 },
    }),
  },
  limits: { turnBudgetMs: 30_000 },
  logger: silentLogger,
  metrics: common.metrics,
});
const { port } = await server.listen(0);
process.stdout.write(`${port}\n`);
// The parent has ended; nothing else would stop this process.
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
