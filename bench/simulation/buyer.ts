import { parseMoney } from '#payment/money/money.js';
import { requestRefund } from '#payment/orders/request-refund.js';
import type { Submission } from '#payment/orders/submission.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import type { CityWorld } from './city-world.js';
import { payOnPage, retryUntilAnswered, waitBeforePaying } from './customer-actions.js';

/**
 * Buys from one to three sellers at once, sometimes twice with one key, pays or not, and sometimes requests a
 * refund.
 */
export async function buyer(world: CityWorld, number: number): Promise<void> {
  const { random } = world;
  const submission = submissionOf(number, random);
  const submit = () =>
    retryUntilAnswered(world, async ({ service }) => {
      const outcome = await submitPayment(service.submit, submission);
      if (outcome.outcome === 'accepted') for (const { id } of submission.orders) void service.execute(id);
      return outcome;
    });
  const copies = random() < 0.1 ? [submit(), submit()] : [submit()];
  for (const { outcome } of await Promise.all(copies)) if (outcome === 'taken') throw new Error('taken');
  for (const { id } of submission.orders) world.accepted.add(id);
  await waitBeforePaying(world);
  for (const { id } of submission.orders) await payOnPage(world, id);
  if (random() < 0.2) await refund(world, submission.orders[0]!.id, number);
}

function submissionOf(number: number, random: () => number): Submission {
  const count = 1 + Math.floor(random() * 3);
  const orders = Array.from({ length: count }, (_, order) => {
    const amount = `${1 + Math.floor(random() * 200)}.${10 + Math.floor(random() * 90)}`;
    const parsed = parseMoney(amount, 'EUR');
    if (parsed.kind === 'refused') throw new Error(parsed.reason);
    const sellerAccount = `DE${Math.floor(random() * 5)}`;
    return { id: `order-${number}-${order}`, sellerAccount, amount, money: parsed.money };
  });
  return {
    caller: `buyer-${number}`,
    key: `key-${number}`,
    fingerprint: Buffer.from(`body-${number}`),
    checkoutId: `checkout-${number}`,
    buyerAccount: `buyer-${number}`,
    buyerInfo: '{}',
    cardInfo: '{}',
    orders,
  };
}

async function refund(world: CityWorld, paymentOrderId: string, number: number): Promise<void> {
  const { clock, random } = world;
  await clock.delay(60_000 + random() * 600_000);
  const amount = random() < 0.5 ? undefined : '1.00';
  await retryUntilAnswered(world, ({ sql }) =>
    requestRefund(
      sql,
      {
        caller: `buyer-${number}`,
        key: `refund-${number}`,
        fingerprint: Buffer.from('r'),
        paymentOrderId,
        refundId: `refund-${number}`,
        amount,
        reason: 'did not fit',
      },
      clock.nowMs,
    ),
  );
}
