import { recount } from '#hotel/inventory/recount.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import type { RecordLine, SimulatedDispute, SimulatedPayment } from '#payment-simulator/record.js';
import type { Sql, SqlRow } from '#platform/sql/sql.js';
import { bookingLimits } from '#processors/booking/limits.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { settleDay } from './settle-day.js';

export interface Witnesses {
  /** What the provider did. */
  readonly record: readonly RecordLine[];
  /** Orders that were acknowledged. */
  readonly accepted: ReadonlySet<string>;
  /** Event ids in the log of payment orders. */
  readonly published: readonly string[];
  readonly forgedTaken: number;
  /** Violations found during the run. */
  readonly brokenAtSomeInstant: readonly string[];
  readonly nowMs: number;
}

/**
 * Compares rooms, reservations, payments, ledger, wallets, log and the provider's record. Returns a sentence
 * for each violation.
 */
export async function checkCity(sql: Sql, witnesses: Witnesses): Promise<readonly string[]> {
  const broken: string[] = [...witnesses.brokenAtSomeInstant];
  const expect = (what: string, wrong: number | bigint | readonly unknown[]): void => {
    const count = typeof wrong === 'object' ? wrong.length : Number(wrong);
    if (count !== 0)
      broken.push(`${what}: ${count}${typeof wrong === 'object' ? ` (${shown(wrong[0])})` : ''}`);
  };
  const all = async <Row extends SqlRow>(text: string): Promise<readonly Row[]> =>
    (await sql.query<Row>(text)).rows;
  const one = async (text: string): Promise<number> =>
    Number((await all<{ n: bigint | string | null }>(text))[0]!.n ?? 0);

  const { payments, charges, refundedMinor, capturedMinor, disputedMinor } = readRecord(witnesses.record);
  const orders = await all<{
    id: string;
    status: string;
    code: string | null;
    amount: bigint;
    captured: bigint;
    refunded: bigint;
    final: boolean;
  }>(`SELECT payment_order_id AS id, payment_order_status AS status, failure_code AS code, amount_minor AS amount,
        captured_minor AS captured, refunded_minor AS refunded, is_final AS final FROM payment_orders`);
  const known = new Map(orders.map((order) => [order.id, order]));

  expect(
    'charged more than once',
    [...charges].filter(([, count]) => count > 1),
  );
  expect(
    'charged without an order',
    [...charges.keys()].filter((id) => !known.has(id)),
  );
  expect(
    'I3 accepted but missing',
    [...witnesses.accepted].filter((id) => !known.has(id)),
  );
  expect(
    'I4 an order and the provider differ about the money',
    orders.filter(({ id, captured, refunded }) => {
      const payment = payments.get(id);
      return (
        captured !== BigInt(payment?.capturedMinor ?? 0) || refunded !== BigInt(payment?.refundedMinor ?? 0)
      );
    }),
  );
  expect(
    'I4 cash of the ledger beside the provider',
    (await one(`SELECT sum(balance) AS n FROM ledger_trial_balance WHERE id LIKE 'cash-psp:%'`)) -
      Number(capturedMinor - refundedMinor - disputedMinor),
  );
  expect('I5 faults of the ledger', (await verifyLedger(sql)).faults);
  expect('I5 sum of all postings', await one('SELECT sum(balance) AS n FROM ledger_trial_balance'));
  expect(
    'I6 wallets that are not their postings',
    await all(`SELECT h.id FROM ledger_trial_balance h LEFT JOIN wallet w USING (account_no)
      WHERE h.id LIKE 'seller:%' AND (w.balance, w.sequence) IS DISTINCT FROM (-h.balance, h.sequence)`),
  );
  const proof = await proveBookings(sql);
  expect('I7 reservations and money', proof.unproven);
  const counted = await recount(sql);
  expect('I1 oversold days', counted.oversold);
  expect('I2 days that are not the sum of their reservations', counted.miscounted);
  expect('I8 reservations off their graph', counted.lost);
  const histories = await all<{ id: string; path: string }>(
    `SELECT payment_order_id AS id, string_agg(from_status || '>' || to_status, ' ' ORDER BY version) AS path
     FROM payment_order_history GROUP BY 1`,
  );
  const graph = /^NOT_STARTED>EXECUTING( EXECUTING>FAILED FAILED>EXECUTING)*( EXECUTING>(SUCCESS|FAILED))?$/;
  expect(
    'I8 payments off their graph',
    histories.filter(({ path }) => !graph.test(path)),
  );
  const events = await all<{ id: string }>(
    `SELECT event_id AS id FROM payment_outbox WHERE topic = 'payment.order.lifecycle.v1'`,
  );
  const published = new Set(witnesses.published);
  expect(
    'I9 changes that were not published',
    events.filter(({ id }) => !published.has(id)).map(({ id }) => id),
  );
  expect(
    'I9 published without a change',
    published.size > events.length ? published.size - events.length : 0,
  );
  expect('I9 published out of order', outOfOrder(witnesses.published));
  expect(
    'I11 orders that did not end',
    orders.filter(({ final }) => !final).map(({ id }) => id),
  );
  expect(
    'I11 refunds that did not end',
    await all(`SELECT refund_id FROM payment_refunds WHERE refund_status NOT IN ('SUCCESS', 'FAILED')`),
  );
  expect(
    'I11 events that are not done',
    await all('SELECT checkout_id FROM payment_events WHERE NOT is_payment_done'),
  );
  expect(
    'I11 holds that did not end',
    await all(`SELECT reservation_id FROM reservation WHERE status = 'pending_payment'`),
  );
  expect(
    'I11 supplements that did not end',
    await all(`SELECT supplement_id FROM stay_supplement WHERE status = 'open'
      UNION SELECT reservation_id FROM reservation WHERE supplement_minor > 0`),
  );
  // A hold of a payment that failed ends at once, not when its time is over; groups may lag by a few minutes.
  expect(
    'P-125 rooms held for a payment that had failed',
    await all(`SELECT r.reservation_id FROM reservation r JOIN booking_payment b USING (reservation_id)
      JOIN payment_orders o USING (payment_order_id)
      WHERE r.status = 'expired' AND o.failure_code = 'card_declined' AND o.changed_at < r.hold_expires_at - interval '3 minutes'
        AND NOT EXISTS (SELECT FROM booking_payment n WHERE n.reservation_id = b.reservation_id AND n.attempt > b.attempt)`),
  );
  // Each card that is declined leaves the hold for another one, as long as a checkout takes cards.
  expect(
    'P-125 stays that ended although another card might have paid them',
    await all(`SELECT r.reservation_id FROM reservation r WHERE r.status = 'rejected'
        AND r.updated_at < r.hold_expires_at - interval '3 minutes'
        AND (SELECT count(*) FROM booking_payment b WHERE b.reservation_id = r.reservation_id) < ${bookingLimits.cardsMax}
        AND NOT EXISTS (SELECT FROM booking_payment b JOIN payment_orders o USING (payment_order_id)
          WHERE b.reservation_id = r.reservation_id AND o.failure_code IS DISTINCT FROM 'card_declined')`),
  );
  expect(
    'P-070 money kept for an order that had failed',
    orders
      .filter(({ status, captured, refunded }) => status === 'FAILED' && captured !== refunded)
      .map(({ id }) => id),
  );
  expect(
    'an order failed for what the provider never said',
    orders
      .filter(({ id, status, code, captured }) => {
        if (status !== 'FAILED' || captured > 0n) return false;
        const said = payments.get(id)?.status;
        return !(
          said === 'declined' ||
          said === 'expired' ||
          said === 'voided' ||
          (said === undefined && code === 'expired')
        );
      })
      .map(({ id, code }) => ({ id, code, said: payments.get(id)?.status })),
  );
  expect(
    'the ledger booked what the orders did not',
    await all(`SELECT o.payment_order_id FROM payment_orders o
      LEFT JOIN (SELECT subject, sum(amount) FILTER (WHERE kind = 'capture') AS captured,
        sum(amount) FILTER (WHERE kind = 'refund') AS refunded FROM ledger_transfer WHERE leg = 0 GROUP BY subject) t ON t.subject = o.payment_order_id
      WHERE (coalesce(t.captured, 0), coalesce(t.refunded, 0)) <> (o.captured_minor, o.refunded_minor)`),
  );
  expect('forged webhooks that were taken', witnesses.forgedTaken);
  expect(
    'orders with another life than their key',
    await all(
      `SELECT idempotency_key FROM payment_requests GROUP BY caller, operation, idempotency_key HAVING count(*) > 1`,
    ),
  );
  broken.push(...(await settleDay(sql, witnesses)));
  return broken;
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item));

