import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { passing, type ReachFaultPoint } from '#payment/faults/fault-points.js';
import { paymentHttp } from '#payment/http/payment-http.js';
import { paymentMigrations } from '#payment/migrations.js';
import { type PaymentService, startPaymentService } from '#payment/payment-service.js';
import { httpsPayablesProvider } from '#payment/payouts/https-payables-provider.js';
import { directPsp, hostedPagePsp } from '#payment/psp/https-psp.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders, type Providers } from '#payment/psp/providers.js';
import type { Psp } from '#payment/psp/psp.js';
import type { RiskCheck } from '#payment/risk/risk-check.js';
import { type PaymentSettings, paymentDefaults } from '#payment/settings/settings.js';
import type { FaultPlan } from '#payment-simulator/faults.js';
import type { RecordLine, SimulatedPayment } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import type { NewRecord } from '#platform/event-log/event-log.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { type Authenticator, grantsOf } from '#platform/http/identity.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Processor } from '#platform/stream/start-processor.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { createLogger } from '#platform/telemetry/pino-logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { type PaymentGroup, paymentGroups } from '#processors/payments/payment-groups.js';
import { startPaymentGroup } from '#processors/payments/start-payment-groups.js';
import type { PaymentEvent, PaymentOrder, Refund } from '#schemas/http/payments.js';
import { topics } from '#schemas/topics.js';
import { browsePage, type PageAnswer } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { fetchOrProblem } from '../http-problems.js';
import { openDatabase, openOwnDatabase } from '../shared-postgres.js';

/** A token is `scope.user` or `scope+property~hotel.user`; this suffices if signatures do not matter. */
export const plainTokens: Authenticator = {
  verify: (token) => {
    const [scopes = '', userId] = token.split('.');
    const identity = {
      userId: userId ?? '',
      ...grantsOf(scopes.replaceAll('+', ' ').replaceAll('~', ':')),
      expiresAt: Date.now() + 60_000,
    };
    return userId === undefined ? { ok: false, reason: 'invalid', detail: 'no' } : { ok: true, identity };
  },
};

export const apiKey = 'sk_test_simulator';
export const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Delays short enough for a test. */
export const quick: PaymentSettings = {
  ...paymentDefaults,
  retry: { ...paymentDefaults.retry, firstMs: 20, capMs: 200, jitter: 'none' },
  askAfterMsMin: 50,
  askAfterMsMax: 300,
  // A busy machine must not turn a 201 into a 202.
  answerWaitMs: 60_000,
  relayLeaseMs: 15_000,
  rounds: { ...paymentDefaults.rounds, workMs: 20, outboxRestMs: 20, savedCardsMs: 100 },
};

export interface RoomOptions {
  readonly style?: 'hosted' | 'direct';
  readonly settings?: Partial<PaymentSettings>;
  readonly risk?: RiskCheck;
  readonly reach?: ReachFaultPoint;
  readonly nowMs?: () => number;
  readonly groups?: readonly PaymentGroup[];
  readonly pspTimeoutMs?: number;
  readonly webhooks?: boolean;
  /** More providers than the simulator in our own protocol. */
  readonly providers?: (own: Psp) => Providers;
  /** On a separate server, whose files are in the folder of this set-up. */
  readonly ownDatabase?: boolean;
  /** A filter between the outbox and the log; without it every message passes. */
  readonly onAppend?: (records: readonly NewRecord[], topic: string) => void;
}

export interface NewOrder {
  readonly payment_order_id?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly seller_account?: string;
}

export const iban = 'DE89370400440532013000';

/** A request to pay these orders. */
export function paymentBody(orders: readonly NewOrder[] = [{}], extra: object = {}): Record<string, unknown> {
  return {
    checkout_id: randomUUID(),
    buyer_info: { name: 'Ada' },
    credit_card_info: {},
    payment_orders: orders.map((order) => ({
      seller_account: iban,
      amount: '10.50',
      currency: 'EUR',
      payment_order_id: randomUUID(),
      ...order,
    })),
    ...extra,
  };
}

interface RoomParts {
  readonly folder: string;
  readonly sql: Sql;
  readonly log: LmdbEventLog;
  readonly codecs: TopicCodecs;
  readonly psp: SpawnedPsp;
  readonly service: PaymentService;
  readonly metrics: Metrics;
  readonly url: string;
  readonly internalUrl: string;
  readonly logLines: string[];
  readonly startGroup: (group: PaymentGroup) => Promise<Processor>;
  readonly close: () => Promise<void>;
}

/**
 * A complete payment package: embedded PostgreSQL and log, HTTP server, consumer groups, and the provider as
 * a separate process.
 */
export class OrdersRoom {
  readonly #parts: RoomParts;

