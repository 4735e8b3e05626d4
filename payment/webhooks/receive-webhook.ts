import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { tracing } from '#platform/telemetry/tracing.js';
import { lookAtPage } from '../card-pages/store-page.js';
import { settleRefund } from '../executor/execute-refund.js';
import { applyContext, type ExecutorDeps } from '../executor/executor-deps.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import type { Effect } from '../orders/apply-payment.js';
import { applyDispute, CameTooEarly } from '../orders/dispute.js';
import type { Psp } from '../psp/psp.js';
import type { PspEvent, WebhookReading, WebhookRequest } from '../psp/psp-event.js';
import { paymentOrderAttribute } from '../settings/trace-attributes.js';
import { type PaymentWebhook, recordWebhooks } from './record-webhooks.js';

export interface WebhookDeps extends ExecutorDeps {
  /** Concurrent webhooks are recorded in one batch. */
  readonly received: Batcher<PaymentWebhook, Effect | undefined>;
  /** Resolves when this process has stored what the provider answers about an order, or at once. */
  readonly answered?: (orderId: string) => Promise<void>;
}

/** Only the provider's server waits for a webhook, so batches may grow. */
export const batchWebhooks = (
  sql: Sql,
  reach: ReachFaultPoint,
  gathering: Partial<BatcherOptions> = {},
): WebhookDeps['received'] =>
  new Batcher((webhooks: readonly PaymentWebhook[]) => recordWebhooks(sql, webhooks, reach), {
    ...gathering,
    atOnce: 1,
  });

export type WebhookOutcome =
  /** Recorded, whether it changed anything or was stale. */
  | { readonly outcome: 'recorded'; readonly effect: string }
  | { readonly outcome: 'repeated' }
  /** Recorded, but it is about an order that another provider has: nothing was changed. */
  | { readonly outcome: 'foreign' }
  /** Nothing was recorded: the provider has to send it again. */
  | { readonly outcome: 'too early'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Signed, but not in a shape that we know. */
  | { readonly outcome: 'malformed'; readonly reason: string };

/** Verifies, then applies a webhook once: its id and its effect are one transaction. */
export async function receiveWebhook(
  deps: WebhookDeps,
  psp: Psp,
  request: WebhookRequest,
): Promise<WebhookOutcome> {
  const reading = await psp.webhook(request, deps.nowMs(), deps.settings.webhookToleranceMs);
  switch (reading.kind) {
    case 'refused':
      return { outcome: 'refused', reason: reading.reason };
    case 'malformed':
      return { outcome: 'malformed', reason: reading.reason };
    case 'not now':
      return { outcome: 'too early', reason: reading.reason };
    case 'read': {
      const result = await record(deps, psp.name, reading);
      await deps.reach('webhook-after-commit');
      return result;
    }
  }
}

type Read = WebhookReading & { kind: 'read' };

async function record(deps: WebhookDeps, provider: string, reading: Read): Promise<WebhookOutcome> {
  const { id, type, event } = reading;
  if (event.kind !== 'payment') return receiveAlone(deps, provider, reading).catch(whenTooEarly);
  const { payment } = event;
  // The provider does not pass a trace on: by this id the trace of its call is found.
  tracing()?.annotate({ [paymentOrderAttribute]: payment.nonce });
  await deps.answered?.(payment.nonce);
  const context = applyContext(deps, `webhook ${id}`);
  const effect = await deps.received.call({ id, kind: type, update: { payment, context, provider } });
  return outcomeOf(deps, provider, effect, payment.nonce);
}

function outcomeOf(
  { logger }: WebhookDeps,
  provider: string,
  effect: string | undefined,
  paymentOrderId: string | undefined,
): WebhookOutcome {
  if (effect === undefined) return { outcome: 'repeated' };
  if (effect === 'unknown token')
    logger.error('a webhook names another token than its payment order has, and was not applied', {
      provider,
      ...(paymentOrderId === undefined ? {} : { paymentOrderId }),
    });
  if (effect !== 'another provider') return { outcome: 'recorded', effect };
  logger.error('a provider reports on a payment order that another provider has: check it for a charge', {
    provider,
    ...(paymentOrderId === undefined ? {} : { paymentOrderId }),
  });
  return { outcome: 'foreign' };
}

function whenTooEarly(error: unknown): WebhookOutcome {
  if (error instanceof CameTooEarly) return { outcome: 'too early', reason: error.message };
  throw error;
}

/** Refunds and disputes, which are few, and webhooks without effect. */
async function receiveAlone(
  deps: WebhookDeps,
  provider: string,
  { id, type, event }: Read,
): Promise<WebhookOutcome> {
  const nonce = nonceOf(event);
  return deps.sql.transaction(async (tx): Promise<WebhookOutcome> => {
    // The nonce of a refund is its id.
    const { rowCount } = await tx.query(
      `INSERT INTO payment_webhooks (webhook_id, kind, payment_order_id, effect, received_at)
       VALUES ($1, $2, coalesce((SELECT payment_order_id FROM payment_refunds WHERE refund_id = $3), $3), '', $4)
       ON CONFLICT DO NOTHING`,
      [id, type, nonce ?? null, new Date(deps.nowMs())],
    );
    if (rowCount === 0) return { outcome: 'repeated' };
    const effect = await apply(tx, deps, provider, event, `webhook ${id}`);
    await tx.query('UPDATE payment_webhooks SET effect = $2 WHERE webhook_id = $1', [id, effect]);
    await deps.reach('webhook-before-commit');
    return outcomeOf(deps, provider, effect, nonce);
  });
}

function nonceOf(event: PspEvent): string | undefined {
  switch (event.kind) {
    case 'payment':
      return event.payment.nonce;
    case 'refund':
      return event.refund.nonce.slice(0, 64);
    case 'dispute':
      return event.dispute.nonce.slice(0, 64);
    case 'card page':
      return undefined;
    case 'nothing':
      return event.nonce;
  }
}

async function apply(
  tx: SqlSession,
  { nowMs }: WebhookDeps,
  provider: string,
  event: PspEvent,
  source: string,
): Promise<string> {
  switch (event.kind) {
    case 'refund':
      return settleRefund(tx, event.refund, nowMs(), source, provider);
    case 'dispute':
      return applyDispute(tx, event.dispute, provider, { nowMs: nowMs(), source });
    case 'card page':
      return (await lookAtPage(tx, event.nonce, new Date(nowMs()))) ? 'applied' : 'stale';
    case 'nothing':
      return event.effect;
    case 'payment':
      throw new Error('Payments are recorded in batches.');
  }
}
