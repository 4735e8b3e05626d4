import type { Sql } from '#platform/sql/sql.js';

/** Invariants at every instant, not only at the end: the name of each, and a query that counts violations. */
const promises = {
  'I5 sum of all postings at some instant':
    'SELECT count(*) FROM (SELECT 1 FROM ledger_trial_balance HAVING sum(balance) <> 0) s',
  'P-037 an order in the wallet before the ledger had it':
    'SELECT count(*) FROM payment_orders WHERE wallet_updated AND NOT ledger_updated',
  'P-037 an order called booked of which the ledger has nothing': `SELECT count(*) FROM payment_orders o WHERE ledger_updated
     AND NOT EXISTS (SELECT FROM ledger_transfer t WHERE t.subject = o.payment_order_id)`,
  'P-024 an event called done too early': `SELECT count(*) FROM payment_events e JOIN payment_orders o USING (checkout_id)
     WHERE e.is_payment_done AND NOT (o.is_final AND (o.payment_order_status = 'FAILED' OR (o.ledger_updated AND o.wallet_updated)))`,
  'H-102 more unpaid holds than a user may have': `SELECT count(*) FROM (SELECT FROM reservation
     WHERE status = 'pending_payment' GROUP BY user_id HAVING count(*) > 5) s`,
  'I1 rooms sold that are not there':
    'SELECT count(*) FROM room_type_inventory WHERE 10 * total_reserved > 11 * total_inventory',
};

/** Checks invariants repeatedly and collects violations. */
export class CityWatch {
  readonly broken = new Set<string>();
  /** The newest provider event that each order has received. */
  readonly #newest = new Map<string, bigint>();

  /** Adds the invariants that are violated now. */
  async check(sql: Sql): Promise<void> {
    await this.#count(sql);
    const { rows } = await sql.query<{ readonly id: string; readonly sequence: bigint }>(
      'SELECT payment_order_id AS id, psp_sequence AS sequence FROM payment_orders WHERE psp_sequence > 0',
    );
    for (const { id, sequence } of rows) {
      if (sequence < (this.#newest.get(id) ?? 0n)) this.broken.add(`P-066 a stale event was applied: ${id}`);
      this.#newest.set(id, sequence);
    }
  }

  async #count(sql: Sql): Promise<void> {
    const counts = Object.values(promises).map((count) => `(${count})`);
    const { rows } = await sql.query<{ readonly wrong: readonly bigint[] }>(
      `SELECT ARRAY[${counts.join()}]::bigint[] AS wrong`,
    );
    for (const [index, name] of Object.keys(promises).entries())
      if (rows[0]!.wrong[index]! > 0n) this.broken.add(`${name}: ${rows[0]!.wrong[index]}`);
  }
}
