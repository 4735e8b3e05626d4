import type { FinancePaymentBody } from '#schemas/http/finance-payments.js';
import { messages } from './finance-messages.js';

/** The status as a word, with what an open payment waits for or why it failed. */
export function PaymentState({ payment }: { readonly payment: FinancePaymentBody }) {
  const { payment_order_status: status, pending, failure_code: failure } = payment;
  const more = pending ?? failure;
  const text = messages.statuses[status as keyof typeof messages.statuses];
  return (
    <span class={`payment-state ${status.toLowerCase()}`}>
      {text}
      {more === null ? '' : `: ${messages.words(more)}`}
    </span>
  );
}
