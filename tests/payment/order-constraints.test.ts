import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    shown: 'raw inserts: a fifth state fails by the constraint, one of the four passes',
    control: {
      in: 'payment/schema/orders.ts',
      change: "CHECK (payment_order_status IN ('NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED')),",
      to: "CHECK (payment_order_status <> ''),",
    },
  });
  it('P-036: has a constraint that refuses a fifth state', async () => {
    await expect(insert('PAID')).rejects.toThrow('payment_orders_payment_order_status_check');
    await expect(insert('NOT_STARTED')).resolves.toMatchObject({ rowCount: 1 });
  });
});
