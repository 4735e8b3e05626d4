import type { PayoutScheduleBody } from '#schemas/http/payout-schedules.js';
import type { Payout } from '#schemas/http/payouts.js';
import type { PaymentReviews, RefundReviews } from '#schemas/http/reviews.js';
import { Shown } from '../hotel/frame.js';
import { moneyText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { messages } from './finance-messages.js';
import {
  paymentReviewPathOf,
  paymentReviewsPath,
  payoutReviewPathOf,
  payoutScheduleReviewPathOf,
  payoutSchedulesPath,
  payoutsPath,
  refundReviewPathOf,
  refundReviewsPath,
} from './paths.js';
import { askAsPerson } from './person.js';
import { ReviewButtons } from './review-buttons.js';

/** Requests that wait for a second person, and payments that the risk check stopped. */
export function ReviewsPage({ person }: { readonly person: string }) {
  const [waiting, again] = useLoaded(person, async () => ({
    payouts: (
      await askAsPerson<{ payouts: Payout[] }>(person, `${payoutsPath}?status=awaiting_second&limit=200`)
    ).payouts,
    schedules: (
      await askAsPerson<{ schedules: PayoutScheduleBody[] }>(
        person,
        `${payoutSchedulesPath}?status=awaiting_second&limit=200`,
      )
    ).schedules,
    refunds: (await askAsPerson<RefundReviews>(person, refundReviewsPath)).refunds,
    payments: (await askAsPerson<PaymentReviews>(person, paymentReviewsPath)).reviews,
  }));
  const card = (id: string, path: string, text: string) => (
    <li class="card finding" key={id}>
      <p>{text}</p>
      <ReviewButtons person={person} path={path} onDecided={again} />
    </li>
  );
  return (
    <section>
      <h2>{messages.reviews}</h2>
      <Shown state={waiting}>
        {({ payouts, schedules, refunds, payments }) => (
          <>
            <ul class="findings">
              {payouts.map((payout) =>
                card(
                  payout.payout_id,
                  payoutReviewPathOf(payout.payout_id),
                  messages.payoutReview(
                    moneyText(payout.amount, payout.currency),
                    payout.seller_account,
                    payout.requested_by,
                    payout.reason,
                  ),
                ),
              )}
              {schedules.map((schedule) =>
                card(
                  `schedule ${schedule.schedule_no}`,
                  payoutScheduleReviewPathOf(schedule.schedule_no),
                  messages.scheduleReview(
                    schedule.seller_account,
                    messages.words(schedule.interval),
                    moneyText(schedule.minimum, schedule.currency),
                    schedule.delay_days,
                    schedule.requested_by,
                    schedule.reason,
                  ),
                ),
              )}
              {refunds.map((refund) =>
                card(
                  refund.refund_id,
                  refundReviewPathOf(refund.payment_order_id, refund.refund_id),
                  messages.refundReview(
                    moneyText(refund.amount, refund.currency),
                    refund.payment_order_id,
                    refund.requested_by,
                    refund.reason,
                  ),
                ),
              )}
              {payments.map((payment) =>
                card(
                  payment.payment_order_id,
                  paymentReviewPathOf(payment.payment_order_id),
                  messages.paymentReview(
                    moneyText(payment.amount, payment.currency),
                    payment.buyer_account,
                    payment.submitted_by,
                    payment.reason,
                    payment.proposed_by,
                  ),
                ),
              )}
            </ul>
            {payouts.length + schedules.length + refunds.length + payments.length === 0 && (
              <p class="muted">{messages.noReviews}</p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}
