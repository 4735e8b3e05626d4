/** Every text of the checkout and of the payment status page. */

export const brand = 'Pay';
export const checkout = 'Checkout';
export const payment = 'Payment';
export const hotels = 'Hotels';
export const loading = 'Loading…';

// The checkout.
export const buyerName = 'Your name';
export const order = (number: number) => `Order ${number}`;
export const sellerAccount = 'Seller account';
export const amountIn = (currency: string) => `Amount in ${currency}`;
export const addOrder = 'Add another order';
export const payByCard = 'Pay by card';
export const confirmAtBank = 'Confirm at your bank';
export const cardHint =
  'You enter your card on the payment provider’s page; we never see the number. In this demo, use ' +
  '4242 4242 4242 4242, 4000 0000 0000 0002 for a card that is declined, or 4000 0000 0000 3220 for one ' +
  'that your bank asks you to confirm.';

// The status of each order.
export const pending = {
  review: 'The payment is under review. This can take some hours; you will be notified.',
  buyer: 'Waiting for your card.',
  challenge: 'Your bank asks you to confirm the payment.',
  processing: 'Your bank is processing the payment.',
  capture: 'Your card is authorized. It is charged later.',
  unknown: 'Checking the result with the payment provider.',
} as const;
/** Of a code of the provider: `card_declined`. */
export const reason = (code: string): string => code.replaceAll('_', ' ');
export const declinedBefore = (reason: string) => `An earlier card was declined: ${reason}.`;
export const payRestByCard = 'Pay the rest with another card';
export const starting = 'The payment is starting.';
export const paid = 'Paid.';
export const paidAndRefunded = (amount: string) => `Paid. ${amount} was refunded.`;
export const failed = (reason: string) => `Payment failed: ${reason}.`;
export const booked = (inLedger: boolean, inWallet: boolean) =>
  (inLedger ? 'Recorded in the ledger' : 'Not in the ledger yet') +
  (inWallet ? ', credited to the seller' : '');
export const nothingToPay = 'This tab has no payment in progress.';
export const goToCheckout = 'Go to checkout';
export const anotherPayment = 'Make another payment';
