import type { SqlSession, SqlValue } from '#platform/sql/sql.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { OrderStatus, Pending } from '../orders/order.js';
import { merchantLimits } from './limits.js';
import type { PaymentCursor } from './payment-cursor.js';

/** A payment order as its seller sees it: nothing of the card, nothing of the buyer but the account. */
export interface MerchantPayment {
  readonly paymentOrderId: string;
  readonly checkoutId: string;
  readonly sellerAccount: string;
  readonly buyerAccount: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly status: OrderStatus;
  readonly pending: Pending | undefined;
  readonly failureCode: string | undefined;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
  /** What we keep: the application fee less what refunds gave back. */
  readonly feeMinor: bigint;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface PaymentFilter {
  /** Absent: payments of all sellers, for finance. */
  readonly seller?: string;
  readonly status?: OrderStatus;
  readonly currency?: Currency;
  /** Both count. */
  readonly amountFromMinor?: bigint;
  readonly amountToMinor?: bigint;
  readonly buyerAccount?: string;
  /** Half-open. */
  readonly from?: Date;
  readonly to?: Date;
  readonly after?: PaymentCursor;
  readonly limit: number;
}

export interface PaymentPage {
  readonly payments: readonly MerchantPayment[];
  readonly next: PaymentCursor | undefined;
}

const columns = `o.payment_order_id, o.checkout_id, o.seller_account, o.buyer_account, o.amount_minor, o.currency,
  o.payment_order_status, o.pending, o.failure_code, o.captured_minor, o.refunded_minor, o.created_at, o.changed_at,
  (extract(epoch FROM o.created_at) * 1000000)::bigint AS created_us,
  (SELECT coalesce(sum(d.amount_minor), 0)::bigint FROM payment_disputes d
   WHERE d.payment_order_id = o.payment_order_id AND d.dispute_status <> 'WON') AS disputed_minor,
  CASE WHEN o.fee_basis_points IS NULL THEN 0 ELSE
    application_fee(o.payment_order_status, o.captured_minor, o.fee_basis_points, o.fee_fixed_minor)
    - (SELECT coalesce(sum(r.fee_minor), 0)::bigint FROM payment_refunds r
       WHERE r.payment_order_id = o.payment_order_id) END AS fee_minor`;

/**
 * Payments of one seller account or of all, newest first. Time and place are found by an index, and so is the
 * buyer of one seller. Everything else is checked row by row, for at most `examinedMax` rows a page.
 */
export async function listPayments(session: SqlSession, filter: PaymentFilter): Promise<PaymentPage> {
  const { limit, status, currency, amountFromMinor, amountToMinor, seller } = filter;
  const buyer = seller === undefined ? filter.buyerAccount : undefined;
  const checked = [status, currency, amountFromMinor, amountToMinor, buyer].some(
    (value) => value !== undefined,
  );
  const examined = checked ? merchantLimits.examinedMax + limit : limit + 1;
  const { text, values } = candidates(filter);
  const add = (value: SqlValue): string => `$${values.push(value)}`;
  const conditions = [
    ...(status === undefined ? [] : [`o.payment_order_status = ${add(status)}`]),
    ...(currency === undefined ? [] : [`c.currency = ${add(currency)}`]),
    ...(amountFromMinor === undefined ? [] : [`c.amount_minor >= ${add(amountFromMinor)}`]),
    ...(amountToMinor === undefined ? [] : [`c.amount_minor <= ${add(amountToMinor)}`]),
    ...(buyer === undefined ? [] : [`c.buyer_account = ${add(buyer)}`]),
  ];
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM (${text} LIMIT ${add(examined)}) c
     CROSS JOIN LATERAL (SELECT * FROM payment_orders p WHERE p.payment_order_id = c.payment_order_id OFFSET 0) o
     ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
     ORDER BY o.created_at DESC, o.payment_order_id DESC LIMIT ${add(limit + 1)}`,
    values,
  );
  const payments = rows.slice(0, limit).map(paymentOf);
  if (rows.length > limit) return { payments, next: cursorOf(rows[limit - 1]!) };
  return { payments, next: checked ? await endOf(session, filter, examined) : undefined };
}

/** Where the next page continues after so many candidates, if there are more. */
async function endOf(
  session: SqlSession,
  filter: PaymentFilter,
  examined: number,
): Promise<PaymentCursor | undefined> {
  const { text, values } = candidates(filter);
  const { rows } = await session.query<Pick<Row, 'payment_order_id' | 'created_us'>>(
    `SELECT c.payment_order_id, (extract(epoch FROM c.created_at) * 1000000)::bigint AS created_us
     FROM (${text} OFFSET ${examined - 1} LIMIT 2) c`,
    values,
  );
  return rows.length < 2 ? undefined : cursorOf(rows[0]!);
}

/** What the index finds, in its order. */
function candidates(filter: PaymentFilter): { readonly text: string; readonly values: SqlValue[] } {
  const { seller, buyerAccount, from, to, after } = filter;
  const values: SqlValue[] = [];
  const add = (value: SqlValue): string => `$${values.push(value)}`;
  // The index over all sellers is on this expression.
  const by = (time: string): string => (seller === undefined ? `timezone('UTC', ${time})` : time);
  const at = by('m.created_at');
  const conditions = [
    ...(seller === undefined ? [] : [`m.seller_account = ${add(seller)}`]),
    ...(seller === undefined || buyerAccount === undefined ? [] : [`m.buyer_account = ${add(buyerAccount)}`]),
    ...(from === undefined ? [] : [`${at} >= ${by(`${add(from)}::timestamptz`)}`]),
    ...(to === undefined ? [] : [`${at} < ${by(`${add(to)}::timestamptz`)}`]),
    ...(after === undefined
      ? []
      : [`(${at}, m.payment_order_id) < (${by(placeOf(after))}, ${add(after.id)})`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    text: `SELECT m.* FROM merchant_payment m ${where} ORDER BY ${at} DESC, m.payment_order_id DESC`,
    values,
  };

  function placeOf({ createdUs }: PaymentCursor): string {
    return `timestamptz 'epoch' + ${add(createdUs)}::bigint * interval '1 microsecond'`;
  }
}

/** By its id, or all of one checkout; those of other sellers do not exist. */
export async function findPayments(
  session: SqlSession,
  sellers: readonly string[],
  by: { readonly paymentOrderId: string } | { readonly checkoutId: string },
): Promise<readonly MerchantPayment[]> {
  const [column, id] =
    'checkoutId' in by ? ['checkout_id', by.checkoutId] : ['payment_order_id', by.paymentOrderId];
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM payment_orders o WHERE o.${column} = $1 AND o.seller_account = ANY ($2::text[])
     ORDER BY o.position`,
    [id, sellers],
  );
  return rows.map(paymentOf);
}

