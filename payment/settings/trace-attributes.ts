/** Names of what spans say about payments. */
export const paymentOrderAttribute = 'meridian.payment_order.id';
export const providerAttribute = 'meridian.payment.provider';
