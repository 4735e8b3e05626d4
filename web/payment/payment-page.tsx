import type { PaymentWithTimeline } from '#schemas/http/finance-payments.js';
import { Shown } from '../hotel/frame.js';
import { moneyText, timeText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Fact } from './fact.js';
import { messages } from './finance-messages.js';
import { financePaymentPathOf } from './paths.js';
import { PaymentSettlement } from './payment-settlement.js';
import { PaymentState } from './payment-state.js';
import { PaymentTimeline } from './payment-timeline.js';
import { askAsPerson } from './person.js';

/** One payment: who pays whom, where its money is, and everything that happened to it. */
export function PaymentPage({ id, person }: { readonly id: string; readonly person: string }) {
  const [found] = useLoaded(`${person} ${id}`, () =>
    askAsPerson<PaymentWithTimeline>(person, financePaymentPathOf(id)),
  );
  return (
    <section>
      <p>
        <a href={addressOf('payments')}>{messages.allPayments}</a>
      </p>
      <Shown state={found}>
        {({ payment, provider, psp_reference: reference, timeline, has_more: hasMore }) => {
          const { currency } = payment;
          const money = (amount: string) => moneyText(amount, currency);
          return (
            <>
              <h2>{messages.paymentOf(money(payment.amount), payment.seller_account)}</h2>
              <div class="card finding">
                <p>
                  <PaymentState payment={payment} />
                </p>
                <dl>
                  <Fact name={messages.created}>{timeText(payment.created_at)}</Fact>
                  <Fact name={messages.buyer}>{payment.buyer_account}</Fact>
                  <Fact name={messages.captured}>{money(payment.captured_amount)}</Fact>
                  <Fact name={messages.refunded}>{money(payment.refunded_amount)}</Fact>
                  <Fact name={messages.disputedAmount}>{money(payment.disputed_amount)}</Fact>
                  <Fact name={messages.fee}>{money(payment.application_fee)}</Fact>
                  <Fact name={messages.paymentOrder}>{payment.payment_order_id}</Fact>
                  <Fact name={messages.checkout}>{payment.checkout_id}</Fact>
                  <Fact name={messages.provider}>{provider ?? '–'}</Fact>
                  <Fact name={messages.reference}>{reference ?? '–'}</Fact>
                </dl>
              </div>
              <h3>{messages.timeline}</h3>
              {hasMore && <p class="muted">{messages.olderLeftOut}</p>}
              <PaymentTimeline entries={timeline} />
              <PaymentSettlement id={id} person={person} />
            </>
          );
        }}
      </Shown>
    </section>
  );
}