/**
 * Finance pastes any id that it has: of the payment order, the checkout, a refund, a dispute, or the
 * provider's token, reference or webhook. Each is found by an index. `behind` are payment orders that it
 * leads to in another way.
 */
export async function findPaymentsById(
  session: SqlSession,
  id: string,
  { behind, limit }: { readonly behind: readonly string[]; readonly limit: number },
): Promise<readonly MerchantPayment[]> {
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM payment_orders o WHERE o.payment_order_id = $1 OR o.checkout_id = $1
       OR o.psp_token = $1 OR o.psp_reference = $1
       OR o.payment_order_id = (SELECT payment_order_id FROM payment_refunds WHERE refund_id = $1)
       OR o.payment_order_id = (SELECT payment_order_id FROM payment_disputes WHERE dispute_id = $1)
       OR o.payment_order_id = (SELECT payment_order_id FROM payment_webhooks WHERE webhook_id = $1)
       OR o.payment_order_id = ANY ($2::text[])
     ORDER BY o.created_at DESC, o.payment_order_id DESC LIMIT ${limit}`,
    [id, behind],
  );
  return rows.map(paymentOf);
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly payment_order_id: string;
  readonly checkout_id: string;
  readonly seller_account: string;
  readonly buyer_account: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly payment_order_status: OrderStatus;
  readonly pending: Pending | null;
  readonly failure_code: string | null;
  readonly captured_minor: bigint;
  readonly refunded_minor: bigint;
  readonly disputed_minor: bigint;
  readonly fee_minor: bigint;
  readonly created_at: Date;
  readonly changed_at: Date;
  readonly created_us: bigint;
}

const cursorOf = (row: Pick<Row, 'payment_order_id' | 'created_us'>): PaymentCursor => ({
  createdUs: row.created_us,
  id: row.payment_order_id,
});

const paymentOf = (row: Row): MerchantPayment => ({
  paymentOrderId: row.payment_order_id,
  checkoutId: row.checkout_id,
  sellerAccount: row.seller_account,
  buyerAccount: row.buyer_account,
  amountMinor: row.amount_minor,
  currency: parseCurrency(row.currency)!,
  status: row.payment_order_status,
  pending: row.pending ?? undefined,
  failureCode: row.failure_code ?? undefined,
  capturedMinor: row.captured_minor,
  refundedMinor: row.refunded_minor,
  disputedMinor: row.disputed_minor,
  feeMinor: row.fee_minor,
  createdAt: row.created_at,
  changedAt: row.changed_at,
});
