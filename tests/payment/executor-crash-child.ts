import { createInterface } from 'node:readline';
import type { FaultPoint, ReachFaultPoint } from '#payment/faults/fault-points.js';
import { paymentRoutes } from '#payment/http/payment-routes.js';
import { providerRoutes } from '#payment/http/provider-routes.js';
import { refundRoutes } from '#payment/http/refund-routes.js';
import { startPaymentService } from '#payment/payment-service.js';
import { directPsp } from '#payment/psp/https-psp.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { type EventLog, LogUnavailable } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { openSql } from '#platform/sql/open-sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { paymentGroups } from '#processors/payments/payment-groups.js';
import { startPaymentGroup } from '#processors/payments/start-payment-groups.js';

/** The fault that the parent requests at a fault point, and how often. */
export interface ArmedFault {
  readonly point: FaultPoint;
  readonly action: 'kill' | 'database' | 'log';
  readonly times: number;
}

export interface ChildConfig {
  readonly folder: string;
  readonly port: number;
  readonly pspUrl: string;
  readonly pspPin: string;
  readonly pspCertificate: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** From the begin. */
  readonly fault?: ArmedFault;
}

const config = JSON.parse(process.env['CRASH_CHILD'] ?? '{}') as ChildConfig;
let armed = config.fault;
let fired = 0;
let logAwayUntilMs = 0;

const sql = await openSql(`embedded:${config.folder}/sql`);
/** A connection outside of the pool that it breaks. */
const executioner = await openSql(`embedded:${config.folder}/sql`, { connectionsMax: 1 });
const eventLog = await openEventLog(`embedded:${config.folder}/log`);
const log: EventLog = {
  append: (topic, records) =>
    Date.now() < logAwayUntilMs
      ? Promise.reject(new LogUnavailable('The log is stopped.', { retriable: true }))
      : eventLog.append(topic, records),
  createTopics: (topics) => eventLog.createTopics(topics),
  consume: (options) => eventLog.consume(options),
  read: (topic, partition, from) => eventLog.read(topic, partition, from),
  offsets: (topic) => eventLog.offsets(topic),
  committed: (group, topic) => eventLog.committed(group, topic),
  check: () => eventLog.check(),
  close: () => eventLog.close(),
};

const reach: ReachFaultPoint = async (point) => {
  if (armed?.point !== point || fired >= armed.times) return;
  fired += 1;
  process.stdout.write(`fired ${point}\n`);
  switch (armed.action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => {});
    case 'database':
      await executioner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'meridian'`,
      );
      return;
    case 'log':
      logAwayUntilMs = Date.now() + 300;
  }
};

const registry = await openSchemaRegistry(`embedded:${config.folder}/schemas`);
const codecs = await openTopicCodecs(registry);
const metrics = createMetrics();
const logger = silentLogger;
const https = pinnedHttps({
  baseUrl: config.pspUrl,
  apiKey: config.apiKey,
  pins: [config.pspPin],
  authorities: config.pspCertificate,
  timeoutMs: 1_000,
});
const pages = { success: 'https://shop.invalid/', failure: 'https://shop.invalid/' };
const service = startPaymentService({
  sql,
  providers: openProviders([directPsp(https, pages, [config.webhookSecret])]),
  log,
  codecs,
  settings: {
    ...paymentDefaults,
    retry: { ...paymentDefaults.retry, firstMs: 20, capMs: 200, jitter: 'none' },
    leaseMs: 1_200,
    askAfterMsMin: 50,
    askAfterMsMax: 300,
    answerWaitMs: 1_000,
    relayLeaseMs: 1_000,
    rounds: { ...paymentDefaults.rounds, workMs: 20, outboxRestMs: 20, savedCardsMs: 100 },
  },
  logger,
  metrics,
  reach,
});
const groups = paymentGroups.map((group) =>
  startPaymentGroup(group, {
    log,
    codecs,
    sql,
    logger,
    metrics,
    settings: paymentDefaults.groups,
    nowMs: Date.now,
    reach,
    execute: (id) => service.execute(id),
  }),
);
await Promise.all(groups);
const server = createHttpServer({
  name: 'crash',
  listener: 'public',
  routes: [...paymentRoutes(service), ...refundRoutes(service), ...providerRoutes(service)],
  authenticator: {
    verify: (userId) => ({
      ok: true,
      identity: { userId, scopes: ['customer'], expiresAt: Date.now() + 60_000 },
    }),
  },
  limits: { turnBudgetMs: 10_000 },
  logger,
  metrics,
});
await server.listen(config.port);
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  armed = JSON.parse(line) as ArmedFault;
  fired = 0;
  process.stdout.write('armed\n');
}
// The parent has ended.
process.exit(0);
