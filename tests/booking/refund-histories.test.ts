import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { SimulatedDispute } from '#payment-simulator/record.js';
import { type Random, seededRandom } from '#platform/random/random.js';
import { type BookingPayment, findPayments, newestPayment } from '#processors/booking/booking-payments.js';
import { hearMoneyFrom } from '#processors/booking/note-money.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { arrival, BookingRoom } from './booking-fixture.js';

/** More histories take longer: `REFUND_HISTORIES=500`, with a longer `--testTimeout`. */
const histories = Number(process.env['REFUND_HISTORIES'] ?? 40);
const atOnce = 8;
const staff = { staff: true } as const;

let room: BookingRoom;
/** The same reservations a moment before arrival, when a cancellation is no longer free. */
let late: PostgresReservations;
beforeAll(async () => {
  room = await BookingRoom.open({ hotels: histories });
  const { sql } = room.deps;
  late = new PostgresReservations({
    sql,
    now: () => new Date(`${arrival}T00:00:00Z`),
    hearMoney: hearMoneyFrom(sql),
  });
}, 240_000);
afterAll(async () => {
  await late?.close();
  await room?.close();
});

const euros = (minor: number): string => (minor / 100).toFixed(2);
const post = async (who: string, path: string, body: object): Promise<Response> =>
  room.orders.post(body, { token: who, path, base: room.orders.internalUrl });

interface History {
  readonly reservationId: string;
  /** Of the stay, and of the differences that were paid; some of them came too late and go back. */
  readonly payments: BookingPayment[];
  readonly disputes: SimulatedDispute[];
  readonly waiting: { readonly refundId: string; readonly paymentOrderId: string }[];
  readonly told: string[];
}
type Step = (history: History, random: Random) => Promise<unknown>;

const amountOf = ({ amountMinor }: BookingPayment, random: Random): number =>
  1 + Math.floor(random.next() * Number(amountMinor));
const review = async ({ waiting }: History, random: Random): Promise<void> => {
  const asked = waiting.pop();
  if (asked === undefined) return;
  const decision = random.next() < 0.5 ? 'approve' : 'deny';
  const path = `/v1/payments/${asked.paymentOrderId}/refunds/${asked.refundId}/review`;
  await post('finance.eve', path, { decision, reason: 'x' });
};

/** What can happen to the money of a stay. Each step may be refused, as in life. */
const steps: Readonly<Record<string, Step>> = {
  async refund(history, random) {
    const refundId = randomUUID();
    const payment = random.pick(history.payments);
    const { paymentOrderId } = payment;
    const path = `/v1/payments/${paymentOrderId}/refunds`;
    // Each history has its own person, whose daily limit is not reached.
    const who = `staff.${history.reservationId}`;
    const asked = await post(who, path, { refund_id: refundId, amount: euros(amountOf(payment, random)) });
    const { pending } = (await asked.json()) as { readonly pending?: string };
    if (pending === 'review') history.waiting.push({ refundId, paymentOrderId });
  },
  review,
  async dispute(history, random) {
    const payment = random.pick(history.payments);
    const body = {
      nonce: payment.paymentOrderId,
      amount_minor: String(amountOf(payment, random)),
    };
    const opened = await room.orders.control<SimulatedDispute>('POST', '/disputes', body);
    if (opened?.id === undefined) return;
    history.disputes.push(opened);
    await eventually(async () => {
      const sql = 'SELECT count(*) AS n FROM payment_disputes WHERE dispute_id = $1';
      expect(await room.orders.count(sql, [opened.id])).toBe(1);
    });
  },
  async close({ disputes }, random) {
    const dispute = disputes.pop();
    const status = random.next() < 0.5 ? 'won' : 'lost';
    if (dispute !== undefined)
      await room.orders.control('POST', '/disputes/close', { id: dispute.id, status });
  },
  cancel: ({ reservationId }) => room.reservations.cancel(reservationId, staff),
  cancelLate: ({ reservationId }) => late.cancel(reservationId, staff),
  shorten: ({ reservationId }) =>
    room.reservations.changeStay(reservationId, staff, { startDate: arrival, endDate: addDays(arrival, 1) }),
  async lengthen({ reservationId, payments }, random) {
    const change = { startDate: arrival, endDate: addDays(arrival, 3 + random.below(3)) };
    const quote = await room.reservations.quoteChange(reservationId, staff, change);
    if (quote.kind !== 'quoted' || quote.differenceMinor === 0n) return;
    const { differenceMinor } = quote;
    const asked = await room.reservations.changeStay(reservationId, staff, { ...change, differenceMinor });
    if (asked.kind !== 'to-pay') return;
    // A step beside this one may end the change at any moment.
    const payment = await eventually(async () => {
      const found = await newestPayment(room.deps.sql, {
        ...{ reservationId, supplementId: asked.reservation.supplement!.id },
      });
      const order = found && (await room.orders.get(found.paymentOrderId, `customer.${found.userId}`));
      const isOver = (await room.reservations.get(reservationId, staff))!.supplement === null;
      if (!isOver && (order?.payment_page_url ?? null) === null) throw new Error('no page yet');
      return (order?.payment_page_url ?? null) === null ? undefined : found;
    });
    if (payment === undefined) return;
    await room.typeCard(payment).catch(() => {});
    if (random.next() < 0.3) return;
    const outcome = await eventually(async () => {
      const found = await findPayments(room.deps.sql, [payment.paymentOrderId]);
      const { outcome } = found.get(payment.paymentOrderId)!;
      if (outcome === null) throw new Error('not paid yet');
      return outcome;
    });
    if (outcome === 'paid') payments.push(payment);
  },
  fault: () => room.orders.faults({ next: [{ operation: 'refunds', fault: 'error-after' }] }),
};

