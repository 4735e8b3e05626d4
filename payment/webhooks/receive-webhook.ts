import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { settleRefund } from '../executor/execute-refund.js';
import { askAgainMs, type ExecutorDeps } from '../executor/executor-deps.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import type { ApplyContext, Effect } from '../orders/apply-payment.js';
import { applyDispute, CameTooEarly } from '../orders/dispute.js';
import { paymentOf, refundOf } from '../psp/read-answer.js';
import { type PaymentWebhook, recordWebhooks } from './record-webhooks.js';
import { type SignedWebhook, verifyWebhook } from './verify-webhook.js';

export interface WebhookDeps extends ExecutorDeps {
  /** One, or two while they rotate. */
  readonly secrets: readonly string[];
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
  /** Nothing was recorded: the provider has to send it again. */
  | { readonly outcome: 'too early'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Signed, but not in a shape that we know. */
  | { readonly outcome: 'malformed'; readonly reason: string };

type Fields = Readonly<Record<string, unknown>>;

/** Verifies, then applies a webhook once: its id and its effect are one transaction. */
export async function receiveWebhook(deps: WebhookDeps, signed: SignedWebhook): Promise<WebhookOutcome> {
  const verified = verifyWebhook(signed, deps.secrets, deps.nowMs(), deps.settings.webhookToleranceMs);
  if (!verified.ok) return { outcome: 'refused', reason: verified.reason };
  const message = parse(signed.body);
  if (message === undefined)
    return { outcome: 'malformed', reason: 'The body is not a webhook of this API.' };
  const payment = message.type.startsWith('payment.') ? paymentOf(message.data, nonceOf(message)) : undefined;
  if (payment !== undefined) await deps.answered?.(payment.nonce);
  const result =
    payment === undefined
      ? await receiveAlone(deps, verified.id, message).catch(whenTooEarly)
      : outcomeOf(
          await deps.received.call({
            id: verified.id,
            kind: message.type,
            update: { payment, context: contextOf(deps, `webhook ${verified.id}`) },
          }),
        );
  await deps.reach('webhook-after-commit');
  return result;
}

const outcomeOf = (effect: string | undefined): WebhookOutcome =>
  effect === undefined ? { outcome: 'repeated' } : { outcome: 'recorded', effect };

function whenTooEarly(error: unknown): WebhookOutcome {
  if (error instanceof CameTooEarly) return { outcome: 'too early', reason: error.message };
  throw error;
}

const nonceOf = ({ data }: Message): string => String(data['nonce'] ?? '');

const contextOf = (deps: WebhookDeps, source: string): ApplyContext => ({
  nowMs: deps.nowMs(),
  source,
  askAgainMs: (order) => askAgainMs(deps, order),
});

/** Refunds and disputes, which are few, and unreadable webhooks. */
async function receiveAlone(deps: WebhookDeps, id: string, message: Message): Promise<WebhookOutcome> {
  return deps.sql.transaction(async (tx): Promise<WebhookOutcome> => {
    const { rowCount } = await tx.query(
      `INSERT INTO payment_webhooks (webhook_id, kind, payment_order_id, effect, received_at) VALUES ($1, $2, $3, '', $4)
       ON CONFLICT DO NOTHING`,
      [id, message.type, message.nonce ?? null, new Date(deps.nowMs())],
    );
    if (rowCount === 0) return { outcome: 'repeated' };
    const effect = await apply(tx, deps, message, `webhook ${id}`);
    await tx.query('UPDATE payment_webhooks SET effect = $2 WHERE webhook_id = $1', [id, effect]);
    await deps.reach('webhook-before-commit');
    return { outcome: 'recorded', effect };
  });
}

interface Message {
  readonly type: string;
  readonly data: Fields;
  readonly nonce: string | undefined;
}

function parse(body: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, data } = value as Fields;
  if (typeof type !== 'string' || !/^[a-z]{1,20}\.[a-z_]{1,20}$/.test(type)) return undefined;
  if (typeof data !== 'object' || data === null) return undefined;
  const nonce = (data as Fields)['payment_nonce'] ?? (data as Fields)['nonce'];
  return { type, data: data as Fields, nonce: typeof nonce === 'string' ? nonce.slice(0, 64) : undefined };
}

async function apply(tx: SqlSession, deps: WebhookDeps, message: Message, source: string): Promise<string> {
  const nowMs = deps.nowMs();
  const { type, data } = message;
  switch (type.slice(0, type.indexOf('.'))) {
    case 'refund': {
      const refund = refundOf(data, nonceOf(message));
      return refund === undefined ? 'unreadable' : settleRefund(tx, refund, nowMs, source);
    }
    case 'dispute':
      return applyDispute(tx, type.slice('dispute.'.length), data, { nowMs, source });
    case 'payment':
      return 'unreadable';
    default:
      return 'of no interest';
  }
}
