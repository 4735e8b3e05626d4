import { randomUUID } from 'node:crypto';
import { type Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { BookingPaymentView } from '#schemas/http/bookings.js';

/** How long a guest's page waits before it asks again where to pay. */
const askEveryMs = 300;

export interface Shop {
  readonly url: string;
  /** PEM of the provider. */
  readonly certificate: string;
  readonly agent: Agent;
}

/**
 * One guest: reserves over HTTP, asks for the page of the provider until it is there, types a card. Resolves with the reservation's id once
 * the provider has taken the money; the rest comes by webhook.
 */
export async function book(shop: Shop, token: string, stay: object): Promise<string> {
  const reservationID = randomUUID();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const made = await fetch(`${shop.url}/v1/reservations`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ reservationID, roomCount: '1', ...stay }),
  });
  const text = await made.text();
  if (made.status !== 201) throw new Error(`void: a reservation was answered with ${made.status} ${text}`);
  for (;;) {
    await delay(askEveryMs);
    const answer = await fetch(`${shop.url}/v1/reservations/${reservationID}/payment`, { headers });
    const payment = (await answer.json()) as BookingPaymentView;
    if (payment.paymentPageURL !== undefined) {
      await typeCard(shop, payment.paymentPageURL);
      return reservationID;
    }
    if (!answer.ok || payment.status === 'failed')
      throw new Error(`void: a payment was answered with ${JSON.stringify(payment)}`);
  }
}

function typeCard({ certificate: ca, agent }: Shop, page: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const outgoing = request(page, { method: 'POST', ca, agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on('end', () =>
        incoming.statusCode === 303
          ? resolve()
          : reject(new Error(`void: the page said ${incoming.statusCode}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end('number=4242424242424242&expiry=12%2F30&cvc=123');
  });
}
