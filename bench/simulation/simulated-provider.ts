import { Webhook } from 'standardwebhooks';
import type { HttpsReply, PinnedHttps } from '#payment/psp/pinned-https.js';
import { apiCall } from '#payment-simulator/api.js';
import { PspStore } from '#payment-simulator/psp-store.js';
import { type Fact, TruthRecord } from '#payment-simulator/record.js';
import { messageOf } from '#payment-simulator/webhook-protocols.js';
import type { FaultRates } from './fault-rates.js';
import type { VirtualClock } from './virtual-clock.js';

export interface SignedDelivery {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/** A webhook without an answer for this long is sent again. */
const webhookTimeoutMs = 10_000;

/** The payment simulator behind a network in virtual time. The adapters in front of it are the product's. */
export class SimulatedProvider {
  readonly record = new TruthRecord();
  readonly book: PspStore;
  readonly #clock: VirtualClock;
  readonly #random: () => number;
  readonly #faults: FaultRates;
  readonly #secret: string;
  readonly #deliver: (delivery: SignedDelivery) => Promise<boolean>;
  #ids = 0;
  #isCertain = false;
  calls = 0;
  /** Requests are lost until then. */
  unavailableUntilMs = 0;

  constructor(options: {
    readonly clock: VirtualClock;
    readonly random: () => number;
    readonly faults: FaultRates;
    readonly secret: string;
    /** True when it was answered with 2xx. */
    readonly deliver: (delivery: SignedDelivery) => Promise<boolean>;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#faults = options.faults;
    this.#secret = options.secret;
    this.#deliver = options.deliver;
    this.book = new PspStore(
      this.record,
      () => this.#clock.nowMs,
      (prefix) => `${prefix}_${this.#ids++}`,
    );
    this.book.onChange = (fact) => this.#notify(fact);
  }

  /**
   * The bank's answer, which may come after everything is over. When money moves against the agreed outcome,
   * the provider repeats the webhook until it is acknowledged: otherwise only the settlement file would show
   * it.
   */
  bankAnswers(nonce: string, status: 'captured' | 'declined'): void {
    this.#isCertain = this.book.payments.get(nonce)?.status !== 'processing';
    this.book.force(nonce, status);
    this.#isCertain = false;
  }

  https(): PinnedHttps {
    return { call: (method, path, body) => this.#call(method, path, Object(body ?? {})), close: () => {} };
  }

  async #call(method: string, path: string, body: object): Promise<HttpsReply> {
    const faults = this.#faults;
    this.calls += 1;
    await this.#clock.delay(5 + this.#random() * 60);
    if (this.#random() < faults.lostRequests || this.#clock.nowMs < this.unavailableUntilMs) {
      await this.#clock.delay(2_000);
      return { kind: 'lost', reason: 'no answer in time' };
    }
    if (this.#random() < faults.busy)
      return { kind: 'reply', status: 429, body: { code: 'rate_limited' }, retryAfterMs: 1_000 };
    const call = apiCall(
      {
        method,
        path,
        query: new URLSearchParams(),
        body: body as Readonly<Record<string, unknown>>,
        headers: {},
      },
      { book: this.book, baseUrl: () => 'https://provider.invalid' },
    );
    if (call === undefined) return { kind: 'reply', status: 404, body: {}, retryAfterMs: undefined };
    const { status, body: answer } = call.run();
    if (this.#random() < faults.lostReplies) {
      await this.#clock.delay(2_000);
      return { kind: 'lost', reason: 'no answer in time' };
    }
    await this.#clock.delay(this.#random() < faults.slow ? 5_000 : 5 + this.#random() * 60);
    return { kind: 'reply', status, body: answer, retryAfterMs: undefined };
  }

  #notify(fact: Fact): void {
    const described = messageOf(fact, (nonce) => this.book.payments.get(nonce));
    // Nobody asks for disputes: their webhooks are repeated until they are acknowledged.
    const isCertain = this.#isCertain || fact.kind === 'dispute';
    const isLost = this.#random() < this.#faults.lostWebhooks && !isCertain;
    if (described === undefined || isLost) return;
    const id = `msg_${this.#ids++}`;
    const body = JSON.stringify({ id, ...described });
    const copies = this.#random() < this.#faults.copiedWebhooks ? 3 : 1;
    for (let copy = 0; copy < copies; copy += 1)
      this.#send(id, body, this.#random() < this.#faults.lateWebhooks ? 60_000 * this.#random() : 20, 0);
    if (this.#random() < this.#faults.forgedWebhooks) {
      const forged = body.replaceAll('captured', 'declined').replace('"sequence":', '"sequence":9');
      this.#clock.at(30, () => {
        this.#deliver({ ...this.#signed(id, body), id: `${id}_forged`, body: forged }).catch(() => {});
      });
    }
  }

  /**
   * Retried until it is acknowledged, as providers do. An error does not acknowledge it, nor does a process
   * that died meanwhile.
   */
  #send(id: string, body: string, afterMs: number, attempt: number): void {
    this.#clock.at(afterMs + this.#random() * 200, () => {
      const taken = this.#deliver(this.#signed(id, body)).catch(() => false);
      const late = this.#clock.delay(webhookTimeoutMs).then(() => false);
      void Promise.race([taken, late]).then((isTaken) => {
        if (!isTaken && attempt < 6) this.#send(id, body, 1_000 * 2 ** attempt, attempt + 1);
      });
    });
  }

  #signed(id: string, body: string): SignedDelivery {
    const at = new Date(this.#clock.nowMs);
    const signature = new Webhook(this.#secret).sign(id, at, body);
    return { id, timestamp: String(Math.floor(at.getTime() / 1_000)), signature, body };
  }
}
