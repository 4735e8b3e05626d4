import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feeOf, feeReturned } from '#payment/fees/application-fee.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { MerchantPaymentBody } from '#schemas/http/merchants.js';
import type { SellerFeeBody } from '#schemas/http/seller-fees.js';
import { eventually } from '../eventually.js';
import { assignAccount, getAsMerchant } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

const seller = 'DE-FEES';
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct' });
  const account = { merchant_id: 'ann', seller_account: seller, reason: 'contract' };
  expect((await assignAccount(room, account)).status).toBe(201);
});
afterAll(() => room?.close());

async function staff(path: string, body: object, token = 'finance.fay') {
  const response = await room.post(body, { token, path: `/v1/seller-fees${path}`, base: room.internalUrl });
  return { status: response.status, body: (await response.json()) as SellerFeeBody };
}
const terms = (more: object = {}) => ({
  seller_account: seller,
  currency: 'EUR',
  basis_points: 250,
  fixed_amount: '0.30',
  reason: 'contract',
  ...more,
});
const agree = { decision: 'approve', reason: 'signed' };
async function charge(more: object = {}): Promise<void> {
  const { body } = await staff('', terms(more));
  expect((await staff(`/${body.fee_no}/review`, agree, 'finance.gus')).body.fee_status).toBe('active');
}
async function captured(amount: string, currency = 'EUR', card = 'tok_captured'): Promise<string> {
  const order = { seller_account: seller, amount, currency };
  const { payment_order_id: id } = await room.pay(order, card);
  await room.until(id, (one) => one.ledger_updated && one.wallet_updated);
  return id;
}
const entriesOf = async (id: string, currency = 'EUR') =>
  (await getAsMerchant(room, `/entries?currency=${currency}&subject=${id}`)).body.entries.map(
    ({ kind, amount }: Record<string, string>) => [kind, amount],
  );
const feeOfPayment = async (id: string) =>
  ((await getAsMerchant(room, `/payments/${id}`)).body as MerchantPaymentBody).application_fee;
const commission = (currency: string) =>
  room.count(`SELECT coalesce((SELECT -balance FROM ledger_trial_balance WHERE id = $1), 0)::bigint AS n`, [
    `commission:${currency}`,
  ]);

describe('the arithmetic', () => {
  it('rounds half up, never takes more than was captured, and equals that of the database', async () => {
    expect(feeOf({ basisPoints: 250, fixedMinor: 30n }, 1_050n)).toBe(56n);
    expect(feeOf({ basisPoints: 50, fixedMinor: 0n }, 100n)).toBe(1n);
    expect(feeOf({ basisPoints: 49, fixedMinor: 0n }, 100n)).toBe(0n);
    expect(feeOf({ basisPoints: 0, fixedMinor: 30n }, 20n)).toBe(20n);
    expect(feeOf(undefined, 20n)).toBe(0n);
    const cases = Array.from({ length: 2_000 }, (_, n) => ({
      captured: BigInt((n * 7_919 + 1) % 99_991) * (n % 5 === 0 ? 10n ** 10n : 1n) + 1n,
      basisPoints: (n * 37) % 5_001,
      fixedMinor: BigInt((n * 13) % 200),
    }));
    const { rows } = await room.sql.query<{ readonly fee: bigint }>(
      `SELECT application_fee('SUCCESS', c, b, f) AS fee
       FROM unnest($1::bigint[], $2::integer[], $3::bigint[]) WITH ORDINALITY u(c, b, f, n) ORDER BY n`,
      [
        cases.map((one) => one.captured),
        cases.map((one) => one.basisPoints),
        cases.map((one) => one.fixedMinor),
      ],
    );
    expect(rows.map(({ fee }) => fee)).toEqual(cases.map((one) => feeOf(one, one.captured)));
  });

  it('returns the whole fee with the last part, however a payment is refunded', () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const total = BigInt((seed * 7_919) % 10_007) + 1n;
      const fee = feeOf({ basisPoints: (seed * 31) % 5_001, fixedMinor: BigInt(seed % 40) }, total);
      let refunded = 0n;
      let returned = 0n;
      for (let step = 1n; refunded < total; step += 1n) {
        const part = (total * step) / 11n + 1n;
        const amountMinor = part < total - refunded ? part : total - refunded;
        const back = feeReturned(fee, total, { beforeMinor: refunded, amountMinor });
        expect(back >= 0n && back <= amountMinor).toBe(true);
        refunded += amountMinor;
        returned += back;
        // Never more than the share of what was refunded, and less than one unit less.
        expect(returned * total <= fee * refunded && (returned + 1n) * total > fee * refunded).toBe(true);
      }
      expect(returned).toBe(fee);
    }
  });
});

