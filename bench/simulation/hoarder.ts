import type { UserId } from '#schemas/units.js';
import type { CityWorld } from './city-world.js';
import { retryUntilAnswered } from './customer-actions.js';

const rooms = 7;

/** Asks for more rooms at once than one user may hold unpaid, and pays none. */
export async function hoarder(world: CityWorld): Promise<void> {
  await Promise.all(
    Array.from({ length: rooms }, (_, n) =>
      retryUntilAnswered(world, ({ reservations }) =>
        reservations.reserve({
          reservationId: `hoard-${n}`,
          userId: 'hoarder' as UserId,
          hotelId: 'opera',
          roomTypeId: 'double',
          startDate: '2027-07-01',
          endDate: '2027-07-02',
          roomCount: 1,
        }),
      ),
    ),
  );
}