function readRecord(record: readonly RecordLine[]) {
  const payments = new Map<string, SimulatedPayment>();
  const charges = new Map<string, number>();
  const disputes = new Map<string, SimulatedDispute>();
  let refundedMinor = 0n;
  for (const line of record) {
    if (line.kind === 'refund') refundedMinor += BigInt(line.refund.amountMinor);
    if (line.kind === 'dispute') disputes.set(line.dispute.id, line.dispute);
    if (line.kind !== 'payment') continue;
    const { payment } = line;
    if (payment.status === 'captured' && payments.get(payment.nonce)?.status !== 'captured')
      charges.set(payment.nonce, (charges.get(payment.nonce) ?? 0) + 1);
    payments.set(payment.nonce, payment);
  }
  let capturedMinor = 0n;
  for (const { capturedMinor: captured } of payments.values()) capturedMinor += BigInt(captured);
  let disputedMinor = 0n;
  for (const { status, amountMinor } of disputes.values())
    if (status !== 'won') disputedMinor += BigInt(amountMinor);
  return { payments, charges, refundedMinor, capturedMinor, disputedMinor };
}

/** First appearances of the events of one order come in the order of their versions. */
function outOfOrder(published: readonly string[]): readonly string[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const eventId of published) {
    if (seen.has(eventId)) continue;
    seen.add(eventId);
    const at = eventId.lastIndexOf(':');
    const order = eventId.slice(0, at);
    const version = Number(eventId.slice(at + 1));
    if (version < (last.get(order) ?? 0)) wrong.push(eventId);
    last.set(order, version);
  }
  return wrong;
}
