import type { ProviderSettings } from '../settings/delivery-settings.js';
import { providerCodes } from './provider-codes.js';
import type { Psp, PspAnswer } from './psp.js';

/**
 * Which providers fail at the moment, as far as this process knows: after several failed calls in a row a
 * provider rests, and the first call afterwards decides again. Health chooses the order of providers for new
 * orders; it never moves an order that a provider may have.
 */
export class ProviderHealth {
  readonly #failures = new Map<string, { readonly inARow: number; readonly atMs: number }>();
  readonly #nowMs: () => number;
  readonly #settings: ProviderSettings;

  constructor(nowMs: () => number, settings: ProviderSettings) {
    this.#nowMs = nowMs;
    this.#settings = settings;
  }

  isWell(name: string): boolean {
    const { inARow, atMs } = this.#failures.get(name) ?? { inARow: 0, atMs: 0 };
    const { failuresInARowMax, restMs } = this.#settings;
    return inARow < failuresInARowMax || this.#nowMs() - atMs >= restMs;
  }

  record(name: string, answer: PspAnswer<unknown>): void {
    const failed =
      answer.kind === 'unknown' ||
      answer.kind === 'suspect' ||
      (answer.kind === 'refused' && (providerCodes.has(answer.code) || answer.code === 'never_arrived'));
    if (!failed) this.#failures.delete(name);
    else
      this.#failures.set(name, {
        inARow: (this.#failures.get(name)?.inARow ?? 0) + 1,
        atMs: this.#nowMs(),
      });
  }
}

/** The same provider, whose answers are counted. */
export function watched(psp: Psp, health: ProviderHealth): Psp {
  const noted = async <Value>(answer: Promise<PspAnswer<Value>>): Promise<PspAnswer<Value>> => {
    const known = await answer;
    health.record(psp.name, known);
    return known;
  };
  return {
    ...psp,
    begin: (order, keep) => noted(psp.begin(order, keep)),
    capture: (order, amountMinor) => noted(psp.capture(order, amountMinor)),
    query: (order) => noted(psp.query(order)),
    cancel: (order) => noted(psp.cancel(order)),
    refund: (refund) => noted(psp.refund(refund)),
    keptCard: (order) => noted(psp.keptCard(order)),
    deleteCard: (card) => noted(psp.deleteCard(card)),
    openCardPage: (order) => noted(psp.openCardPage(order)),
    cardPage: (order) => noted(psp.cardPage(order)),
    closeCardPage: (order) => noted(psp.closeCardPage(order)),
    answerDispute: (answer) => noted(psp.answerDispute(answer)),
  };
}
