import type { Route } from '#platform/http/http-types.js';
import { withoutCardData } from '#platform/http/response/without-card-data.js';
import { getPaymentReturn } from '#schemas/http/payments.js';
import { postProviderWebhook, postPspWebhook } from '#schemas/http/psp-webhooks.js';
import type { PaymentService } from '../payment-service.js';
import { financeRoutes } from './finance-routes.js';
import { paymentRoutes } from './payment-routes.js';
import { payoutRoutes } from './payout-routes.js';
import { providerRoutes } from './provider-routes.js';
import { refundRoutes } from './refund-routes.js';

/** All operations of payments. The public and the internal server each serve those of their own listener. */
export const paymentHttp = (service: PaymentService): readonly Route[] =>
  withoutCardData(
    [
      ...paymentRoutes(service),
      ...refundRoutes(service),
      ...providerRoutes(service),
      ...payoutRoutes(service),
      ...financeRoutes(service),
    ],
    // Providers sign webhooks and create the token of the return; the text of neither is stored.
    [postPspWebhook, postProviderWebhook, getPaymentReturn],
  );
