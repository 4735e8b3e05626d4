import { bookingLimits } from '#processors/booking/limits.js';
import type { UserId } from '#schemas/units.js';
import { afterPayment } from './after-payment.js';
import type { CityWorld } from './city-world.js';
import { payOnPage, retryUntilAnswered } from './customer-actions.js';
import { nights } from './open-hotel.js';

/** As many as a checkout takes, and one that it does not. */
const cardsMax = bookingLimits.cardsMax + 1;

/**
 * Books a stay of some nights, pays for it or not, with another card after a declined one, sometimes stays
 * longer, and sometimes cancels.
 */
export async function guest(world: CityWorld, number: number): Promise<void> {
  const { clock, random, counts } = world;
  const reservationId = `stay-${number}`;
  const userId = `guest-${number}` as UserId;
  const first = Math.floor(random() * (nights - 1));
  const outcome = await retryUntilAnswered(world, ({ reservations }) =>
    reservations.reserve({
      reservationId,
      userId,
      hotelId: 'opera',
      roomTypeId: 'double',
      startDate: `2027-07-0${first + 1}`,
      endDate: `2027-07-0${first + 1 + Math.floor(random() * (nights - first))}`,
      roomCount: 1 + Math.floor(random() * 2),
    }),
  );
  if (outcome.kind !== 'reserved' && outcome.kind !== 'repeated') {
    counts.refused += 1;
    return;
  }
  counts.reserved += 1;
  const cancel = () =>
    retryUntilAnswered(world, ({ reservations }) => reservations.cancel(reservationId, { userId }));
  // No card of theirs is good: the checkout ends before the hold does.
  const isPoor = random() < 0.1;
  await clock.delay(20_000 + random() * 120_000);
  // Some pay in the last moment, so that the money arrives when the rooms have just been released.
  const leftMs = outcome.reservation.holdExpiresAt.getTime() - clock.nowMs;
  if (random() < 0.1) await clock.delay(Math.max(0, leftMs - random() * 4_000));
  if (random() < 0.15) {
    // They change their mind while they pay, so that the money arrives for released rooms.
    const changesMind = clock.delay(random() * 60_000).then(cancel);
    await Promise.all([payOrders(world, reservationId, isPoor), changesMind]);
    return;
  }
  await payOrders(world, reservationId, isPoor);
  await afterPayment(world, reservationId);
  if (random() < 0.3) await stayLonger(world, reservationId, userId);
  if (random() < 0.4) {
    // Some guests cancel while the bank decides.
    if (random() < 0.75) await clock.delay(random() * 3_600_000);
    await cancel();
  }
}

/** Pays all orders of the reservation, those of earlier amounts included, which take no money any more. */
async function payOrders(world: CityWorld, reservationId: string, isPoor: boolean): Promise<void> {
  const { clock, sql, accepted, random } = world;
  for (let card = 1; card <= cardsMax; card += 1) {
    const { rows } = await clock.during(
      sql.query<{ id: string }>(
        'SELECT payment_order_id AS id FROM booking_payment WHERE reservation_id = $1 AND outcome IS NULL',
        [reservationId],
      ),
    );
    if (rows.length === 0) return;
    for (const { id } of rows) {
      accepted.add(id);
      await payOnPage(world, id, isPoor);
    }
    await clock.delay(2_000 + random() * 10_000);
    if (!isPoor && random() < 0.2) return;
  }
}

/** Adds nights, agrees to the difference, and pays it or not. */
async function stayLonger(world: CityWorld, reservationId: string, userId: UserId): Promise<void> {
  const { clock, random } = world;
  await clock.delay(random() * 300_000);
  const change = { endDate: `2027-07-0${nights}` };
  const quote = await retryUntilAnswered(world, ({ reservations }) =>
    reservations.quoteChange(reservationId, { userId }, change),
  );
  if (quote.kind !== 'quoted' || quote.differenceMinor === 0n) return;
  const { differenceMinor } = quote;
  await retryUntilAnswered(world, ({ reservations }) =>
    reservations.changeStay(reservationId, { userId }, { ...change, differenceMinor }),
  );
  await clock.delay(20_000 + random() * 120_000);
  if (random() < 0.8) await payOrders(world, reservationId, false);
}
