import type { Counter, Metrics } from '#platform/telemetry/metrics.js';

/** Counts of a group by outcome: for its `stats()`, and as one labelled counter for Prometheus. */
export class Counts<Outcome extends string = string> {
  readonly #counts = new Map<string, number>();
  readonly #counters = new Map<string, Counter>();

  constructor(metrics: Metrics, name: string, help: string, outcomes: readonly Outcome[]) {
    for (const outcome of outcomes) {
      this.#counts.set(outcome, 0);
      this.#counters.set(outcome, metrics.counter(name, help, { outcome }));
    }
  }

  /** Outcomes are those given at the start: a label comes from a closed set. */
  readonly add = (outcome: Outcome, amount = 1): void => {
    const before = this.#counts.get(outcome);
    if (before === undefined) throw new Error(`${outcome} is not an outcome of this group.`);
    if (amount === 0) return;
    this.#counts.set(outcome, before + amount);
    this.#counters.get(outcome)!.add(amount);
  };

  all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
