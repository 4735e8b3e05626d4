import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { ReachFaultPoint } from '../executor/fault-points.js';
import { applyPayments, changesBy, type Effect, type News } from '../orders/apply-payment.js';
import { readOrdersById } from '../orders/order.js';

/** A signed webhook that tells of a payment. */
export interface PaymentWebhook {
  readonly id: string;
  readonly kind: string;
  readonly news: News;
}

/**
 * Records webhooks and applies what is new in them, each once: ids and effects are one transaction. The provider's answer has mostly been
 * quicker, and then nothing is locked. Answers in their order; undefined for a webhook that was recorded before.
 */
export async function recordWebhooks(
  sql: Sql,
  webhooks: readonly PaymentWebhook[],
  reach: ReachFaultPoint,
): Promise<ReadonlyArray<Effect | undefined>> {
  const orders = await readOrdersById(
    sql,
    webhooks.map(({ news }) => news.payment.nonce),
  );
  // Old news stays old, so this much may be said without a lock.
  const foreseen = ({ news: { payment, context } }: PaymentWebhook): Effect => {
    const order = orders.get(payment.nonce);
    if (order === undefined) return 'unknown order';
    return changesBy(order, payment, context).length === 0 ? 'stale' : 'applied';
  };
  const first = new Map<string, PaymentWebhook>();
  for (const webhook of webhooks) if (!first.has(webhook.id)) first.set(webhook.id, webhook);
  return sql.transaction(async (tx) => {
    const effects = new Map([...first].map(([id, webhook]) => [id, foreseen(webhook)]));
    const inserted = await insert(tx, [...first.values()], effects);
    const fresh = [...first.values()].filter(({ id }) => inserted.has(id) && effects.get(id) === 'applied');
    if (fresh.length > 0) {
      const applied = await applyPayments(
        tx,
        fresh.map(({ news }) => news),
      );
      for (const [index, { id }] of fresh.entries())
        if (applied[index] !== 'applied') {
          effects.set(id, applied[index]!);
          await tx.query('UPDATE payment_webhooks SET effect = $2 WHERE webhook_id = $1', [
            id,
            applied[index]!,
          ]);
        }
    }
    await reach('webhook-before-commit');
    return webhooks.map((webhook) =>
      inserted.has(webhook.id) && first.get(webhook.id) === webhook ? effects.get(webhook.id) : undefined,
    );
  });
}

async function insert(
  tx: SqlSession,
  webhooks: readonly PaymentWebhook[],
  effects: ReadonlyMap<string, Effect>,
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ readonly id: string }>(
    `INSERT INTO payment_webhooks (webhook_id, kind, payment_order_id, effect, received_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING webhook_id AS id`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ kind }) => kind),
      webhooks.map(({ news }) => news.payment.nonce.slice(0, 64)),
      webhooks.map(({ id }) => effects.get(id)!),
      webhooks.map(({ news }) => new Date(news.context.nowMs)),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