describe('a seller', () => {
  it('has the fee that two people approved, from the next payment on', async () => {
    const before = await captured('10.50');
    expect(await entriesOf(before)).toEqual([['capture', '10.50']]);
    expect((await staff('', terms({ basis_points: 5_001 }))).status).toBe(400);
    expect((await staff('', terms({ fixed_amount: '0.305' }))).status).toBe(400);
    expect((await staff('', terms(), 'payouts.pat')).status).toBe(403);
    const { status, body } = await staff('', terms());
    expect([status, body.fee_status, body.fixed_amount]).toEqual([202, 'awaiting_second', '0.30']);
    expect((await staff('', terms())).status).toBe(409);
    const waiting = await captured('10.50');
    expect(await entriesOf(waiting)).toEqual([['capture', '10.50']]);
    expect((await staff(`/${body.fee_no}/review`, agree, 'finance.fay')).status).toBe(403);
    expect((await staff(`/${body.fee_no}/review`, agree, 'finance.gus')).status).toBe(200);
    expect((await staff(`/${body.fee_no}/review`, agree, 'finance.gus')).status).toBe(409);
    expect((await staff('/999999/review', agree)).status).toBe(404);
    const mine = await fetch(`${room.url}/v1/seller-fees`, {
      headers: { authorization: 'Bearer merchant.ann' },
    });
    expect(((await mine.json()) as { fees: SellerFeeBody[] }).fees).toHaveLength(1);
    const id = await captured('10.50');
    // One entry of the ledger: both legs or none.
    expect(await entriesOf(id)).toEqual([
      ['fee', '-0.56'],
      ['capture', '10.50'],
    ]);
    expect(await room.ledgerTransfers(id)).toBe(1);
    expect([await feeOfPayment(before), await feeOfPayment(id)]).toEqual(['0.00', '0.56']);
    const [{ available }] = (await getAsMerchant(room, '/balance')).body.balances;
    expect(available).toBe('30.94');
    const month = new Date().toISOString().slice(0, 7);
    const statement = (await getAsMerchant(room, `/statement?currency=EUR&month=${month}`)).body;
    expect(statement.closing_balance).toBe('30.94');
    expect(await commission('EUR')).toBe(56);
  });

  it('gets the fee back in proportion to each refund, and all of it in the end', async () => {
    const id = await captured('10.50');
    const parts = ['0.01', '3.33', '7.16'];
    const returned: string[] = [];
    for (const amount of parts) {
      const refund_id = randomUUID();
      await room.refund(id, { refund_id, amount });
      await eventually(async () => expect(await room.ledgerTransfers(id, `refund:${refund_id}`)).toBe(1));
      returned.push(await feeOfPayment(id));
    }
    expect(returned).toEqual(['0.56', '0.39', '0.00']);
    const entries: string[][] = await entriesOf(id);
    const sum = entries.reduce((total, [, amount]) => total + Math.round(Number(amount) * 100), 0);
    expect(sum).toBe(0);
    expect(entries.filter(([kind]) => kind === 'fee').map(([, amount]) => amount)).toEqual([
      '0.39',
      '0.17',
      '-0.56',
    ]);
  });

  it('pays it of what is captured, in currencies without and with three decimals', async () => {
    await charge({ currency: 'JPY', basis_points: 300, fixed_amount: '40' });
    await charge({ currency: 'KWD', basis_points: 150, fixed_amount: '0.125' });
    expect(await entriesOf(await captured('999', 'JPY'), 'JPY')).toEqual([
      ['fee', '-70'],
      ['capture', '999'],
    ]);
    expect(await entriesOf(await captured('12.345', 'KWD'), 'KWD')).toEqual([
      ['fee', '-0.310'],
      ['capture', '12.345'],
    ]);
    const body = room.body([{ seller_account: seller, amount: '20.00' }], {
      credit_card_info: { token: 'tok_captured' },
      capture_method: 'manual',
      buyer_info: { account: 'ada' },
    });
    const token = 'service.shop';
    const event = (await (await room.post(body, { token })).json()) as {
      payment_orders: { payment_order_id: string }[];
    };
    const id = event.payment_orders[0]!.payment_order_id;
    await room.post({ amount: '4.00' }, { token, path: `/v1/payments/${id}/capture` });
    await eventually(async () => expect(await feeOfPayment(id)).toBe('0.40'));
  });

  it('pays no fee for a payment that failed, and keeps the fee of a lost dispute', async () => {
    const order = { seller_account: seller, amount: '10.50' };
    const declined = await room.pay(order, 'tok_declined');
    expect(await feeOfPayment(declined.payment_order_id)).toBe('0.00');
    const id = await captured('10.50');
    const { id: disputeId } = await room.control<{ id: string }>('POST', '/disputes', { nonce: id });
    await room.control('POST', '/disputes/close', { id: disputeId, status: 'lost' });
    await eventually(async () =>
      expect(await entriesOf(id)).toEqual([
        ['dispute_lost', '-10.50'],
        ['fee', '-0.56'],
        ['capture', '10.50'],
      ]),
    );
  });

  it('whose fee changes keeps the fee of a payment that was submitted before', async () => {
    const id = await captured('10.50');
    await charge({ basis_points: 5_000, fixed_amount: '9.00' });
    expect(await feeOfPayment(id)).toBe('0.56');
    await room.refund(id, { refund_id: randomUUID() });
    await eventually(async () => expect(await feeOfPayment(id)).toBe('0.00'));
    await expect(
      room.sql.query('UPDATE payment_orders SET fee_fixed_minor = 0 WHERE payment_order_id = $1', [id]),
    ).rejects.toThrow('keeps its fee');
    const small = await captured('0.50');
    expect(await feeOfPayment(small)).toBe('0.50');
  });
});

it('the proof holds with fees, and notices one that is missing', async () => {
  await eventually(async () =>
    expect(await proveMoney(room.sql)).toMatchObject({
      share: 1,
      unproven: 0n,
      ledgerSum: 0n,
      walletsWrong: 0n,
    }),
  );
  expect((await verifyLedger(room.sql)).faults).toEqual([]);
  const { rows } = await room.sql.query<{ readonly kept: bigint; readonly owed: bigint }>(
    `SELECT (SELECT -sum(balance) FROM ledger_trial_balance WHERE id LIKE 'commission:%')::bigint AS kept,
       (SELECT sum(application_fee(payment_order_status, captured_minor, fee_basis_points, fee_fixed_minor))
        - (SELECT sum(fee_minor) FROM payment_refunds) FROM payment_orders)::bigint AS owed`,
  );
  expect(rows[0]!.kept).toBe(rows[0]!.owed);
  await room.sql.query(
    `UPDATE payment_refunds SET fee_minor = fee_minor + 1 WHERE refund_id =
       (SELECT refund_id FROM payment_refunds WHERE fee_minor > 0 LIMIT 1)`,
  );
  expect(await proveMoney(room.sql)).toMatchObject({ unproven: 1n });
});