  private constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  get sql(): Sql {
    return this.#parts.sql;
  }
  get log(): LmdbEventLog {
    return this.#parts.log;
  }
  get codecs(): TopicCodecs {
    return this.#parts.codecs;
  }
  get psp(): SpawnedPsp {
    return this.#parts.psp;
  }
  get service(): PaymentService {
    return this.#parts.service;
  }
  get metrics(): Metrics {
    return this.#parts.metrics;
  }
  get url(): string {
    return this.#parts.url;
  }
  get internalUrl(): string {
    return this.#parts.internalUrl;
  }
  get folder(): string {
    return this.#parts.folder;
  }
  get logLines(): string[] {
    return this.#parts.logLines;
  }

  static async open(options: RoomOptions = {}): Promise<OrdersRoom> {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-payment-'));
    const open = options.ownDatabase === true ? openOwnDatabase : openDatabase;
    const [psp, database, log] = await Promise.all([
      spawnPsp({ folder: join(folder, 'psp'), seed: 7, apiKey, webhookSecrets: [webhookSecret] }),
      open('payment', paymentMigrations, {}, folder),
      LmdbEventLog.open({ folder: join(folder, 'log') }),
    ]);
    const { sql } = database;
    await log.createTopics(topics);
    const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
    const codecs = await openTopicCodecs(registry);
    const logLines: string[] = [];
    const logger = createLogger({
      name: 'payment',
      level: 'debug',
      stream: { write: (line: string) => void logLines.push(line) },
    });
    const metrics = createMetrics();
    const { url: pspUrl, pin, certificate } = psp.addresses;
    const https = pinnedHttps({
      baseUrl: pspUrl,
      apiKey,
      pins: [pin],
      authorities: certificate,
      timeoutMs: options.pspTimeoutMs ?? 10_000,
    });
    const shop = 'https://shop.invalid/return';
    const reach = options.reach ?? passing;
    const nowMs = options.nowMs ?? Date.now;
    const own =
      options.style === 'direct'
        ? directPsp(https, { success: shop, failure: shop }, [webhookSecret])
        : hostedPagePsp(https, { success: shop, failure: shop }, [webhookSecret]);
    const service = startPaymentService({
      sql,
      providers: options.providers?.(own) ?? openProviders([own]),
      log: {
        append: async (topic, records) => {
          options.onAppend?.(records, topic);
          return log.append(topic, records);
        },
      },
      codecs,
      payables: httpsPayablesProvider(https),
      settings: { ...quick, ...options.settings },
      webhookTargets: 'any',
      logger,
      metrics,
      nowMs,
      reach,
      ...(options.risk === undefined ? {} : { risk: options.risk }),
    });
    const startGroup = (group: PaymentGroup) =>
      startPaymentGroup(group, {
        log,
        codecs,
        sql,
        logger,
        metrics,
        settings: { ...quick, ...options.settings }.groups,
        nowMs,
        reach,
        execute: (id) => service.execute(id),
        wakeWebhooks: () => service.wakeWebhooks(),
      });
    const processors: Processor[] = [];
    for (const group of options.groups ?? paymentGroups) processors.push(await startGroup(group));
    const routes = paymentHttp(service);
    const servers = (['public', 'internal'] as const).map((listener) =>
      createHttpServer({
        name: listener,
        listener,
        routes,
        authenticator: plainTokens,
        logger,
        metrics,
        limits: { turnBudgetMs: 10_000 },
      }),
    );
    const [publicPort, internalPort] = await Promise.all(
      servers.map(async (server) => (await server.listen(0)).port),
    );
    const url = `http://127.0.0.1:${publicPort}`;
    const internalUrl = `http://127.0.0.1:${internalPort}`;
    const close = async (): Promise<void> => {
      for (const server of servers) server.close();
      await service.close();
      for (const processor of processors) await processor.close();
      await psp.close();
      await log.close();
      await registry.close();
      await database.dispose();
      await rm(folder, { recursive: true, force: true });
    };
    const parts = {
      ...{ folder, sql, log, codecs, psp, service, metrics, url, internalUrl, logLines, startGroup, close },
    };
    const room = new OrdersRoom(parts);
    if (options.webhooks !== false)
      await room.control('POST', '/webhooks', { url: `${url}/v1/psp/webhooks` });
    return room;
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  /** One of those that `groups` has left out; whoever starts it closes it. */
  startGroup(group: PaymentGroup): Promise<Processor> {
    return this.#parts.startGroup(group);
  }

  body = paymentBody;

  post(
    body: unknown,
    {
      key = randomUUID(),
      token = 'customer.ada',
      path = '/v1/payments',
      base = this.url,
      headers = {},
    } = {} as {
      key?: string;
      token?: string;
      path?: string;
      base?: string;
      headers?: Record<string, string>;
    },
  ): Promise<Response> {
    return fetchOrProblem(base + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === '' ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Submits one order and answers with it. */
  async pay(order: NewOrder = {}, card?: string, token = 'customer.ada'): Promise<PaymentOrder> {
    const response = await this.post(
      this.body([order], card === undefined ? {} : { credit_card_info: { token: card } }),
      { token },
    );
    const event = (await response.json()) as PaymentEvent;
    if (event.payment_orders === undefined) throw new Error(JSON.stringify(event));
    return event.payment_orders[0]!;
  }

  async get(id: string, token = 'customer.ada'): Promise<PaymentOrder> {
    const response = await fetchOrProblem(`${this.url}/v1/payments/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()) as PaymentOrder;
  }

  /**
   * The action of the buyer on the provider's page. The certificate is the simulator's own, so the page is
   * read through its control interface.
   */
  typeCard(
    order: PaymentOrder,
    number = '4242424242424242',
    more: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    const form = { number, expiry: '12/30', cvc: '123', ...more };
    return browsePage(order.payment_page_url!, this.psp.addresses.certificate, form);
  }

  /** The buyer confirms the payment on the page of the bank. */
  async confirmAtBank(url: string): Promise<void> {
    await browsePage(url, this.psp.addresses.certificate, { answer: 'approve' });
  }

  async control<Answer = unknown>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.psp.addresses.controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  faults(plan: Partial<FaultPlan>): Promise<unknown> {
    return this.control('POST', '/faults', plan);
  }

  record(): Promise<RecordLine[]> {
    return this.control('GET', '/record');
  }

  /** Charges in the provider's own record for a nonce: how often its money was taken. */
  async charges(nonce: string): Promise<number> {
    let captured = 0;
    let before: SimulatedPayment | undefined;
    for (const line of await this.record()) {
      if (line.kind !== 'payment' || line.payment.nonce !== nonce) continue;
      if (line.payment.status === 'captured' && before?.status !== 'captured') captured += 1;
      before = line.payment;
    }
    return captured;
  }

  /** Waits until the order is as expected; the failure contains the last view. */
  until(id: string, wanted: (order: PaymentOrder) => boolean, deadlineMs = 60_000): Promise<PaymentOrder> {
    return eventually(
      async () => {
        const order = await this.get(id);
        if (!wanted(order)) throw new Error(`still ${JSON.stringify(order)}`);
        return order;
      },
      { deadlineMs },
    );
  }

  cancel(id: string, token = 'customer.ada'): Promise<Response> {
    return fetchOrProblem(`${this.url}/v1/payments/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  }

  settled(id: string): Promise<PaymentOrder> {
    return this.until(
      id,
      (order) => order.payment_order_status === 'SUCCESS' && order.ledger_updated && order.wallet_updated,
    );
  }

  async refund(
    id: string,
    body: object,
    key = randomUUID(),
    token = 'staff.sam',
  ): Promise<{ status: number; body: Refund }> {
    const response = await this.post(body, {
      ...{ key, token },
      path: `/v1/payments/${id}/refunds`,
      base: this.internalUrl,
    });
    return { status: response.status, body: (await response.json()) as Refund };
  }

  /** Sends a webhook like the provider, or like an impostor. */
  webhook(
    type: string,
    data: object,
    {
      id = `msg_${randomBytes(8).toString('hex')}`,
      secret = webhookSecret,
      at = new Date(),
      tamper = (body: string) => body,
      path = '/v1/psp/webhooks',
    } = {} as { id?: string; secret?: string; at?: Date; tamper?: (body: string) => string; path?: string },
  ): Promise<Response> {
    const body = JSON.stringify({ id, type, created: at.toISOString(), api_version: '2026-11-01', data });
    return fetchOrProblem(this.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      body: tamper(body),
    });
  }

  /** The provider's view of the payment, as in its webhooks. */
  async payment(nonce: string): Promise<Record<string, unknown>> {
    const lines = (await this.record()).filter(
      (line) => line.kind === 'payment' && line.payment.nonce === nonce,
    );
    const line = lines.at(-1);
    if (line?.kind !== 'payment') throw new Error(`The provider does not know ${nonce}.`);
    const { payment } = line;
    return {
      nonce,
      reference: payment.reference,
      token: payment.token,
      status: payment.status,
      amount_minor: payment.amountMinor,
      captured_minor: payment.capturedMinor,
      currency: payment.currency,
      sequence: payment.sequence,
      ...(payment.code === undefined ? {} : { code: payment.code }),
    };
  }

  async count(query: string, values: readonly string[] = []): Promise<number> {
    const { rows } = await this.sql.query<{ n: bigint }>(query, values);
    return Number(rows[0]!.n);
  }

  ledgerTransfers(id: string, operation = 'capture'): Promise<number> {
    return this.count(
      'SELECT count(DISTINCT operation) AS n FROM ledger_transfer WHERE subject = $1 AND operation = $2',
      [id, operation],
    );
  }
}
