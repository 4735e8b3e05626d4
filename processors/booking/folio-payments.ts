import type { PaymentLine } from '#hotel/folio/folio.js';
import type { ReadPayments } from '#hotel/folio/read-folio.js';

/**
 * The money of a reservation as the payment package has it: of every payment order that a guest tried, what
 * was captured, what goes back, and what the guest's bank took. Refunds that failed moved nothing, and
 * neither did disputes that were won.
 */
export const readPaymentLines: ReadPayments = async (session, { reservationId }) => {
  const { rows } = await session.query(
    `WITH ours AS (
       SELECT o.payment_order_id, o.captured_minor, o.changed_at, s.payment_id IS NOT NULL AS accepted
       FROM booking_payment b JOIN payment_orders o USING (payment_order_id)
         LEFT JOIN stay_payment s ON s.reservation_id = b.reservation_id AND s.payment_id = b.payment_order_id
       WHERE b.reservation_id = $1)
     SELECT payment_order_id AS id, accepted, payment_order_id, 'capture' AS kind, true AS done,
       -- An order changes later, too: what says when it was captured is its history.
       coalesce((SELECT min(h.at) FROM payment_order_history h
         WHERE h.payment_order_id = ours.payment_order_id AND h.to_status = 'SUCCESS'), changed_at) AS at,
       captured_minor AS amount FROM ours WHERE captured_minor > 0
     UNION ALL
     SELECT refund_id, accepted, payment_order_id, 'refund', refund_status = 'SUCCESS', created_at, -amount_minor
       FROM payment_refunds JOIN ours USING (payment_order_id) WHERE refund_status <> 'FAILED'
     UNION ALL
     SELECT dispute_id, accepted, payment_order_id, 'dispute', dispute_status = 'LOST', opened_at, -amount_minor
       FROM payment_disputes JOIN ours USING (payment_order_id) WHERE dispute_status <> 'WON'
     ORDER BY at, kind, id`,
    [reservationId],
  );
  return rows.map(
    (row): PaymentLine => ({
      id: row['id'] as string,
      paymentOrderId: row['payment_order_id'] as string,
      isAccepted: row['accepted'] as boolean,
      kind: row['kind'] as PaymentLine['kind'],
      status: row['done'] === true ? 'done' : 'pending',
      at: row['at'] as Date,
      amountMinor: row['amount'] as bigint,
    }),
  );
};
