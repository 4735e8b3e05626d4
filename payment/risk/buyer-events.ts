import type { SqlSession } from '#platform/sql/sql.js';

export interface BuyerEvent {
  readonly checkoutId: string;
  readonly nowMs: number;
  /** From `buyerIdentities`. */
  readonly buyer: readonly string[];
}

const hourMs = 3_600_000;

/**
 * Counts payment events under every identity of their buyers, and answers for each with how many others the
 * hour before it has under the identity that has most, as far as `most`. Called for one batch after
 * another, it sees all events before; two processes may miss what the other counts at the same moment. The
 * same event again counts once.
 */
export async function countBuyerEvents(
  session: SqlSession,
  events: readonly BuyerEvent[],
  most: number,
): Promise<readonly number[]> {
  const asked = events.flatMap(({ buyer, checkoutId, nowMs }, n) =>
    buyer.map((identity) => ({ n, identity, checkoutId, at: new Date(nowMs) })),
  );
  // A crash of the database may lose the last moment of the count: a payment does not wait for the disk
  // again.
  const { rows } = await session.query<{ readonly made: bigint }>(
    `WITH hasty AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
     asked AS MATERIALIZED (
       SELECT decode(identity, 'hex') AS buyer, checkout_id, at, no
       FROM hasty, unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY
         u (identity, checkout_id, at, no)
     ), counted AS (
       INSERT INTO payment_buyer_events (buyer, checkout_id, at)
       SELECT buyer, checkout_id, at FROM asked ORDER BY buyer, checkout_id ON CONFLICT DO NOTHING)
     SELECT (SELECT count(*) FROM (SELECT FROM payment_buyer_events e WHERE e.buyer = a.buyer
         AND e.at > a.at - make_interval(secs => $4) AND e.checkout_id <> ALL ($2) LIMIT $5) e) AS made
     FROM asked a ORDER BY no`,
    [
      asked.map(({ identity }) => identity),
      asked.map(({ checkoutId }) => checkoutId),
      asked.map(({ at }) => at),
      hourMs / 1_000,
      most,
    ],
  );
  // The statement does not see what it inserts itself: those before in the same batch.
  const before = new Map<string, Set<string>>();
  const made = events.map(() => 0);
  for (const [index, { n, identity, checkoutId }] of asked.entries()) {
    const batch = before.get(identity) ?? new Set();
    before.set(identity, batch);
    const others = batch.size - (batch.has(checkoutId) ? 1 : 0);
    made[n] = Math.max(made[n]!, Number(rows[index]!.made) + others);
    batch.add(checkoutId);
  }
  return made;
}

/** Deletes events that no longer count. */
export async function forgetBuyerEvents(session: SqlSession, nowMs: number): Promise<void> {
  await session.query('DELETE FROM payment_buyer_events WHERE at < $1', [new Date(nowMs - hourMs)]);
}
