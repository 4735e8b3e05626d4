import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookInLedger, bookInWallet } from '#payment/orders/book-change.js';
import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { type PaymentOrderChanged, paymentChange, paymentStatusNumber } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
  await sql.query(
    `INSERT INTO payment_events (checkout_id, caller, created_at) VALUES ('checkout', 'shop', now())`,
  );
  await sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor,
       currency, payment_order_status, is_final, captured_minor, expires_at, created_at, changed_at)
     VALUES ('order', 'checkout', 0, 'ada', 'SELLER', '10.50', 1050, 'EUR', 'SUCCESS', true, 1050, now(), now(), now())`,
  );
});
afterAll(() => dispose?.());

const change: PaymentOrderChanged = {
  ...{ eventId: 'order:3', kind: paymentChange.succeeded, paymentOrderId: 'order', checkoutId: 'checkout' },
  ...{ sequence: 3, status: paymentStatusNumber.SUCCESS, amountMinor: 1_050, currency: 'EUR' },
  ...{ sellerAccount: 'SELLER', caller: 'shop', reason: 'captured', pspReference: 'pay_1', subjectId: '' },
  occurredMs: Date.now(),
};

/** What anybody else sees. */
async function seen(): Promise<
  readonly [ledger: boolean, transfers: number, wallet: boolean, balance: number]
> {
  const { rows } = await sql.query<{ ledger: boolean; transfers: bigint; wallet: boolean; balance: bigint }>(
    `SELECT ledger_updated AS ledger, (SELECT count(*) FROM ledger_transfer WHERE subject = 'order') AS transfers,
       wallet_updated AS wallet,
       (SELECT coalesce(sum(balance), 0)::bigint FROM wallet WHERE seller_account = 'SELLER') AS balance
     FROM payment_orders WHERE payment_order_id = 'order'`,
  );
  const { ledger, transfers, wallet, balance } = rows[0]!;
  return [ledger, Number(transfers), wallet, Number(balance)];
}

/** The process dies with the first statement that sets the flag. */
const dyingAtTheFlag = (tx: SqlTransaction): SqlTransaction => ({
  copyIn: (statement) => tx.copyIn(statement),
  query: (text, values) =>
    /SET (ledger|wallet)_updated = true/.test(text)
      ? Promise.reject(new Error('crash'))
      : tx.query(text, values),
});

const steps = {
  ledger: (tx: SqlTransaction) => bookInLedger(tx, [change], Date.now()),
  wallet: (tx: SqlTransaction) => bookInWallet(tx, [change], Date.now()),
} satisfies Readonly<Record<string, (tx: SqlTransaction) => Promise<unknown>>>;

proves('P-037', {
  asked:
    'each flag is true only after its call; a crash between them repeats the step without a second effect',
  shown: 'each step dies between call and flag, is done, is repeated twice: no flag without its effect, once',
  settings: ['the death is an error in the transaction; kill -9 in payment/executor-crash'],
  control: {
    in: 'payment/orders/book-change.ts',
    change: "'ledger_updated', nowMs);\n  return transfers.map(",
    to: "'wallet_updated', nowMs);\n  return transfers.map(",
  },
});
it('P-037: each flag follows its call, and a step that died before its flag is repeated once', async () => {
  for (const [step, done] of [
    ['ledger', [true, 1, false, 0]],
    ['wallet', [true, 1, true, 1_050]],
  ] as const) {
    const before = await seen();
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await expect(sql.transaction<unknown>((tx) => steps[step](dyingAtTheFlag(tx)))).rejects.toThrow(
        'crash',
      );
      expect(await seen()).toEqual(before);
    }
    // Done, and repeated by a process that died after the commit and before the log knew of it.
    for (let times = 0; times < 3; times += 1) {
      await sql.transaction<unknown>((tx) => steps[step](tx));
      expect(await seen()).toEqual(done);
    }
  }
  const { rows } = await sql.query(
    `SELECT is_payment_done FROM payment_events WHERE checkout_id = 'checkout'`,
  );
  expect(rows).toEqual([{ is_payment_done: true }]);
});
