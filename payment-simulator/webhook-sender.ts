import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Faults } from './faults.js';
import { post } from './post.js';
import type { Fact, SimulatedPayment } from './record.js';
import { paymentJson, refundJson } from './wire.js';

export interface WebhookSenderOptions {
  /** The destination; undefined sends none. */
  readonly url: () => string | undefined;
  /** `whsec_…`; with two, each webhook carries both signatures. */
  readonly secrets: () => readonly string[];
  readonly faults: Faults;
  /** By the simulator's clock. */
  readonly nowMs: () => number;
  readonly paymentOf: (nonce: string) => SimulatedPayment | undefined;
}

const attemptsMax = 6;
const firstRetryMs = 200;
const sendTimeoutMs = 5_000;

export interface SentWebhook {
  readonly id: string;
  readonly body: string;
  readonly status: number;
}

/** Notifies the shop as Standard Webhooks describes: signed, sent again until it answers 2xx, in no order. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #held: (() => void)[] = [];
  readonly #stop = new AbortController();
  readonly #stopped = new Promise<{ readonly status: 0 }>((resolve) => {
    this.#stop.signal.addEventListener('abort', () => resolve({ status: 0 }));
  });
  readonly sent: SentWebhook[] = [];
  #count = 0;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    // Every webhook that waits for its next attempt listens.
    setMaxListeners(0, this.#stop.signal);
  }

  notify(fact: Fact): void {
    const described = this.#describe(fact);
    if (described === undefined || this.#options.url() === undefined) return;
    const nowMs = this.#options.nowMs();
    this.#count += 1;
    const id = `msg_${createHash('sha256').update(`${nowMs}:${this.#count}:${described.type}`).digest('hex').slice(0, 24)}`;
    const body = JSON.stringify({
      id,
      type: described.type,
      created: new Date(nowMs).toISOString(),
      api_version: '2026-11-01',
      data: described.data,
    });
    switch (this.#options.faults.ofWebhook()) {
      case 'lost':
        return;
      case 'doubled':
        for (let copy = 0; copy < 3; copy += 1) this.#start(id, body, 0);
        return;
      case 'held':
        // Released behind the next one that is not held: the two arrive in the wrong order.
        this.#held.push(() => this.#start(id, body, 0));
        return;
      case 'late':
        this.#start(id, body, this.#options.faults.plan.delayMs);
        return;
      case undefined:
        this.#start(id, body, 0);
        for (const release of this.#held.splice(0).toReversed()) release();
    }
  }

  /** Sends what was held back, newest first. */
  release(): void {
    for (const release of this.#held.splice(0).toReversed()) release();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }

  #start(id: string, body: string, afterMs: number): void {
    const run = this.#deliver(id, body, afterMs)
      .catch(() => {})
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #deliver(id: string, body: string, afterMs: number): Promise<void> {
    const { signal } = this.#stop;
    if (afterMs > 0) await delay(afterMs, undefined, { signal });
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const status = await this.#send(id, body);
      this.sent.push({ id, body, status });
      if (status >= 200 && status < 300) return;
      await delay(firstRetryMs * 2 ** attempt, undefined, { signal });
    }
  }

  async #send(id: string, body: string): Promise<number> {
    const at = new Date(this.#options.nowMs());
    const signatures = this.#options.secrets().map((secret) => new Webhook(secret).sign(id, at, body));
    try {
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signatures.join(' '),
      };
      const sent = post(this.#options.url() ?? '', headers, body, sendTimeoutMs);
      return (await Promise.race([sent, this.#stopped])).status;
    } catch {
      return 0;
    }
  }

  #describe(fact: Fact): { readonly type: string; readonly data: object } | undefined {
    switch (fact.kind) {
      case 'payment':
        return fact.payment.status === 'registered'
          ? undefined
          : { type: `payment.${fact.payment.status}`, data: paymentJson(fact.payment) };
      case 'refund':
        return { type: `refund.${fact.refund.status}`, data: refundJson(fact.refund) };
      case 'dispute': {
        const { id, paymentNonce, status, amountMinor, currency } = fact.dispute;
        const reference = this.#options.paymentOf(paymentNonce)?.reference ?? '';
        const data = {
          dispute_id: id,
          payment_nonce: paymentNonce,
          amount_minor: amountMinor,
          currency,
          reference,
        };
        return { type: `dispute.${status}`, data };
      }
      case 'payout':
        return undefined;
    }
  }
}
