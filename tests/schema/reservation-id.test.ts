import { expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import { newReservationId } from '#schemas/reservation-id.js';
import { proves } from '#tools/acceptance/proves.js';

proves('H-057', {
  asked: 'globally unique',
  shown: '20,000 new ids, half of them of one hotel, are distinct and not longer than the limit',
  control: {
    in: 'schemas/reservation-id.ts',
    change: 'crypto.getRandomValues(new Uint8Array(16))',
    to: 'new Uint8Array(16)',
  },
});
test('H-057: no two new ids of reservations are equal, whatever the hotel', () => {
  const hotels = ['h00001', 'h'.repeat(64), 'Å hotel', 'h00002'];
  const ids = Array.from({ length: 20_000 }, (_, n) =>
    newReservationId(n % 2 === 0 ? 'h00007' : hotels[(n >> 1) % 4]!),
  );
  expect(new Set(ids).size).toBe(20_000);
  expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(hotelLimits.reservationIdMax);
});
