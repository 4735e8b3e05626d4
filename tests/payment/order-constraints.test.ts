import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOrders, type OrderChange } from '#payment/orders/change-order.js';
import { type OrderStatus, orderStatuses, readOrder } from '#payment/orders/order.js';
import { proves } from '#tools/acceptance/proves.js';
import { openLedgerDatabase } from './ledger-database.js';

describe('the table of payment orders', () => {
  let database: Awaited<ReturnType<typeof openLedgerDatabase>>;
  beforeAll(async () => {
    database = await openLedgerDatabase();
    await database.sql.query(
      "INSERT INTO payment_events (checkout_id, caller, created_at) VALUES ('checkout', 'shop', now())",
    );
  });
  afterAll(() => database?.dispose());

  const insert = (status: string) =>
    database.sql.query(
      `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor,
         currency, payment_order_status, expires_at, created_at, changed_at)
       VALUES ($1, 'checkout', 0, 'b', 's', '1.00', 100, 'EUR', $1, now(), now(), now())`,
      [status],
    );

  proves('P-036', {
    asked: 'four states; a constraint of the database refuses others',
    shown: 'the constraint lists the four; raw inserts of others fail by it',
    control: {
      in: 'payment/schema/orders.ts',
      change: "CHECK (payment_order_status IN ('NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED')),",
      to: "CHECK (payment_order_status <> ''),",
    },
  });
  it('P-036: has a constraint that refuses a fifth state', async () => {
    const name = 'payment_orders_payment_order_status_check';
    for (const other of ['PAID', 'success', 'EXECUTED', ' FAILED'])
      await expect(insert(other), other).rejects.toThrow(name);
    const { rows } = await database.sql.query<{ definition: string }>(
      'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1',
      [name],
    );
    expect(rows[0]!.definition.match(/(?<=')[A-Z_]+(?=')/g)?.toSorted()).toEqual(orderStatuses.toSorted());
    await expect(insert('NOT_STARTED')).resolves.toMatchObject({ rowCount: 1 });
  });

  /** An order in this state, as the code could have left it. */
  const inState = async (id: string, status: OrderStatus, isFinal: boolean): Promise<void> => {
    await database.sql.query(
      `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor,
         currency, payment_order_status, is_final, captured_minor, expires_at, created_at, changed_at)
       VALUES ($1, 'checkout', (SELECT count(*) + 10 FROM payment_orders), 'b', 's', '1.00', 100, 'EUR', $2, $3, $4,
         now(), now(), now())`,
      [id, status, isFinal, status === 'SUCCESS' ? 100 : 0],
    );
  };
  const changeTo: Readonly<Record<OrderStatus, OrderChange['set']>> = {
    NOT_STARTED: { status: 'NOT_STARTED' },
    EXECUTING: { status: 'EXECUTING' },
    SUCCESS: {
      status: 'SUCCESS',
      isFinal: true,
      capturedMinor: 100n,
      pending: undefined,
      nextAttemptMs: undefined,
    },
    FAILED: { status: 'FAILED', failureCode: 'card_declined' },
  };
  /** Twenty changes of the order as it was read, at the same time, and what became of them. */
  const race = async (id: string, targets: readonly OrderStatus[]) => {
    const order = (await readOrder(database.sql, id))!;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => {
        const set = changeTo[targets[at % targets.length]!];
        const context = { nowMs: Date.now(), source: `copy ${at}` };
        return database.sql.transaction((tx) =>
          changeOrders(tx, [{ order, change: { set, cause: 'race' }, context }]),
        );
      }),
    );
    const made = outcomes.filter((one) => one.status === 'fulfilled' && one.value[0] !== undefined).length;
    const { status, version } = (await readOrder(database.sql, id))!;
    return { made, refused: outcomes.filter((one) => one.status === 'rejected').length, status, version };
  };
  const states = [
    ...(['NOT_STARTED', 'EXECUTING', 'FAILED'] as const).map((status) => [status, false] as const),
    ...(['SUCCESS', 'FAILED'] as const).map((status) => [status, true] as const),
  ];
  const edges = ['NOT_STARTED EXECUTING', 'EXECUTING SUCCESS', 'EXECUTING FAILED', 'FAILED EXECUTING'];

  proves('P-050', {
    asked: 'all other pairs are refused under concurrency, by compare-and-set in SQL; SUCCESS is final',
    shown:
      'from five states to each other state, twenty changes at once: of an edge one is made, of others none',
    control: {
      in: 'payment/schema/orders.ts',
      change: "('EXECUTING', 'FAILED'), ('FAILED', 'EXECUTING'))",
      to: "('EXECUTING', 'FAILED'), ('FAILED', 'EXECUTING'), ('FAILED', 'NOT_STARTED'))",
    },
  });
  it('P-050: of twenty concurrent changes an edge is made once, another pair never', async () => {
    for (const [from, isFinal] of states)
      for (const to of orderStatuses.filter((one) => one !== from)) {
        const id = `${from}-${isFinal ? 'final' : 'open'}-${to}`;
        await inState(id, from, isFinal);
        // FAILED goes on only while the order may be retried: it is not final.
        const isEdge = !isFinal && edges.includes(`${from} ${to}`);
        expect([id, await race(id, [to])]).toEqual([
          id,
          isEdge
            ? { made: 1, refused: 0, status: to, version: 2 }
            : { made: 0, refused: 20, status: from, version: 1 },
        ]);
      }
    await inState('both', 'EXECUTING', false);
    const { made, version } = await race('both', ['SUCCESS', 'FAILED']);
    expect([made, version]).toEqual([1, 2]);
  });
});
