import type { UserId } from '#schemas/units.js';
import type { CityWorld } from './city-world.js';
import { payOnPage, retryUntilAnswered } from './customer-actions.js';
import { nights } from './open-hotel.js';

/** Books a stay of some nights, pays for it or not, sometimes stays longer, and sometimes cancels. */
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
  await clock.delay(20_000 + random() * 120_000);
  await payOrders(world, reservationId);
  if (random() < 0.3) await stayLonger(world, reservationId, userId);
  if (random() < 0.4) {
    // Some guests cancel while the bank decides, so that the money arrives for released rooms.
    if (random() < 0.75) await clock.delay(random() * 3_600_000);
    await retryUntilAnswered(world, ({ reservations }) => reservations.cancel(reservationId, { userId }));
  }
}

/** Pays all orders of the reservation, those of earlier amounts included, which take no money any more. */
async function payOrders(world: CityWorld, reservationId: string): Promise<void> {
  const { rows } = await world.clock.during(
    world.sql.query<{ id: string }>(
      'SELECT payment_order_id AS id FROM booking_payment WHERE reservation_id = $1 AND outcome IS NULL',
      [reservationId],
    ),
  );
  for (const { id } of rows) {
    world.accepted.add(id);
    await payOnPage(world, id);
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
  if (random() < 0.8) await payOrders(world, reservationId);
}
