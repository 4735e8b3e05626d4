/** What can go wrong with one call. `after` means that the effect took place and only the answer suffered. */
export const callFaults = [
  'drop-before',
  'drop-after',
  'delay-after',
  'error-before',
  'error-after',
  'busy',
  'garbage-after',
] as const;
export type CallFault = (typeof callFaults)[number];

/** The provider refuses with this status and code; 429 and 503 name when to retry. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

interface PlannedFault {
  readonly operation: string;
  readonly fault: CallFault | Refusal;
}

/** What can go wrong with one webhook. */
export const webhookFaults = ['lost', 'doubled', 'held', 'late'] as const;
export type WebhookFault = (typeof webhookFaults)[number];

export interface FaultPlan {
  /** Probability by fault, for every call; 0.05 is one in twenty. */
  readonly calls: Readonly<Partial<Record<CallFault, number>>>;
  readonly webhooks: Readonly<Partial<Record<WebhookFault, number>>>;
  /**
   * Faults for the next calls of an operation, used in order before random ones: `{ operation:
   * 'registrations', fault: 'drop-after' }`.
   */
  readonly next: readonly PlannedFault[];
  readonly delayMs: number;
  readonly retryAfterS: number;
}

export const noFaults: FaultPlan = { calls: {}, webhooks: {}, next: [], delayMs: 6_000, retryAfterS: 1 };

/** Chooses faults by seed: the same calls in the same order meet the same faults. */
export class Faults {
  #plan: FaultPlan = noFaults;
  #next: PlannedFault[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** Planned faults that no call has met yet. */
  get left(): readonly PlannedFault[] {
    return this.#next;
  }

  set(plan: Partial<FaultPlan>): void {
    this.#plan = { ...noFaults, ...plan };
    this.#next = [...this.#plan.next];
  }

  ofCall(operation: string): CallFault | Refusal | undefined {
    const planned = this.#next.findIndex((one) => one.operation === operation);
    if (planned >= 0) return this.#next.splice(planned, 1)[0]?.fault;
    return this.#chance(callFaults, this.#plan.calls);
  }

  ofWebhook(): WebhookFault | undefined {
    return this.#chance(webhookFaults, this.#plan.webhooks);
  }

  #chance<Fault extends string>(
    faults: readonly Fault[],
    chances: Readonly<Partial<Record<Fault, number>>>,
  ): Fault | undefined {
    let drawn = this.#random();
    for (const fault of faults) {
      drawn -= chances[fault] ?? 0;
      if (drawn < 0) return fault;
    }
    return undefined;
  }
}
