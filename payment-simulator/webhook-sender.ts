import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.js';
import { post } from './post.js';
import type { Fact } from './record.js';
import type { Message } from './stripe/stripe-events.js';

export interface WebhookSenderOptions {
  /** The destination; undefined sends none. */
  readonly url: () => string | undefined;
  readonly protocol: WebhookProtocol;
  readonly faults: Faults;
  /** By the simulator's clock. */
  readonly nowMs: () => number;
}

/** How a provider writes and signs what it says. */
export interface WebhookProtocol {
  messages(fact: Fact): readonly Message[];
  body(id: string, message: Message, nowMs: number): string;
  headers(id: string, body: string, at: Date): Record<string, string>;
}

const attemptsMax = 6;
const firstRetryMs = 200;
const sendTimeoutMs = 5_000;

export interface SentWebhook {
  readonly id: string;
  readonly body: string;
  readonly status: number;
}

/** Notifies the shop: signed, sent again until it answers 2xx, in no order. */
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
    if (this.#options.url() === undefined) return;
    for (const message of this.#options.protocol.messages(fact)) this.#tell(message);
  }

  #tell(message: Message): void {
    const nowMs = this.#options.nowMs();
    this.#count += 1;
    const id = `msg_${createHash('sha256').update(`${nowMs}:${this.#count}:${message.type}`).digest('hex').slice(0, 24)}`;
    const body = this.#options.protocol.body(id, message, nowMs);
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
    try {
      const headers = this.#options.protocol.headers(id, body, at);
      const sent = post(this.#options.url() ?? '', headers, body, sendTimeoutMs);
      return (await Promise.race([sent, this.#stopped])).status;
    } catch {
      return 0;
    }
  }
}
