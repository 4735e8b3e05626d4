import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { type PaymentOrderChanged, paymentStatusNumber } from '#schemas/messages.js';
import { parseCurrency } from '../money/currency.js';
import { formatMoney } from '../money/money.js';
import { eventTypeOf } from './event-types.js';
import { merchantWebhookLimits } from './limits.js';

/**
 * Stores what merchants with endpoints are told of these changes, and the deliveries that follow, in one
 * transaction. A change that was stored before has no further effect. Resolves with the number of deliveries.
 */
export async function recordEvents(
  sql: Sql,
  changes: readonly PaymentOrderChanged[],
  now: Date,
): Promise<number> {
  const told = changes.filter((change) => eventTypeOf(change) !== undefined);
  const sellers = [...new Set(told.map(({ sellerAccount }) => sellerAccount))];
  if (sellers.length === 0) return 0;
  const { rows } = await sql.query<{ readonly seller_account: string; readonly merchant_id: string }>(
    `SELECT seller_account, merchant_id FROM merchant_account a
     WHERE seller_account = ANY ($1::text[]) AND removed_at IS NULL
       AND EXISTS (SELECT FROM merchant_endpoint e WHERE e.merchant_id = a.merchant_id)`,
    [sellers],
  );
  // Nearly all sellers have no endpoint.
  if (rows.length === 0) return 0;
  const merchants = new Map(rows.map((row) => [row.seller_account, row.merchant_id]));
  const concerned = told.filter(({ sellerAccount }) => merchants.has(sellerAccount));
  return sql.transaction((tx) => store(tx, concerned, merchants, now));
}

async function store(
  tx: SqlTransaction,
  changes: readonly PaymentOrderChanged[],
  merchants: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  const deadlines = await deadlinesOf(tx, changes);
  const merchantIds = changes.map(({ sellerAccount }) => merchants.get(sellerAccount)!);
  // Deliveries that end meanwhile wait for these rows, so each sees the other's rows of one payment.
  await lockEndpoints(tx, merchantIds);
  const { rows: events } = await tx.query<{ readonly event_no: bigint }>(
    `INSERT INTO merchant_event (event_id, merchant_id, payment_order_id, type, body, occurred_at, created_at)
     SELECT u.id, u.merchant, u.payment, u.type, u.body, u.at, $7
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       WITH ORDINALITY u(id, merchant, payment, type, body, at, n)
     ORDER BY n ON CONFLICT (event_id) DO NOTHING RETURNING event_no`,
    [
      changes.map(({ eventId }) => eventId),
      merchantIds,
      changes.map(({ paymentOrderId }) => paymentOrderId),
      changes.map((change) => eventTypeOf(change)!),
      changes.map((change) => bodyOf(change, deadlines)),
      changes.map(({ occurredMs }) => new Date(occurredMs)),
      now,
    ],
  );
  if (events.length === 0) return 0;
  const { rows } = await tx.query<{ readonly endpoint_id: string; readonly payment_order_id: string }>(
    `INSERT INTO merchant_delivery (endpoint_id, event_no, payment_order_id, state, next_attempt_at)
     SELECT e.endpoint_id, v.event_no, v.payment_order_id, 'waiting', 'infinity'
     FROM merchant_event v JOIN merchant_endpoint e USING (merchant_id)
     WHERE v.event_no = ANY ($1::bigint[]) AND e.state = 'active' AND v.type = ANY (e.event_types)
       AND e.waiting < $2
     RETURNING endpoint_id, payment_order_id`,
    [events.map(({ event_no }) => event_no), merchantWebhookLimits.waitingMax],
  );
  await addWaiting(tx, rows, now);
  return rows.length;
}

export async function lockEndpoints(tx: SqlTransaction, merchantIds: readonly string[]): Promise<void> {
  await tx.query(
    `SELECT 1 FROM merchant_endpoint WHERE merchant_id = ANY ($1::text[]) ORDER BY endpoint_id FOR UPDATE`,
    [[...new Set(merchantIds)]],
  );
}

/** New deliveries are counted, and those that no earlier one of their payment precedes become due. */
export async function addWaiting(
  tx: SqlTransaction,
  added: ReadonlyArray<{ readonly endpoint_id: string; readonly payment_order_id: string }>,
  now: Date,
): Promise<void> {
  if (added.length === 0) return;
  const endpoints = added.map((row) => row.endpoint_id);
  await tx.query(
    `UPDATE merchant_endpoint e SET waiting = waiting + u.n
     FROM (SELECT id, count(*) AS n FROM unnest($1::text[]) id GROUP BY id) u WHERE e.endpoint_id = u.id`,
    [endpoints],
  );
  await makeDue(
    tx,
    endpoints,
    added.map((row) => row.payment_order_id),
    now,
  );
}

/** Of each payment at each endpoint, the earliest event that waits is due, if it was held back. */
export async function makeDue(
  tx: SqlTransaction,
  endpointIds: readonly string[],
  paymentIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE merchant_delivery d SET next_attempt_at = $3
     FROM (SELECT DISTINCT endpoint, payment FROM unnest($1::text[], $2::text[]) x(endpoint, payment)) u
     CROSS JOIN LATERAL (SELECT w.event_no FROM merchant_delivery w
       WHERE w.endpoint_id = u.endpoint AND w.payment_order_id = u.payment AND w.state = 'waiting'
       ORDER BY w.event_no LIMIT 1) first
     WHERE d.endpoint_id = u.endpoint AND d.event_no = first.event_no AND d.next_attempt_at = 'infinity'`,
    [endpointIds, paymentIds, now],
  );
}

const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(paymentStatusNumber).map(([name, number]) => [number, name]),
);

/** By dispute. Only events of disputes ask for them, and disputes are few. */
async function deadlinesOf(
  tx: SqlTransaction,
  changes: readonly PaymentOrderChanged[],
): Promise<ReadonlyMap<string, Date | null>> {
  const ids = changes
    .filter((change) => eventTypeOf(change)?.startsWith('dispute.') === true)
    .map(({ subjectId }) => subjectId);
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<{ readonly dispute_id: string; readonly evidence_due_at: Date | null }>(
    'SELECT dispute_id, evidence_due_at FROM payment_disputes WHERE dispute_id = ANY ($1::text[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.dispute_id, row.evidence_due_at]));
}

/** Without anything of buyer or card; whoever needs more reads the payment. */
function bodyOf(change: PaymentOrderChanged, deadlines: ReadonlyMap<string, Date | null>): string {
  const type = eventTypeOf(change)!;
  const currency = parseCurrency(change.currency)!;
  const [noun] = type.split('.');
  return JSON.stringify({
    id: change.eventId,
    type,
    timestamp: new Date(change.occurredMs).toISOString(),
    data: {
      payment_order_id: change.paymentOrderId,
      checkout_id: change.checkoutId,
      seller_account: change.sellerAccount,
      amount: formatMoney({ minor: BigInt(change.amountMinor), currency }),
      currency,
      payment_order_status: statusNames.get(change.status) ?? '',
      sequence: change.sequence,
      reason: change.reason,
      ...(change.subjectId === '' ? {} : { [`${noun}_id`]: change.subjectId }),
      ...(noun === 'dispute'
        ? { evidence_due_at: deadlines.get(change.subjectId)?.toISOString() ?? null }
        : {}),
    },
  });
}