async function live(number: number): Promise<History> {
  const random = seededRandom(number);
  const reservation = await room.reserve(`h${String(number).padStart(5, '0')}`, {
    // The risk rules hold more than 60 payments of one buyer in an hour.
    userId: `guest-${number}` as UserId,
    endDate: addDays(arrival, 2),
  });
  const payment = await room.registered(reservation);
  await room.typeCard(payment);
  const { reservationId } = await room.until(reservation, 'paid');
  const history: History = { reservationId, payments: [payment], disputes: [], waiting: [], told: [] };
  const names = Object.keys(steps);
  const count = 2 + Math.floor(random.next() * 6);
  for (let step = 0; step < count; step += 1) {
    const name = names[Math.floor(random.next() * names.length)]!;
    history.told.push(name);
    // Sometimes the next step does not wait for this one.
    const done = steps[name]!(history, random);
    if (random.next() < 0.7) await done;
    else await Promise.all([done, steps['review']!(history, random)]);
  }
  while (history.waiting.length > 0) await review(history, random);
  return history;
}

test('H-005, H-018: after any history, what a guest is promised is what the provider sent', async () => {
  const lived: History[] = [];
  for (let first = 1; first <= histories; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, histories - first + 1) }, (_, n) => first + n);
    lived.push(...(await Promise.all(numbers.map(live))));
  }
  await eventually(
    async () => {
      const record = await room.orders.record();
      for (const { reservationId, told } of lived) {
        let sent = 0n;
        const accepted = await room.reservations.paymentsOf(reservationId);
        for (const { paymentId, capturedMinor, refundedMinor } of accepted) {
          const sentOfIt = record.reduce(
            (sum, line) =>
              line.kind === 'refund' &&
              line.refund.paymentNonce === paymentId &&
              line.refund.status === 'refunded'
                ? sum + BigInt(line.refund.amountMinor)
                : sum,
            0n,
          );
          expect({ told, sentOfIt }).toEqual({ told, sentOfIt: refundedMinor });
          expect(sentOfIt).toBeLessThanOrEqual(capturedMinor);
          sent += sentOfIt;
        }
        const found = (await room.reservations.get(reservationId, staff))!;
        const { rows } = await room.deps.sql.query<{ readonly own: bigint }>(
          `SELECT coalesce(sum(r.amount_minor), 0)::bigint AS own FROM booking_refund b
           JOIN payment_refunds r USING (refund_id)
             JOIN stay_payment s ON s.payment_id = b.payment_order_id
           WHERE b.reservation_id = $1 AND r.refund_status = 'SUCCESS'`,
          [reservationId],
        );
        const own = rows[0]!.own;
        expect({ told, sent, own }).toEqual({ told, sent: found.refundedMinor, own: found.refundDueMinor });
      }
    },
    { deadlineMs: 120_000 },
  );
  await room.prove();
  expect(lived.filter(({ payments }) => payments.length > 1).length).toBeGreaterThan(0);
  // Nobody is refunded what a bank had taken back before: a tenth of a second is left for the commit.
  const { rows } = await room.deps.sql.query(
    `SELECT r.refund_id FROM payment_refunds r JOIN payment_orders o USING (payment_order_id)
     WHERE r.refund_status <> 'FAILED' AND o.captured_minor <
       (SELECT sum(b.amount_minor) FROM payment_refunds b WHERE b.payment_order_id = o.payment_order_id
          AND b.refund_status <> 'FAILED' AND b.created_at <= r.created_at)
       + (SELECT coalesce(sum(d.amount_minor), 0) FROM payment_disputes d
          WHERE d.payment_order_id = o.payment_order_id
            AND d.opened_at < r.created_at - interval '100 milliseconds'
            AND NOT (d.dispute_status = 'WON' AND d.closed_at <= r.created_at))`,
  );
  expect(rows).toEqual([]);
});
