import type { Route } from '#platform/http/http-types.js';
import { withoutCardData } from '#platform/http/response/without-card-data.js';
import { getPaymentReturn } from '#schemas/http/payment-return.js';
import { postProviderWebhook, postPspWebhook } from '#schemas/http/psp-webhooks.js';
import type { PaymentService } from '../payment-service.js';
import { cancelRoutes } from './cancel-routes.js';
import { captureRoutes } from './capture-routes.js';
import { disputeRoutes } from './dispute-routes.js';
import { financePaymentRoutes } from './finance-payment-routes.js';
import { financeRoutes } from './finance-routes.js';
import { financeSettlementRoutes } from './finance-settlement-routes.js';
import { merchantAccountRoutes } from './merchant-account-routes.js';
import { merchantRoutes } from './merchant-routes.js';
import { merchantWebhookRoutes } from './merchant-webhook-routes.js';
import { notForSingleHotels } from './not-for-single-hotels.js';
import { paymentRoutes } from './payment-routes.js';
import { payoutRoutes } from './payout-routes.js';
import { payoutScheduleRoutes } from './payout-schedule-routes.js';
import { providerRoutes } from './provider-routes.js';
import { refundRoutes } from './refund-routes.js';
import { withRetryAfter } from './retry-after.js';
import { savedCardRoutes } from './saved-card-routes.js';
import { sellerFeeRoutes } from './seller-fee-routes.js';
import { settlementRoutes } from './settlement-routes.js';

/** All operations of payments. The public and the internal server each serve those of their own listener. */
export const paymentHttp = (service: PaymentService): readonly Route[] =>
  withoutCardData(
    [
      ...paymentRoutes(service),
      ...cancelRoutes(service),
      ...captureRoutes(service),
      ...refundRoutes(service),
      ...savedCardRoutes(service),
      ...disputeRoutes(service),
      ...providerRoutes(service),
      ...payoutRoutes(service),
      ...payoutScheduleRoutes(service),
      ...financeRoutes(service),
      ...financePaymentRoutes(service),
      ...financeSettlementRoutes(service),
      ...merchantAccountRoutes(service),
      ...merchantRoutes(service),
      ...merchantWebhookRoutes(service),
      ...sellerFeeRoutes(service),
      ...settlementRoutes(service),
    ]
      .map(notForSingleHotels)
      .map(withRetryAfter(service.submit.settings.retryAfterS)),
    // Providers sign webhooks and create the token of the return; the text of neither is stored.
    [postPspWebhook, postProviderWebhook, getPaymentReturn],
  );
