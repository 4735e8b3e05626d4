import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import { oneStatement } from '#platform/sql/one-statement.js';
import type { Sql } from '#platform/sql/sql.js';
import { applyPaymentsQuickly, type PaymentUpdate } from './apply-payment.js';
import { changeOrders, isOneStatement, type Move } from './change-order.js';
import { type Order, readOrdersById } from './order.js';

/** Operations on single orders; concurrent calls share one statement. */
export interface OrderBatchers {
  read(id: string): Promise<Order | undefined>;
  /** See `changeOrder`, in a transaction of its own. */
  change(move: Move): Promise<Order | undefined>;
  /** See `applyPaymentsQuickly`. */
  apply(updates: PaymentUpdate): Promise<Order | undefined>;
}

export function batchOrders(sql: Sql, batching: Partial<BatcherOptions> = {}): OrderBatchers {
  const reads = new Batcher(async (ids: readonly string[]) => {
    const orders = await readOrdersById(sql, ids);
    return ids.map((id) => orders.get(id));
  }, batching);
  const moves = new Batcher((wanted: readonly Move[]) => changeEach(sql, wanted), batching);
  const updates = new Batcher(
    (batch: readonly PaymentUpdate[]) => applyPaymentsQuickly(sql, batch),
    batching,
  );
  return {
    read: (id) => reads.call(id),
    async change(move) {
      if (isOneStatement(move)) return moves.call(move);
      const [changed] = await sql.transaction((tx) => changeOrders(tx, [move]));
      return changed;
    },
    apply: (one) => updates.call(one),
  };
}

/** Of several changes to one version of an order only the first can succeed: the others need no query. */
async function changeEach(sql: Sql, moves: readonly Move[]): Promise<ReadonlyArray<Order | undefined>> {
  const first = new Map<string, Move>();
  for (const move of moves) if (!first.has(move.order.id)) first.set(move.order.id, move);
  const chosen = [...first.values()];
  const changed = await oneStatement(sql, (session) => changeOrders(session, chosen));
  return moves.map((move) => changed[chosen.indexOf(move)]);
}
