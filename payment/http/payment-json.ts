import type { MerchantPaymentBody } from '#schemas/http/merchants.js';
import type { MerchantPayment } from '../merchant/merchant-payments.js';
import { formatMoney } from '../money/money.js';

/** A payment as its seller sees it; finance sees the seller's account as well. */
export function paymentJson(payment: MerchantPayment): MerchantPaymentBody {
  const money = (minor: bigint): string => formatMoney({ minor, currency: payment.currency });
  return {
    payment_order_id: payment.paymentOrderId,
    checkout_id: payment.checkoutId,
    buyer_account: payment.buyerAccount,
    amount: money(payment.amountMinor),
    currency: payment.currency,
    payment_order_status: payment.status,
    pending: payment.pending ?? null,
    failure_code: payment.failureCode ?? null,
    captured_amount: money(payment.capturedMinor),
    refunded_amount: money(payment.refundedMinor),
    disputed_amount: money(payment.disputedMinor),
    application_fee: money(payment.feeMinor),
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.changedAt.toISOString(),
  };
}
