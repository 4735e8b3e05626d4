import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { browsePage, certificateIn } from '../../browse-page.js';
import { eventually } from '../../eventually.js';
import type { DefaultPlatform } from '../default-platform.js';
import { type Caller, callerOf, type Person } from '../person.js';

const cards = { good: '4242424242424242', declined: '4000000000000002' } as const;
const hotels = Array.from({ length: 12 }, (_, i) => `h${String(i + 1).padStart(5, '0')}`);

/** Books rooms of some hotel from this day on, and pays; a declined card does not lose them. */
export async function bookAndPay(
  platform: DefaultPlatform,
  guest: Caller,
  stay: { readonly hotelID: string; readonly startDate: string; readonly endDate: string },
  cardNumbers: readonly string[] = [cards.good],
): Promise<ReservationView> {
  const reservationID = randomUUID();
  await guest.ask('POST', '/v1/reservations', {
    ...{ reservationID, ...stay, roomTypeID: 't01', roomCount: '1' },
    guest: { name: 'Ada Lovelace', email: 'ada@example.org', guests: 1 },
  });
  const path = `/v1/reservations/${reservationID}`;
  const payment = () => guest.ask<BookingPaymentView>('GET', `${path}/payment`);
  const used = new Set<string>();
  for (const number of cardNumbers) {
    // After a declined card the payment opens again, with another page.
    const page = await eventually(async () => {
      const { status, paymentPageURL = '' } = await payment();
      expect([status, paymentPageURL !== '' && !used.has(paymentPageURL)]).toEqual(['open', true]);
      return paymentPageURL;
    });
    used.add(page);
    await browsePage(page, await certificateIn(platform.data), { number });
  }
  await eventually(async () => {
    const { status, bookingNumber = '', captured, price } = await payment();
    expect([status, bookingNumber, captured]).toEqual([
      'paid',
      expect.stringMatching(/^\w{3}-\w{3}-\w{3}$/),
      price,
    ]);
  });
  return guest.ask<ReservationView>('GET', path);
}

/** After many payments in an hour the next ones of a buyer wait for a person. */
const staysOfGuest = 20;

/** Guests book and pay, every third time after a declined card, and cancel every other stay for a refund. */
export async function guest(platform: DefaultPlatform): Promise<Person> {
  let caller = await callerOf(platform, 'daily-guest', 'customer');
  const today = new Date().toISOString().slice(0, 10);
  return {
    name: 'guest',
    everyMs: 15_000,
    async round(n) {
      if (n > 0 && n % staysOfGuest === 0)
        caller = await callerOf(platform, `daily-guest-${n / staysOfGuest}`, 'customer');
      const { ask } = caller;
      const startDate = addDays(today, 30 + (n % 100));
      const stay = { hotelID: hotels[n % 6]!, startDate, endDate: addDays(startDate, 1) };
      const numbers = n % 3 === 2 ? [cards.declined, cards.good] : [cards.good];
      const { reservationID, status, paid, price, refundable } = await bookAndPay(
        platform,
        caller,
        stay,
        numbers,
      );
      expect([status, paid, refundable]).toEqual(['paid', price, price]);
      const receipt = await fetch(`${platform.url}/v1/reservations/${reservationID}/receipt`, {
        headers: { authorization: `Bearer ${caller.token}` },
      });
      expect([receipt.status, (await receipt.text()).includes(price)]).toEqual([200, true]);
      if (n % 2 === 0) return;
      const promised = await ask<ReservationView>('DELETE', `/v1/reservations/${reservationID}`);
      expect([promised.status, promised.refundDue]).toEqual(['cancelled', price]);
      await eventually(async () => {
        const after = await ask<ReservationView>('GET', `/v1/reservations/${reservationID}`);
        expect([after.status, after.refunded]).toEqual(['refunded', price]);
      });
    },
  };
}
