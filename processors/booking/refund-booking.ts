import { deadLetter, type Outcome, ok } from '#platform/stream/outcome.js';
import type { BookingDeps } from './booking-deps.js';
import { forgetRefund, type NamedRefund, nameRefund } from './booking-refunds.js';
import { noteMoney, readMoney, refundableOf } from './note-money.js';

export interface RequestedRefund extends NamedRefund {
  readonly reservationId: string;
  readonly currency: string;
  readonly reason: string;
}

/**
 * Requests refunds from the payment package until those of a payment reach the amount due. If less is left,
 * because others refunded it or the bank took it back meanwhile, the reservation is notified and the rest is
 * requested. Any other refusal waits for a person in the finance queue.
 */
export async function refundBooking(deps: BookingDeps, refund: RequestedRefund): Promise<Outcome> {
  const amountMinor = await nameRefund(deps.sql, refund);
  if (amountMinor === undefined) return ok;
  const { refundId, paymentOrderId, currency, reason, dueMinor } = refund;
  const asked = { refundId, paymentOrderId, amountMinor, currency, reason };
  if ((await deps.payments.refund(asked)) === 'asked') return ok;
  await forgetRefund(deps.sql, refundId);
  const money = await readMoney(deps, paymentOrderId);
  if (money !== undefined && refundableOf(money) < dueMinor) {
    await noteMoney(deps, refund);
    return ok;
  }
  return (await deps.payments.queueRefused(asked)) ? ok : deadLetter('refund refused');
}
