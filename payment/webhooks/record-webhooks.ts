import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import { applyPayments, type Effect, type PaymentUpdate } from '../orders/apply-payment.js';

/** A signed webhook about a payment. */
export interface PaymentWebhook {
  readonly id: string;
  readonly kind: string;
  readonly update: PaymentUpdate;
}

/**
 * Records webhooks and applies what is new in them, each once. The provider's answer has usually been faster,
 * so most webhooks are stale: those are recorded by one statement and without a lock. Answers in their order;
 * undefined for a webhook that was recorded before.
 */
export async function recordWebhooks(
  sql: Sql,
  webhooks: readonly PaymentWebhook[],
  reach: ReachFaultPoint,
): Promise<ReadonlyArray<Effect | undefined>> {
  const first = new Map<string, PaymentWebhook>();
  for (const webhook of webhooks) if (!first.has(webhook.id)) first.set(webhook.id, webhook);
  await reach('webhook-before-commit');
  const stale = await recordStaleWebhooks(sql, [...first.values()]);
  const effects = new Map<string, Effect>([...stale].map((id) => [id, 'stale']));
  const others = [...first.values()].filter(({ id }) => !stale.has(id));
  if (others.length > 0)
    for (const [id, effect] of await applyWebhooks(sql, others, reach)) effects.set(id, effect);
  return webhooks.map((webhook) => (first.get(webhook.id) === webhook ? effects.get(webhook.id) : undefined));
}

/**
 * Records the webhooks that are stale and were not recorded before; the ids make the planner use the key,
 * whatever the size of the table.
 */
async function recordStaleWebhooks(
  sql: Sql,
  webhooks: readonly PaymentWebhook[],
): Promise<ReadonlySet<string>> {
  const nonces = webhooks.map(({ update }) => update.payment.nonce.slice(0, 64));
  const { rows } = await sql.query<{ readonly id: string }>(
    `INSERT INTO payment_webhooks (webhook_id, kind, payment_order_id, effect, received_at)
     SELECT u.id, u.kind, u.nonce, 'stale', u.at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
       u(id, kind, nonce, sequence, at, provider)
     JOIN payment_orders o ON o.payment_order_id = u.nonce
     WHERE o.payment_order_id = ANY ($3::text[]) AND o.psp_sequence >= u.sequence
       AND o.provider = coalesce(u.provider, o.provider)
     ORDER BY u.id ON CONFLICT DO NOTHING RETURNING webhook_id AS id`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ kind }) => kind),
      nonces,
      webhooks.map(({ update }) => update.payment.sequence),
      webhooks.map(({ update }) => new Date(update.context.nowMs)),
      webhooks.map(({ update }) => update.provider ?? null),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ids and effects are one transaction. Effects by id of those that were not recorded before. */
async function applyWebhooks(
  sql: Sql,
  webhooks: readonly PaymentWebhook[],
  reach: ReachFaultPoint,
): Promise<ReadonlyMap<string, Effect>> {
  return sql.transaction(async (tx) => {
    const inserted = await insert(tx, webhooks);
    const fresh = webhooks.filter(({ id }) => inserted.has(id));
    const applied = await applyPayments(
      tx,
      fresh.map(({ update }) => update),
    );
    const effects = new Map(fresh.map(({ id }, index) => [id, applied[index]!]));
    const others = fresh.filter(({ id }) => effects.get(id) !== 'applied');
    if (others.length > 0)
      await tx.query(
        `UPDATE payment_webhooks w SET effect = u.effect FROM unnest($1::text[], $2::text[]) u(id, effect)
         WHERE w.webhook_id = u.id`,
        [others.map(({ id }) => id), others.map(({ id }) => effects.get(id)!)],
      );
    await reach('webhook-before-commit');
    return effects;
  });
}

async function insert(tx: SqlSession, webhooks: readonly PaymentWebhook[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ readonly id: string }>(
    `INSERT INTO payment_webhooks (webhook_id, kind, payment_order_id, effect, received_at)
     SELECT id, kind, nonce, 'applied', at FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) u(id, kind, nonce, at)
     ORDER BY id
     ON CONFLICT DO NOTHING RETURNING webhook_id AS id`,
    [
      webhooks.map(({ id }) => id),
      webhooks.map(({ kind }) => kind),
      webhooks.map(({ update }) => update.payment.nonce.slice(0, 64)),
      webhooks.map(({ update }) => new Date(update.context.nowMs)),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
