import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { eventually } from '../eventually.js';

/** What only the guest knows; each step is noted when its answer was read. */
export interface BookedStay {
  readonly id: string;
  readonly askedMs: number;
  reservedMs?: number;
  cardedMs?: number;
}

export interface Guests {
  readonly stays: readonly BookedStay[];
  /** Resolves after this many more cards were accepted. */
  more(stays: number, withinMs?: number): Promise<void>;
  /** Resolves when the stays in progress are reserved and paid. */
  stop(): Promise<void>;
}

/** Guests who each reserve a room and pay for it at the simulated provider, one stay after another. */
export function startGuests(url: string, data: string, tokens: readonly string[]): Guests {
  const stays: BookedStay[] = [];
  let open = true;
  const carded = (): number => stays.filter(({ cardedMs }) => cardedMs !== undefined).length;
  const failed: unknown[] = [];
  const running = Promise.all(
    tokens.map((token, at) => book(token, at).catch((error: unknown) => void failed.push(error))),
  );
  return {
    stays,
    async more(wanted, withinMs = 60_000) {
      const goal = carded() + wanted;
      const deadline = Date.now() + withinMs;
      while (carded() < goal) {
        if (failed.length > 0) throw failed[0];
        if (Date.now() > deadline) throw new Error(`${goal - carded()} of ${wanted} stays were not paid`);
        await delay(10);
      }
    },
    async stop() {
      open = false;
      await running;
      if (failed.length > 0) throw failed[0];
    },
  };

  async function book(token: string, at: number): Promise<void> {
    for (let n = 0; open; n += 1) {
      const stay: BookedStay = { id: randomUUID(), askedMs: Date.now() };
      stays.push(stay);
      const night = addDays(new Date().toISOString().slice(0, 10), 20 + (n % 100));
      await ask(token, 'POST', '/v1/reservations', {
        ...{ reservationID: stay.id, hotelID: `h${String(1 + (at % 12)).padStart(5, '0')}` },
        ...{ roomTypeID: 't01', roomCount: '1', startDate: night, endDate: night },
      });
      stay.reservedMs = Date.now();
      const page = await eventually(async () => {
        const view = await ask<BookingPaymentView>(token, 'GET', `/v1/reservations/${stay.id}/payment`);
        if (view.paymentPageURL === undefined) throw new Error('no page yet');
        return view.paymentPageURL;
      });
      await typeCard(page);
      stay.cardedMs = Date.now();
    }
  }

  async function ask<View>(token: string, method: string, path: string, body?: object): Promise<View> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as View;
  }

  async function typeCard(page: string): Promise<void> {
    const card = { number: '4242424242424242' };
    const { status } = await browsePage(page, await certificateIn(data), card);
    if (status !== 303) throw new Error(`the page answered the card with ${status}`);
  }
}
