import { requestRefund } from '#payment/orders/request-refund.js';
import type { CityWorld } from './city-world.js';
import { retryUntilAnswered } from './customer-actions.js';

/**
 * What staff and banks do with the money of a paid stay, beside the guest: a part is refunded, or the charge
 * is disputed, and the dispute is won, lost or still open at the end. The hotel must hear of both.
 */
export async function afterPayment(world: CityWorld, reservationId: string): Promise<void> {
  const { clock, random, sql } = world;
  const { rows } = await clock.during(
    sql.query<{ id: string }>(
      'SELECT payment_id AS id FROM reservation WHERE reservation_id = $1 AND payment_id IS NOT NULL',
      [reservationId],
    ),
  );
  const paid = rows[0]?.id;
  if (paid === undefined) return;
  if (random() < 0.25) await refundPart(world, paid);
  if (random() < 0.25) await dispute(world, paid);
}

async function refundPart(world: CityWorld, paymentOrderId: string): Promise<void> {
  const { clock, random } = world;
  await clock.delay(random() * 600_000);
  const asked = {
    caller: 'desk',
    key: `desk-${paymentOrderId}`,
    fingerprint: Buffer.from('desk'),
    paymentOrderId,
    refundId: `desk-${paymentOrderId}`,
    amount: '1.00',
    reason: 'breakfast was cold',
  };
  await retryUntilAnswered(world, ({ sql }) => requestRefund(sql, asked, clock.nowMs));
}

async function dispute({ clock, random, provider }: CityWorld, nonce: string): Promise<void> {
  await clock.delay(random() * 600_000);
  const opened = provider.book.dispute(nonce, random() < 0.5 ? undefined : '500');
  if (!opened.ok || random() < 0.2) return;
  await clock.delay(random() * 1_800_000);
  provider.book.closeDispute(opened.value.id, random() < 0.5 ? 'won' : 'lost');
}
