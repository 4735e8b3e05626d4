import { expect } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { TodayStay } from '#schemas/http/hotel-desk.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { eventually } from '../../eventually.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, type Person } from '../person.js';
import { bookAndPay } from './guest.js';

interface Today {
  readonly date: string;
  readonly lists: readonly { readonly list: string; readonly stays: readonly TodayStay[] }[];
}
type Room = { readonly roomID: string; readonly number: string };

/** Expects somebody who booked for tonight, gives a room, checks in and out, and has the room cleaned. */
export async function hotelStaff(platform: DefaultPlatform): Promise<Person> {
  const [walkIn, desk] = await Promise.all([
    callerOf(platform, 'daily-walk-in', 'customer'),
    callerOf(platform, 'daily-desk', 'desk', 'internal'),
  ]);
  return {
    name: 'hotel staff',
    everyMs: 60_000,
    async round(n) {
      // The guests of the other person never stay at these.
      const hotelID = `h${String(7 + (n % 6)).padStart(5, '0')}`;
      const today = () => desk.ask<Today>('GET', `/v1/staff/hotels/${hotelID}/today`);
      const { date } = await today();
      const stay = { hotelID, startDate: date, endDate: addDays(date, 1) };
      const { reservationID } = await bookAndPay(platform, walkIn, stay);
      const listOf = async () =>
        (await today()).lists.find(({ stays }) => stays.some((one) => one.reservationID === reservationID))
          ?.list;
      await eventually(async () => expect(await listOf()).toBe('arrivals'));
      const path = `/v1/staff/reservations/${reservationID}`;
      const { rooms } = await desk.ask<{ rooms: readonly Room[] }>('POST', `${path}/rooms`, {});
      expect(rooms).toHaveLength(1);
      const statusAfter = async (step: string) =>
        (await desk.ask<ReservationView>('POST', `${path}/${step}`, {})).status;
      expect(await statusAfter('check-in')).toBe('checked_in');
      expect(await listOf()).toBe('in-house');
      expect(await statusAfter('check-out')).toBe('completed');
      const [{ roomID }] = rooms as [Room];
      await desk.ask('PUT', `/v1/staff/hotels/${hotelID}/rooms/${roomID}/housekeeping`, {
        status: 'available',
      });
    },
    async finish() {
      const { actions } = await desk.ask<{ actions: readonly { action: string; outcome: string | null }[] }>(
        'GET',
        '/v1/staff/actions?limit=50',
      );
      expect(actions.length).toBeGreaterThan(0);
      expect(actions.filter(({ outcome }) => outcome === null)).toEqual([]);
    },
  };
}
