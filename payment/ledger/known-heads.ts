import type { AccountId } from './accounts.js';
import { ledgerLimits } from './limits.js';
import type { Head } from './place-transfers.js';

/**
 * Where accounts stand, as one poster remembers it from the batch before. It holds as long as the chain of the ledger is the one that it was
 * learnt at: when somebody else has posted, or our own transaction was rolled back, the chain is another one and all of it is forgotten. A
 * memory that were wrong would do no harm, since the gate in the database takes no posting that does not continue its account.
 */
export class KnownHeads {
  readonly #heads = new Map<AccountId, Head>();
  #chain: string | undefined;

  /** What is known when the ledger stands at this chain; asked while the tip is held. */
  at(chain: string): ReadonlyMap<AccountId, Head> {
    if (this.#chain !== chain) this.#heads.clear();
    return this.#heads;
  }

  /** Told while the tip is held, before the commit. */
  learn(chain: string, heads: ReadonlyMap<AccountId, Head>): void {
    if (this.#heads.size > ledgerLimits.knownHeadsMax) this.#heads.clear();
    for (const [id, head] of heads) this.#heads.set(id, head);
    this.#chain = chain;
  }
}
