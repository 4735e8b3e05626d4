import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CsvNumber, csvLine } from '#payment/merchant/csv-line.js';
import { advanceEntryIndex } from '#payment/merchant/entry-index.js';
import { requireSum, type Statement, statementOf } from '#payment/merchant/merchant-statement.js';
import { parseCurrency } from '#payment/money/currency.js';
import type { MerchantEntryBody } from '#schemas/http/merchants.js';
import { eventually } from '../eventually.js';
import { assignAccount, getAsMerchant } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
const [mine, theirs] = ['DE-MINE 1', 'DE-THEIRS'];
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct' });
  for (const [merchant_id, seller_account] of [
    ['ann', mine],
    ['bob', theirs],
  ])
    expect((await assign({ merchant_id, seller_account, reason: 'contract' })).status).toBe(201);
});
afterAll(() => room?.close());

const assign = (body: object, token?: string) => assignAccount(room, body, token);
const get = (path: string, token?: string) => getAsMerchant(room, path, token);

const entriesOf = async (query: string, token?: string): Promise<MerchantEntryBody[]> =>
  (await get(`/entries?${query}`, token)).body.entries;

async function captured(seller: string, amount: string, currency = 'EUR'): Promise<string> {
  const order = { seller_account: seller, amount, currency };
  const { payment_order_id: id } = await room.pay(order, 'tok_captured');
  await room.until(id, (one) => one.ledger_updated && one.wallet_updated);
  return id;
}

