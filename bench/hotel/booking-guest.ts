import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import type { BookingPaymentView } from '#schemas/http/bookings.js';

/** How long a guest's page waits before it requests the payment page again. */
const askEveryMs = 300;

/** Connections to the program and to the provider, with little cost of their own. */
export class Shop {
  readonly #url: string;
  readonly #agent: Agent;

  /** `certificate` is the provider's, PEM. */
  constructor(url: string, certificate: string, connections: number) {
    this.#url = url;
    // Idle connections are closed before the provider does, which would meet a request on its way.
    this.#agent = new Agent({ connections, keepAliveTimeout: 2_000, connect: { ca: certificate } });
  }

  /**
   * One guest: reserves, requests the provider's page until it exists, types a card. Resolves when the
   * provider has captured the money; a webhook reports it.
   */
  async book(token: string, stay: object): Promise<void> {
    const reservationID = randomUUID();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const form = JSON.stringify({ reservationID, roomCount: '1', ...stay });
    await this.#expect(201, { path: '/v1/reservations', method: 'POST', headers, body: form });
    for (;;) {
      await delay(askEveryMs);
      const path = `/v1/reservations/${reservationID}/payment`;
      const payment = JSON.parse(
        await this.#expect(200, { path, method: 'GET', headers }),
      ) as BookingPaymentView;
      if (payment.paymentPageURL !== undefined) return this.#typeCard(payment.paymentPageURL);
      if (payment.status === 'failed') throw new Error(`void: the payment failed: ${payment.failureCode}`);
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #typeCard(page: string): Promise<void> {
    const { origin, pathname } = new URL(page);
    await this.#expect(303, {
      origin,
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'number=4242424242424242&expiry=12%2F30&cvc=123',
    });
  }

  async #expect(wanted: number, request: Dispatcher.RequestOptions): Promise<string> {
    const { statusCode, body } = await this.#agent.request({ origin: this.#url, ...request });
    const text = await body.text();
    if (statusCode !== wanted)
      throw new Error(`void: ${request.path} was answered with ${statusCode} ${text}`);
    return text;
  }
}
