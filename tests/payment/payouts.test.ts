import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { type Currency, parseCurrency } from '#payment/money/currency.js';
import { createPayout, createPayoutsOfPeriod } from '#payment/payouts/create-payouts.js';
import type { Payable, PayableState, PayablesProvider } from '#payment/payouts/payables-provider.js';
import { listPayouts, type Payout, payoutOf } from '#payment/payouts/payout.js';
import { type PayoutDeps, runPayouts, settlePayout } from '#payment/payouts/payout-runner.js';
import { payoutDefaults } from '#payment/settings/delivery-settings.js';
import { advanceWallets, walletOf } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { openLedgerDatabase } from './ledger-database.js';

/** Pays each id once and remembers it; `faults` determine the fate of the next responses. */
class RememberingProvider implements PayablesProvider {
  readonly paid = new Map<string, Payable>();
  readonly asked: string[] = [];
  faults: Array<'lost before' | 'lost after' | 'slow' | undefined> = [];
  readonly #states = new Map<string, PayableState>();

  async pay(payable: Payable): Promise<PayableState> {
    this.asked.push(payable.payoutId);
    const fault = this.faults.shift();
    if (fault === 'lost before') return { kind: 'unknown', reason: 'connection reset' };
    const reference = `ref-${payable.payoutId}`;
    const state =
      this.#states.get(payable.payoutId) ??
      (payable.sellerAccount.startsWith('CLOSED')
        ? { kind: 'failed' as const, code: 'account_closed', reason: 'The account is closed.' }
        : { kind: 'paid' as const, reference });
    this.#states.set(payable.payoutId, state);
    if (state.kind === 'paid') this.paid.set(payable.payoutId, payable);
    if (fault === 'slow') return { kind: 'processing', reference };
    return fault === 'lost after' ? { kind: 'unknown', reason: 'time-out' } : state;
  }

  async find(payoutId: string): Promise<PayableState | { readonly kind: 'absent' }> {
    return this.#states.get(payoutId) ?? { kind: 'absent' };
  }
}

let sql: Sql;
let dispose: () => Promise<void>;
let provider: RememberingProvider;
let alerts: Payout[];
let clock: number;
let deps: PayoutDeps;
let names = 0;
let seller: string;
let period: string;
/** A separate provider for each test, so that the run of one does not pay the sellers of another. */
let currency: Currency;
const currencies = 'EUR USD GBP CHF SEK NOK DKK PLN CZK RON TRY'.split(' ');
const money = (minor: number) => ({ minor: BigInt(minor), currency });

beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(async () => {
  expect((await verifyLedger(sql)).faults).toEqual([]);
  await dispose?.();
});
beforeEach(async () => {
  // Anything that earlier tests left open is not due in this one.
  await sql.query(`UPDATE payout SET next_attempt_at = '2100-01-01' WHERE next_attempt_at IS NOT NULL`);
  provider = new RememberingProvider();
  alerts = [];
  clock = Date.now();
  deps = {
    sql,
    provider,
    now: () => new Date(clock),
    random: () => 0.5,
    settings: payoutDefaults,
    onAlert: (payout) => alerts.push(payout),
  };
  seller = `SELLER-${names++}`;
  period = `2026-${names}`;
  currency = parseCurrency(currencies.shift())!;
});

const earn = (who: string, minor: number) =>
  sql.transaction((tx) =>
    post(tx, [captureOf({ paymentOrderId: `e-${names++}`, seller: who, amount: money(minor) })]),
  );
const standing = async (who = seller) => {
  const { posted, available } = await balanceOf(sql, sellerAccount(who, currency));
  return [Number(posted.minor), Number(available.minor)];
};
const month = (minimum = 1) =>
  createPayoutsOfPeriod(sql, { period, minimum: money(minimum), requestedBy: 'finance', now: deps.now() });
/** Repeats rounds until nothing is due, and advances the clock by the delays. */
async function settled(): Promise<void> {
  for (let round = 0; round < 30; round += 1) {
    await runPayouts(deps);
    clock += 120_000;
  }
}
const only = async () =>
  (await listPayouts(sql, { limit: 200 })).filter(({ sellerAccount: who }) => who === seller);