describe('a merchant', () => {
  it('reads balance, entries and a statement that adds up, in two currencies', async () => {
    const first = await captured(mine, '10.50');
    await captured(mine, '4000', 'JPY');
    await captured(theirs, '7.00');
    const refund_id = randomUUID();
    await room.refund(first, { refund_id, amount: '2.25' });
    await eventually(async () => expect(await entriesOf('currency=EUR')).toHaveLength(2));

    const none = { pending: '0.00', reserved: '0.00', disputed: '0.00' };
    expect((await get('/balance')).body.balances).toEqual([
      { seller_account: mine, currency: 'EUR', available: '8.25', ...none },
      {
        seller_account: mine,
        currency: 'JPY',
        available: '4000',
        pending: '0',
        reserved: '0',
        disputed: '0',
      },
    ]);
    expect(await entriesOf('currency=EUR')).toMatchObject([
      { sequence: '2', kind: 'refund', amount: '-2.25', balance: '8.25', operation: `refund:${refund_id}` },
      { sequence: '1', kind: 'capture', amount: '10.50', balance: '10.50', subject: first },
    ]);
    expect(await entriesOf(`currency=EUR&subject=${first}&kind=refund`)).toHaveLength(1);
    expect(await entriesOf('currency=EUR&kind=capture')).toHaveLength(1);
    expect(await entriesOf('currency=EUR&limit=1&before=2')).toMatchObject([{ sequence: '1' }]);

    const month = new Date().toISOString().slice(0, 7);
    const { body } = await get(`/statement?currency=EUR&month=${month}`);
    expect(body).toMatchObject({ opening_balance: '0.00', closing_balance: '8.25' });
    expect(body.entries.map(({ amount }: MerchantEntryBody) => amount)).toEqual(['10.50', '-2.25']);
    const csv = await get(`/statement?currency=EUR&month=${month}&format=csv`);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n').map((line) => line.split(',').slice(4, 6).join(' '))).toEqual([
      '"amount" "balance"',
      '0.00 0.00',
      '10.50 10.50',
      '-2.25 8.25',
      '0.00 8.25',
      '',
    ]);
    const html = await get(`/statement?currency=EUR&month=${month}&format=html`);
    expect(html.text).toContain('<td>Closing balance</td><td></td><td></td><td>8.25</td>');
  });

  it('splits time between statements without a gap or a doubled entry', async () => {
    const seller = 'SPLIT';
    for (const amount of ['1.00', '2.00', '3.00']) await captured(seller, amount);
    const { rows } = await room.sql.query<{ at: Date }>(
      `SELECT t.posted_at AS at FROM ledger_transfer t JOIN ledger_account a ON a.account_no = t.credit_account
       WHERE a.id = $1 ORDER BY t.credit_sequence`,
      [`seller:${seller}:EUR`],
    );
    const currency = parseCurrency('EUR')!;
    const cut = rows[1]!.at;
    const [begin, end] = [new Date(0), new Date(Date.now() + 1_000)];
    const parts: Statement[] = [];
    for (const [from, to] of [
      [begin, cut],
      [cut, end],
    ]) {
      const outcome = await statementOf(room.sql, { seller, currency, from: from!, to: to! });
      if (outcome.kind !== 'statement') throw new Error(outcome.kind);
      parts.push(outcome.statement);
    }
    expect(parts[0]!.closingMinor).toBe(parts[1]!.openingMinor);
    expect(parts.flatMap(({ entries }) => entries.map(({ sequence }) => sequence))).toEqual([1n, 2n, 3n]);
    expect(parts[1]!.closingMinor).toBe(600n);
    // An entry that is missing, or one that is wrong, is never given to anybody.
    const { entries } = parts[1]!;
    expect(() => requireSum({ ...parts[1]!, entries: entries.slice(1) }, BigInt(entries.length))).toThrow(
      'lead from',
    );
    await room.sql.query(
      `DELETE FROM merchant_entry USING ledger_account a
       WHERE merchant_entry.account_no = a.account_no AND a.id = $1 AND merchant_entry.sequence = 2`,
      [`seller:${seller}:EUR`],
    );
    await expect(statementOf(room.sql, { seller, currency, from: begin, to: end })).rejects.toThrow(
      'has 2 of 3 entries',
    );
  });

  it('sees nothing of another one, whatever it asks for', async () => {
    const id = await captured(theirs, '3.00');
    expect((await get(`/payments/${id}`, 'merchant.bob')).status).toBe(200);
    expect((await get(`/payments/${id}`)).status).toBe(404);
    const seller = encodeURIComponent(theirs);
    for (const path of [
      `/balance?seller_account=${seller}`,
      `/entries?currency=EUR&seller_account=${seller}`,
      `/statement?currency=EUR&month=2026-01&seller_account=${seller}`,
      `/payments?seller_account=${seller}`,
      `/payments-export?seller_account=${seller}`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const { checkout_id } = (await get(`/payments/${id}`, 'merchant.bob')).body;
    expect((await get(`/payments?checkout_id=${checkout_id}`)).body.payments).toEqual([]);
    expect(await entriesOf(`currency=EUR&subject=${id}`)).toEqual([]);
    // Nobody gave these an account.
    expect((await get('/balance', 'merchant.eve')).body).toEqual({ balances: [] });
    for (const path of ['/entries?currency=EUR', '/payments', '/payments-export'])
      expect((await get(path, 'merchant.eve')).status).toBe(404);
    for (const token of ['customer.ann', 'service.ann', 'staff.ann', 'finance.ann'])
      expect((await get('/balance', token)).status).toBe(403);
    const refused = await room.post(
      { refund_id: randomUUID() },
      { token: 'merchant.bob', path: `/v1/payments/${id}/refunds` },
    );
    expect(refused.status).toBe(403);
  });

  it('gets one seller account at a time, from finance alone; a removed one is gone at once', async () => {
    const seller_account = 'MOVED/1';
    expect((await assign({ merchant_id: 'ann', seller_account, reason: 'x' }, 'merchant.ann')).status).toBe(
      403,
    );
    const body = { merchant_id: 'cat', seller_account, reason: 'bought' };
    const both = await Promise.all([assign(body), assign({ ...body, merchant_id: 'dan' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const winner = both[0]!.status === 201 ? 'cat' : 'dan';
    expect((await assign({ ...body, merchant_id: winner })).status).toBe(200);
    await captured(seller_account, '1.00');
    expect((await get('/payments', `merchant.${winner}`)).body.payments).toHaveLength(1);
    const removal = {
      token: 'finance.fay',
      path: '/v1/merchant-accounts/removals',
      base: room.internalUrl,
      key: '',
    };
    expect((await room.post({ seller_account, reason: 'sold' }, removal)).status).toBe(204);
    expect((await room.post({ seller_account, reason: 'sold' }, removal)).status).toBe(404);
    expect((await get('/payments', `merchant.${winner}`)).status).toBe(404);
    await expect(room.sql.query('DELETE FROM merchant_account')).rejects.toThrow('only removed, once');
    await expect(
      room.sql.query(`UPDATE merchant_account SET merchant_id = 'eve' WHERE removed_at IS NULL`),
    ).rejects.toThrow('only removed, once');
  });

  it('is told one clear error for a wrong question', async () => {
    for (const [path, pointer] of [
      ['/payments?amount_from=1.00', '/query/amount_from'],
      ['/payments?currency=EUR&amount_to=1.001', '/query/amount_to'],
      ['/payments?currency=ZZZ', '/query/currency'],
      ['/payments?after=zzzz', '/query/after'],
      ['/payments?from=2026-02-31T00:00:00Z', '/query/from'],
      ['/payments?from=2026-02-02T00:00:00Z&to=2026-02-02T00:00:00Z', '/query/to'],
      ['/payments?checkout_id=a&status=FAILED', '/query/checkout_id'],
      ['/payments?limit=201', '/query/limit'],
      ['/entries', '/query/currency'],
      ['/entries?currency=EUR&before=9223372036854775808', '/query/before'],
      ['/statement?currency=EUR', '/query/from'],
      ['/statement?currency=EUR&month=2026-13', '/query/month'],
      ['/statement?currency=EUR&month=2026-01&to=2026-02-02T00:00:00Z', '/query/month'],
      ['/statement?currency=EUR&month=2099-01', '/query/from'],
    ]) {
      const { status, body } = await get(path!);
      expect([path, status, body.errors?.[0]?.pointer]).toEqual([path, 400, pointer]);
    }
  });

  it('exports payments; a formula in a text is not one any more', async () => {
    const seller_account = 'EXPORT';
    await assign({ merchant_id: 'exp', seller_account, reason: 'contract' });
    for (const token of ['customer.+1', 'customer.-1'])
      await room.pay({ seller_account }, 'tok_captured', token);
    const { text, headers } = await get('/payments-export', 'merchant.exp');
    expect(headers.get('content-disposition')).toContain('payments.csv');
    expect(text).toContain(`,"'+1",`);
    expect(text).toContain(`,"'-1",`);
    expect(text.trim().split('\r\n')).toHaveLength(3);
    for (const begin of ['=', '+', '-', '@', '\t', '\r'])
      expect(csvLine([`${begin}HYPERLINK("x")`])).toBe(`"'${begin}HYPERLINK(""x"")"\r\n`);
    expect(csvLine([new CsvNumber('-1.50'), 'a=b'])).toBe('-1.50,"a=b"\r\n');
    expect(() => new CsvNumber('=1')).toThrow('not a number');
  });
});

describe('the index of entries', () => {
  it('has each posting of sellers once, however many build it at the same time', async () => {
    await room.sql.query('TRUNCATE merchant_entry');
    await room.sql.query('UPDATE merchant_entry_head SET batch_no = 0');
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (await advanceEntryIndex(room.sql));
      }),
    );
    const [{ missing }] = (
      await room.sql.query<{ missing: bigint }>(
        `SELECT count(*) AS missing FROM ledger_entry e FULL JOIN merchant_entry m
           ON m.account_no = e.account_no AND m.sequence = e.sequence AND m.batch_no = e.batch_no
         WHERE e.account IS NULL OR m.account_no IS NULL AND e.account LIKE 'seller:%'
           AND e.batch_no <= (SELECT batch_no FROM merchant_entry_head)`,
      )
    ).rows as [{ missing: bigint }];
    expect(missing).toBe(0n);
    expect(await room.count('SELECT count(*) AS n FROM merchant_entry')).toBeGreaterThan(5);
  });
});
