import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { type CardOfPayment, cardOfOrder } from '../cards/card-of-payment.js';
import type { FeeTerms } from '../fees/application-fee.js';
import { type Currency, parseCurrency } from '../money/currency.js';

export const orderStatuses = ['NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * What an open order waits for. `capture`: it is authorized, and the seller has not captured it. `unknown`:
 * the provider must be queried for the outcome of our call.
 */
export type Pending = 'review' | 'buyer' | 'challenge' | 'processing' | 'capture' | 'unknown';

/** One payment order as it is stored; times are Unix milliseconds. */
export interface Order {
  readonly id: string;
  readonly checkoutId: string;
  readonly caller: string;
  readonly buyerAccount: string;
  readonly sellerAccount: string;
  /** As the caller wrote it. */
  readonly amount: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly status: OrderStatus;
  /** SUCCESS always is; FAILED is, unless it will be tried again. */
  readonly isFinal: boolean;
  readonly pending: Pending | undefined;
  readonly version: number;
  readonly attempts: number;
  readonly nextAttemptMs: number | undefined;
  readonly failureCode: string | undefined;
  /** The provider that may have the order; undefined while certainly none has it. */
  readonly provider: string | undefined;
  /** Of the card or buyer if known, else of the seller; ISO 3166. */
  readonly country: string | undefined;
  readonly pspToken: string | undefined;
  readonly pspPageUrl: string | undefined;
  readonly pspReference: string | undefined;
  readonly pspSequence: number;
  readonly capturedMinor: bigint;
  readonly refundingMinor: bigint;
  readonly refundedMinor: bigint;
  readonly ledgerUpdated: boolean;
  readonly walletUpdated: boolean;
  readonly notifyBuyer: boolean;
  readonly alertedMs: number | undefined;
  readonly expiresMs: number;
  readonly createdMs: number;
  readonly changedMs: number;
  readonly card: CardOfPayment;
  /** Authorized first; the seller captures it later. */
  readonly manualCapture: boolean;
  /** What the seller wants of the authorized amount; 0 before that. */
  readonly captureMinor: bigint;
  readonly voidRequested: boolean;
  /** Its caller wants no payment any more. */
  readonly cancelRequested: boolean;
  /** The page whose card pays it; see `card-pages/`. */
  readonly pageId: string | undefined;
  /** The declined order in whose place it is. */
  readonly retryOf: string | undefined;
  /** Of its seller when it was submitted. */
  readonly fee: FeeTerms | undefined;
}

const columns = `o.*, e.caller, e.credit_card_info`;

export async function readOrder(
  session: SqlSession,
  id: string,
  lock: 'for update' | 'unlocked' = 'unlocked',
): Promise<Order | undefined> {
  const { rows } = await session.query(
    `SELECT ${columns} FROM payment_orders o JOIN payment_events e USING (checkout_id)
     WHERE o.payment_order_id = $1 ${lock === 'for update' ? 'FOR UPDATE OF o' : ''}`,
    [id],
  );
  return rows[0] === undefined ? undefined : orderOf(rows[0]);
}

/** The orders that exist, by id. Always locked in the same order, so that two callers do not deadlock. */
export async function readOrdersById(
  session: SqlSession,
  ids: readonly string[],
  lock: 'for update' | 'unlocked' = 'unlocked',
): Promise<ReadonlyMap<string, Order>> {
  const { rows } = await session.query(
    `SELECT ${columns} FROM payment_orders o JOIN payment_events e USING (checkout_id)
     WHERE o.payment_order_id = ANY ($1::text[]) ${lock === 'for update' ? 'ORDER BY o.payment_order_id FOR UPDATE OF o' : ''}`,
    [ids],
  );
  return new Map(rows.map((row) => [row['payment_order_id'] as string, orderOf(row)]));
}

/** Payment events with their orders, each with whether it has refunds or disputes. */
export async function readEvents(
  session: SqlSession,
  checkoutIds: readonly string[],
): Promise<
  ReadonlyMap<
    string,
    { readonly isDone: boolean; readonly orders: ReadonlyArray<Order & { readonly isTouched: boolean }> }
  >
> {
  const { rows } = await session.query(
    `SELECT ${columns}, e.is_payment_done, EXISTS (SELECT FROM payment_refunds r WHERE r.payment_order_id = o.payment_order_id)
       OR EXISTS (SELECT FROM payment_disputes d WHERE d.payment_order_id = o.payment_order_id) AS is_touched
     FROM payment_orders o JOIN payment_events e USING (checkout_id)
     WHERE o.checkout_id = ANY ($1::text[]) ORDER BY o.checkout_id, o.position`,
    [checkoutIds],
  );
  const events = new Map<string, { isDone: boolean; orders: Array<Order & { isTouched: boolean }> }>();
  for (const row of rows) {
    const order = { ...orderOf(row), isTouched: row['is_touched'] as boolean };
    const event = events.get(order.checkoutId);
    if (event === undefined)
      events.set(order.checkoutId, { isDone: row['is_payment_done'] as boolean, orders: [order] });
    else event.orders.push(order);
  }
  return events;
}

/** Those of the orders that have not been sent to the provider yet. */
export async function notBegun(session: SqlSession, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query<{ readonly id: string }>(
    `SELECT payment_order_id AS id FROM payment_orders
     WHERE payment_order_id = ANY ($1::text[]) AND payment_order_status = 'NOT_STARTED'`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

export async function orderIdOfToken(session: SqlSession, token: string): Promise<string | undefined> {
  const { rows } = await session.query<{ readonly payment_order_id: string }>(
    'SELECT payment_order_id FROM payment_orders WHERE psp_token = $1',
    [token],
  );
  return rows[0]?.payment_order_id;
}

/** The order in the place of a declined one. */
export async function followerOf(session: SqlSession, id: string): Promise<string | undefined> {
  const { rows } = await session.query<{ readonly id: string }>(
    'SELECT payment_order_id AS id FROM payment_orders WHERE retry_of = $1',
    [id],
  );
  return rows[0]?.id;
}

function orderOf(row: SqlRow): Order {
  return {
    id: row['payment_order_id'] as string,
    checkoutId: row['checkout_id'] as string,
    caller: row['caller'] as string,
    buyerAccount: row['buyer_account'] as string,
    sellerAccount: row['seller_account'] as string,
    amount: row['amount'] as string,
    amountMinor: row['amount_minor'] as bigint,
    currency: currencyOf(row['currency']),
    status: row['payment_order_status'] as OrderStatus,
    isFinal: row['is_final'] as boolean,
    pending: (row['pending'] as Pending | null) ?? undefined,
    version: Number(row['version']),
    attempts: row['attempts'] as number,
    nextAttemptMs: msOf(row['next_attempt_at']),
    failureCode: (row['failure_code'] as string | null) ?? undefined,
    provider: (row['provider'] as string | null) ?? undefined,
    country: (row['country'] as string | null) ?? undefined,
    pspToken: (row['psp_token'] as string | null) ?? undefined,
    pspPageUrl: (row['psp_page_url'] as string | null) ?? undefined,
    pspReference: (row['psp_reference'] as string | null) ?? undefined,
    pspSequence: Number(row['psp_sequence']),
    capturedMinor: row['captured_minor'] as bigint,
    refundingMinor: row['refunding_minor'] as bigint,
    refundedMinor: row['refunded_minor'] as bigint,
    ledgerUpdated: row['ledger_updated'] as boolean,
    walletUpdated: row['wallet_updated'] as boolean,
    notifyBuyer: row['notify_buyer'] as boolean,
    alertedMs: msOf(row['alerted_at']),
    expiresMs: msOf(row['expires_at'])!,
    createdMs: msOf(row['created_at'])!,
    changedMs: msOf(row['changed_at'])!,
    card: cardOfOrder(row['credit_card_info'], row['page_card'], row['retry_of'] !== null),
    manualCapture: row['manual_capture'] as boolean,
    captureMinor: row['capture_minor'] as bigint,
    voidRequested: row['void_requested'] as boolean,
    cancelRequested: row['cancel_requested'] as boolean,
    pageId: (row['page_id'] as string | null) ?? undefined,
    retryOf: (row['retry_of'] as string | null) ?? undefined,
    fee: feeTermsOf(row),
  };
}

/** Of a row with the columns of an order's fee. */
export function feeTermsOf(row: SqlRow): FeeTerms | undefined {
  const basisPoints = row['fee_basis_points'] as number | null;
  return basisPoints === null ? undefined : { basisPoints, fixedMinor: row['fee_fixed_minor'] as bigint };
}

function currencyOf(value: unknown): Currency {
  const currency = parseCurrency(value);
  if (currency === undefined) throw new Error(`The database holds the unknown currency ${String(value)}.`);
  return currency;
}

export function msOf(value: unknown): number | undefined {
  return value instanceof Date ? value.getTime() : undefined;
}