describe('payouts', () => {
  test('P-002: one payable of the full balance empties the wallet, bank to bank in the ledger', async () => {
    await earn(seller, 12_345);
    const bank = (await balanceOf(sql, accountOf('cash-bank', currency))).posted.minor;
    expect(await month()).toBe(1);
    expect(await standing()).toEqual([12_345, 0]);
    await settled();
    expect([...provider.paid.values()]).toMatchObject([{ sellerAccount: seller, amount: money(12_345) }]);
    expect(await standing()).toEqual([0, 0]);
    expect((await balanceOf(sql, accountOf('cash-bank', currency))).posted.minor).toBe(bank - 12_345n);
    await sql.transaction((tx) => advanceWallets(tx));
    expect(await walletOf(sql, seller, currency)).toMatchObject({ balance: money(0), reserved: money(0) });
    expect(await only()).toMatchObject([{ state: 'paid', period, attempts: 1, failure: undefined }]);
  });

  test('P-003: two runs, and four concurrent runs, pay each seller once', async () => {
    await earn(seller, 700);
    await earn(`${seller}-b`, 800);
    const created = await Promise.all([month(), month(), month(), month()]);
    expect(created.reduce((a, b) => a + b)).toBe(2);
    await Promise.all([runPayouts(deps), runPayouts(deps), runPayouts(deps)]);
    await earn(seller, 5);
    expect(await month()).toBe(0);
    await settled();
    expect(provider.asked.toSorted()).toEqual([...provider.paid.keys()].toSorted());
    expect(provider.paid.size).toBe(2);
    expect(await standing()).toEqual([5, 5]);
  });

  proves('P-003', {
    asked: 'killed halfway and run again: each seller is paid once',
    shown: 'the states that a kill leaves before and after the call; kill -9 of the program in payout-kills',
    settings: ['a provider within the test'],
    control: {
      in: 'payment/payouts/payout-runner.ts',
      change: "if (found.kind !== 'absent') return",
      to: "if (found.kind !== 'absent' && found.kind !== 'paid') return",
    },
  });
  test('P-003: killed between database and provider, before or after, each is paid once', async () => {
    await earn(seller, 700);
    await month();
    const [payout] = await only();
    // Killed after `sending` was written and before the provider received it.
    await sql.query(`UPDATE payout SET state = 'sending', attempts = 1 WHERE payout_id = $1`, [
      payout!.payoutId,
    ]);
    await settled();
    expect(provider.asked).toEqual([payout!.payoutId]);
    expect(await only()).toMatchObject([{ state: 'paid', attempts: 2 }]);

    const other = `${seller}-after`;
    await earn(other, 300);
    period = `${period}-after`;
    await month();
    const second = (await listPayouts(sql, { limit: 200 })).find(({ sellerAccount: who }) => who === other)!;
    // Killed after the provider had paid and before we recorded it.
    await provider.pay({ payoutId: second.payoutId, sellerAccount: other, amount: second.amount });
    await sql.query(`UPDATE payout SET state = 'sending', attempts = 1 WHERE payout_id = $1`, [
      second.payoutId,
    ]);
    await settled();
    expect(provider.asked.filter((id) => id === second.payoutId)).toHaveLength(1);
    expect(await payoutOf(sql, second.payoutId)).toMatchObject({ state: 'paid' });
    expect(await standing(other)).toEqual([0, 0]);
  });

  test('D10: a query resolves an unknown outcome; the money stays reserved until then', async () => {
    await earn(seller, 400);
    await month();
    provider.faults = ['lost after'];
    await runPayouts(deps);
    expect(await only()).toMatchObject([{ state: 'unknown' }]);
    expect(await standing()).toEqual([400, 0]);
    await settled();
    expect(provider.asked).toHaveLength(1);
    expect(await only()).toMatchObject([{ state: 'paid' }]);
  });

  test('D10: a payout that the provider does not know is sent again with the same id', async () => {
    await earn(seller, 400);
    await month();
    provider.faults = ['lost before', 'lost before', 'slow'];
    await settled();
    expect(new Set(provider.asked).size).toBe(1);
    expect(provider.asked).toHaveLength(3);
    expect(provider.paid.size).toBe(1);
    expect(await only()).toMatchObject([{ state: 'paid', attempts: 3 }]);
    expect(await standing()).toEqual([0, 0]);
  });

  proves('P-004', {
    asked: 'failed, the balance back by a reversing entry, an alert',
    shown: 'failed, 9.00 back, pending then void, one alert; over HTTPS in monthly-payout',
    settings: ['a provider within the test'],
    control: {
      in: 'payment/payouts/payout-runner.ts',
      change: 'transfers: [releaseOf(payout)], failure,',
      to: 'transfers: [], failure,',
    },
  });
  test('P-004: a closed account fails; a counter-entry restores the balance; one alert', async () => {
    seller = `CLOSED-${seller}`;
    await earn(seller, 900);
    await month();
    await settled();
    const [payout] = await only();
    expect(payout).toMatchObject({ state: 'failed', failure: 'account_closed: The account is closed.' });
    expect(await standing()).toEqual([900, 900]);
    expect(alerts.map(({ payoutId }) => payoutId)).toEqual([payout!.payoutId]);
    const { rows } = await sql.query(
      'SELECT operation, phase FROM ledger_transfer WHERE subject = $1 ORDER BY debit_sequence',
      [payout!.payoutId],
    );
    expect(rows).toEqual([
      { operation: 'send', phase: 'pending' },
      { operation: 'failed', phase: 'void' },
    ]);
  });

  test('P-004: a payout returned after payment is reversed once, however often reported', async () => {
    await earn(seller, 900);
    await month();
    await settled();
    const [payout] = await only();
    for (let time = 0; time < 5; time += 1)
      await settlePayout(deps, payout!.payoutId, {
        kind: 'returned',
        reference: 'r',
        reason: 'No such person.',
      });
    // A late answer of the provider changes nothing.
    await settlePayout(deps, payout!.payoutId, { kind: 'paid', reference: 'late' });
    await settlePayout(deps, payout!.payoutId, { kind: 'unknown', reason: 'late' });
    expect(await payoutOf(sql, payout!.payoutId)).toMatchObject({
      state: 'returned',
      failure: 'returned: No such person.',
    });
    expect(await standing()).toEqual([900, 900]);
    expect(alerts).toHaveLength(1);
  });

  test('a minimum leaves small balances alone, and a seller who owes us money is not paid', async () => {
    await earn(seller, 99);
    expect(await month(100)).toBe(0);
    await earn(seller, 1);
    expect(await month(100)).toBe(1);
  });

  test('a manual payout: same id, same payout; too large or another amount is refused', async () => {
    await earn(seller, 500);
    const ask = (payoutId: string, minor: number) =>
      sql.transaction((tx) =>
        createPayout(tx, {
          payoutId,
          sellerAccount: seller,
          amount: money(minor),
          requestedBy: 'ann',
          reason: 'asked on the phone',
          now: deps.now(),
        }),
      );
    const id = `by-hand-${seller}`;
    expect(await ask(id, 300)).toMatchObject({
      kind: 'created',
      payout: { state: 'awaiting_second', requestedBy: 'ann', reason: 'asked on the phone' },
    });
    expect(await ask(id, 300)).toMatchObject({ kind: 'existing' });
    expect(await ask(id, 301)).toEqual({ kind: 'conflict' });
    expect(await ask(period, 50)).toMatchObject({ kind: 'created' });
    expect(await ask(`${id}-2`, 201)).toEqual({ kind: 'insufficient' });
    expect(await payoutOf(sql, `${id}-2`)).toBeUndefined();
    const both = await Promise.all([ask(`${id}-3`, 150), ask(`${id}-4`, 150)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['created', 'insufficient']);
    // An id that looks like a month does not exclude the seller from that month's run.
    await earn(seller, 40);
    expect(await month()).toBe(1);
  });

  test('I8: the database refuses transitions that are not allowed', async () => {
    await earn(seller, 500);
    await month();
    await settled();
    const change = (set: string) => sql.query(`UPDATE payout SET ${set} WHERE seller_account = $1`, [seller]);
    await expect(change(`state = 'failed'`)).rejects.toThrow('cannot go from paid to failed');
    await expect(change(`state = 'created', next_attempt_at = now()`)).rejects.toThrow(
      'cannot go from paid to created',
    );
    await expect(change(`amount_minor = 1`)).rejects.toThrow('keeps what it was made with');
  });
});
