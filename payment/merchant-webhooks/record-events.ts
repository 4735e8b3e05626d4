import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { lockEndpoints, storeEvents } from '#platform/webhooks/store-events.js';
import { type PaymentOrderChanged, paymentStatusNumber } from '#schemas/messages.js';
import { parseCurrency } from '../money/currency.js';
import { formatMoney } from '../money/money.js';
import { eventTypeOf } from './event-types.js';
import { merchantTables } from './merchant-tables.js';

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
  await lockEndpoints(merchantTables, tx, merchantIds);
  const events = changes.map((change, at) => ({
    id: change.eventId,
    owner: merchantIds[at]!,
    subject: change.paymentOrderId,
    type: eventTypeOf(change)!,
    body: bodyOf(change, deadlines),
    occurredAt: new Date(change.occurredMs),
  }));
  return storeEvents(merchantTables, tx, events, now);
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
