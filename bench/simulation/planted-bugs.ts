/** A fault in the product's compiled code: in the file, `from` becomes `to`. */
export interface PlantedBug {
  readonly name: string;
  /** Below `dist/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Realistic faults: each breaks one rule that protects money or rooms. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'each attempt uses a new nonce at the provider',
    file: 'payment/executor/execute-order.js',
    from: 'nonce: order.id,',
    to: "nonce: order.id + '-' + order.attempts,",
  },
  {
    name: 'a lost reply counts as a refusal',
    file: 'payment/psp/read-answer.js',
    from: "return { kind: 'unknown', reason: reply.reason };",
    to: "return { kind: 'refused', code: 'card_declined' };",
  },
  {
    name: 'a stale event of the provider is applied',
    file: 'payment/orders/apply-payment.js',
    from: 'if (payment.sequence <= order.pspSequence)',
    to: 'if (false)',
  },
  {
    name: 'a captured order is captured again by every webhook',
    file: 'payment/orders/apply-payment.js',
    from: 'if (order.capturedMinor > 0n)',
    to: 'if (false)',
  },
  {
    name: 'a late capture is not refunded',
    file: 'payment/orders/apply-payment.js',
    from: "if (changes[step].event?.kind === 'capturedLate')",
    to: 'if (false)',
  },
  {
    name: 'unsigned webhooks are accepted',
    file: 'platform/webhooks/verify-webhook.js',
    from: 'if (matches.length === 0)',
    to: 'if (false)',
  },
  {
    name: 'compare-and-set without the compare',
    file: 'payment/orders/change-order.js',
    from: 'AND o.version = w.version AND o.payment_order_status = w.was',
    to: '',
  },
  {
    name: 'some outbox messages are never published',
    file: 'payment/outbox/relay.js',
    from: 'WHERE sent_at IS NULL ORDER BY id LIMIT',
    to: 'WHERE sent_at IS NULL AND id % 17 <> 0 ORDER BY id LIMIT',
  },
  {
    name: 'outbox messages are published newest first',
    file: 'payment/outbox/relay.js',
    from: 'WHERE sent_at IS NULL ORDER BY id LIMIT',
    to: 'WHERE sent_at IS NULL ORDER BY id DESC LIMIT',
  },
  {
    name: 'a repeated capture is posted again under another operation',
    file: 'payment/ledger/payment-transfers.js',
    from: "operation: 'capture', kind: 'capture'",
    to: "operation: 'capture:' + Math.random(), kind: 'capture'",
  },
  {
    name: 'a credit has the sign of a debit',
    file: 'payment/ledger/place-transfers.js',
    from: 'this.balance -= moved;',
    to: 'this.balance += moved;',
  },
  {
    name: 'the wallet adds postings again after a redelivery',
    file: 'payment/schema/wallet.js',
    from: 'sequence = f.sequence, batch_no = f.batch_no,',
    to: 'sequence = f.reached,',
  },
  {
    name: 'the wallet does not wait for the ledger',
    file: 'payment/orders/book-change.js',
    from: 'return changes.map(isThere)',
    to: 'return changes.map(() => true)',
  },
  {
    name: 'each refund attempt uses a new nonce',
    file: 'payment/executor/execute-refund.js',
    from: 'nonce: refund.id,',
    to: "nonce: refund.id + '-' + refund.attempts,",
  },
  {
    name: 'a refund counts before the provider confirms it',
    file: 'payment/executor/execute-refund.js',
    from: "if (answer.kind === 'known' && answer.value.status !== 'processing')",
    to: "if (answer.kind !== 'known') { await settleRefund(tx, { nonce: refund.id, reference: '', status: 'refunded', amountMinor: refund.amountMinor, currency: refund.currency }, deps.nowMs(), 'executor'); return; }\n    if (answer.kind === 'known' && answer.value.status !== 'processing')",
  },
  {
    name: 'an order without attempts left is not closed at the provider',
    file: 'payment/executor/resolve-order.js',
    from: 'const close = isOver(deps, order);',
    to: 'const close = false;',
  },
  {
    name: 'an order of a dead process is never resolved',
    file: 'payment/executor/due-work.js',
    from: 'WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT',
    to: "WHERE next_attempt_at <= $1 AND payment_order_status <> 'EXECUTING' ORDER BY next_attempt_at LIMIT",
  },
  {
    name: 'a rejected reservation keeps its rooms',
    file: 'hotel/reservations/settle-payment.js',
    from: 'await releaseRooms(tx, [{ ...found, rooms: found.roomCount }]);',
    to: '',
  },
  {
    name: 'a hold that ends keeps its rooms',
    file: 'hotel/reservations/settle-payment.js',
    from: 'await releaseRooms(tx, expired.map((one) => ({ ...one, rooms: one.roomCount })));',
    to: '',
  },
  {
    name: 'a failed payment does not release the rooms',
    file: 'processors/booking/follow-payments.js',
    from: 'await deps.reservations.rejectPayment(reservationId, supplementOf(payment))',
    to: 'await 0',
  },
  {
    name: 'a payment for released rooms is not refunded',
    file: 'processors/booking/follow-payments.js',
    from: 'return sendBack(deps, payment, outcome);',
    to: "return [ok, 'paid'];",
  },
  {
    name: 'a cancelled reservation is not refunded',
    file: 'processors/booking/follow-reservations.js',
    from: "if (refundDueMinor === 0 || paymentOrderId === '')",
    to: 'if (true)',
  },
  {
    name: 'a change that nobody paid keeps its rooms',
    file: 'hotel/reservations/supplements.js',
    from: 'rooms.push(...roomsHeldBy(open, found));',
    to: '',
  },
  {
    name: 'the payment of a change is forgotten',
    file: 'hotel/reservations/confirm-supplement.js',
    from: 'await addStayPayment(tx, payment);',
    to: '',
  },
  {
    name: 'a refund by staff is unknown to the reservation',
    file: 'processors/booking/follow-payments.js',
    from: 'paymentChange.refundRequested,\n    paymentChange.refunded,',
    to: '',
  },
  {
    name: 'a dispute is unknown to the reservation',
    file: 'processors/booking/follow-payments.js',
    from: 'paymentChange.disputeOpened,\n    paymentChange.disputeWon,\n    paymentChange.disputeLost,',
    to: '',
  },
  {
    name: 'a dispute that was won stays on the reservation',
    file: 'processors/booking/follow-payments.js',
    from: 'paymentChange.disputeWon,',
    to: '',
  },
  {
    name: 'one declined card ends the booking',
    file: 'processors/booking/follow-payments.js',
    from: 'if (anotherCardMayDo(reason) &&',
    to: 'if (false &&',
  },
  {
    name: 'a user may hold as many rooms as they like',
    file: 'hotel/limits.js',
    from: 'holdsPerUserMax: 5,',
    to: 'holdsPerUserMax: 50,',
  },
  {
    name: 'late money gets rooms that nobody counts',
    file: 'hotel/reservations/settle-payment.js',
    from: 'const failed = await changeRoomCounts(tx, [{ ...found, rooms: found.roomCount }]);',
    to: 'const failed = undefined;',
  },
  {
    name: 'settlement is compared with the ordered amount',
    file: 'payment/reconciliation/find-mismatches.js',
    from: 'CASE WHEN captured_minor > 0 THEN captured_minor ELSE amount_minor END AS amount_minor',
    to: 'amount_minor',
  },
  {
    name: 'a second charge of one order is a harmless line',
    file: 'payment/reconciliation/find-mismatches.js',
    from: 'WHEN is_copy OR is_further AND NOT psp_succeeded THEN',
    to: 'WHEN is_copy OR is_further THEN',
  },
];
