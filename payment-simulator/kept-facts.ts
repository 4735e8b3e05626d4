import type {
  Fact,
  KeptReply,
  SimulatedCard,
  SimulatedCardPage,
  SimulatedCustomer,
  SimulatedDispute,
  SimulatedFile,
  SimulatedPayment,
  SimulatedPayout,
  SimulatedRefund,
  TruthRecord,
} from './record.js';

/** The present state of everything in the record, which is written first. */
export class KeptFacts {
  readonly payments = new Map<string, SimulatedPayment>();
  readonly refunds = new Map<string, SimulatedRefund>();
  readonly disputes = new Map<string, SimulatedDispute>();
  readonly files = new Map<string, SimulatedFile>();
  readonly payouts = new Map<string, SimulatedPayout>();
  readonly cards = new Map<string, SimulatedCard>();
  readonly cardPages = new Map<string, SimulatedCardPage>();
  readonly customers = new Map<string, SimulatedCustomer>();
  readonly replies = new Map<string, KeptReply>();
  readonly #nonceByToken = new Map<string, string>();
  readonly #record: TruthRecord;
  readonly #now: () => number;
  /** Called for every change, to send webhooks. */
  onChange: (fact: Fact) => void = () => {};

  constructor(record: TruthRecord, nowMs: () => number) {
    this.#record = record;
    this.#now = nowMs;
    for (const line of record.lines) this.#keep(line);
  }

  protected nowMs(): number {
    return this.#now();
  }

  protected nonceOf(token: string): string | undefined {
    return this.#nonceByToken.get(token);
  }

  protected write(fact: Fact, cause: string): void {
    this.#record.append(fact, cause, this.#now());
    this.#keep(fact);
    this.onChange(fact);
  }

  #keep(fact: Fact): void {
    switch (fact.kind) {
      case 'payment':
        this.payments.set(fact.payment.nonce, fact.payment);
        this.#nonceByToken.set(fact.payment.token, fact.payment.nonce);
        break;
      case 'refund':
        this.refunds.set(fact.refund.nonce, fact.refund);
        break;
      case 'dispute':
        this.disputes.set(fact.dispute.id, fact.dispute);
        break;
      case 'file':
        this.files.set(fact.file.id, fact.file);
        break;
      case 'payout':
        this.payouts.set(fact.payout.nonce, fact.payout);
        break;
      case 'card':
        this.cards.set(fact.card.token, fact.card);
        break;
      case 'cardPage':
        this.cardPages.set(fact.cardPage.nonce, fact.cardPage);
        this.#nonceByToken.set(fact.cardPage.token, fact.cardPage.nonce);
        break;
      case 'customer':
        this.customers.set(fact.customer.id, fact.customer);
        break;
      case 'reply':
        this.replies.set(fact.reply.key, fact.reply);
        break;
    }
  }
}
