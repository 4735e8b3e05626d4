import type { ComponentChildren } from 'preact';
import type { Payout } from '#schemas/http/payouts.js';
import type { PaymentReviews, RefundReviews } from '#schemas/http/reviews.js';
import { Shown } from '../hotel/frame.js';
import { moneyText } from '../hotel/texts.js';
import { useLoaded } from '../hotel/use-loaded.js';
import {
  paymentReviewPathOf,
  paymentReviewsPath,
  payoutReviewPathOf,
  payoutsPath,
  refundReviewPathOf,
  refundReviewsPath,
} from './paths.js';
import { askAsPerson } from './person.js';
import { ReviewButtons } from './review-buttons.js';

/** What waits for a second person, and payments that the risk check held back. */
export function ReviewsPage({ person }: { readonly person: string }) {
  const [waiting, again] = useLoaded(person, async () => ({
    payouts: (
      await askAsPerson<{ payouts: Payout[] }>(person, `${payoutsPath}?status=awaiting_second&limit=200`)
    ).payouts,
    refunds: (await askAsPerson<RefundReviews>(person, refundReviewsPath)).refunds,
    payments: (await askAsPerson<PaymentReviews>(person, paymentReviewsPath)).reviews,
  }));
  const card = (id: string, path: string, children: ComponentChildren) => (
    <li class="card finding" key={id}>
      {children}
      <ReviewButtons person={person} path={path} onDecided={again} />
    </li>
  );
  return (
    <section>
      <h2>Reviews</h2>
      <Shown state={waiting}>
        {({ payouts, refunds, payments }) => (
          <>
            <ul class="findings">
              {payouts.map((payout) =>
                card(
                  payout.payout_id,
                  payoutReviewPathOf(payout.payout_id),
                  <p>
                    Pay-out of {moneyText(payout.amount, payout.currency)} to {payout.seller_account}, asked
                    for by <strong>{payout.requested_by}</strong>
                    {payout.reason === '' ? '' : `: “${payout.reason}”`}
                  </p>,
                ),
              )}
              {refunds.map((refund) =>
                card(
                  refund.refund_id,
                  refundReviewPathOf(refund.payment_order_id, refund.refund_id),
                  <p>
                    Refund of {moneyText(refund.amount, refund.currency)} of the payment order{' '}
                    {refund.payment_order_id}, asked for by <strong>{refund.requested_by}</strong>
                    {refund.reason === '' ? '' : `: “${refund.reason}”`}
                  </p>,
                ),
              )}
              {payments.map((payment) =>
                card(
                  payment.payment_order_id,
                  paymentReviewPathOf(payment.payment_order_id),
                  <p>
                    Payment of {moneyText(payment.amount, payment.currency)} by {payment.buyer_account},
                    submitted by {payment.submitted_by}: {payment.reason.replaceAll('_', ' ')}
                  </p>,
                ),
              )}
            </ul>
            {payouts.length + refunds.length + payments.length === 0 && (
              <p class="muted">Nothing waits for review.</p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}
