import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSchedules } from '#payment/payouts/run-schedules.js';
import type { PayoutScheduleBody } from '#schemas/http/payout-schedules.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

/** The clock of the service. */
let aheadMs = 0;
const nowMs = () => Date.now() + aheadMs;
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct', nowMs });
});
afterAll(() => room?.close());

const asked = async <Body>(path: string, body: object, token: string): Promise<Body> => {
  const response = await room.post(body, { token, path, base: room.internalUrl });
  const text = await response.text();
  expect([200, 202], text).toContain(response.status);
  return JSON.parse(text) as Body;
};

/** Paid on the first day of each month; one person asks for it and another approves. */
async function paidMonthly(seller: string): Promise<void> {
  const { schedule_no: no } = await asked<PayoutScheduleBody>(
    '/v1/payout-schedules',
    {
      ...{ seller_account: seller, currency: 'EUR', interval: 'monthly', month_day: 1 },
      ...{ time_zone: 'UTC', reason: 'contract' },
    },
    'payouts.petra',
  );
  const review = { decision: 'approve', reason: 'as agreed' };
  await asked(`/v1/payout-schedules/${no}/review`, review, 'finance.fina');
}

const earn = async (seller: string, amount: string): Promise<void> => {
  const { payment_order_id: id } = await room.pay({ seller_account: seller, amount }, 'tok_captured');
  await room.settled(id);
};

/** Moves the clock of the service to a day of a month to come. */
function toDay(day: number, monthsAhead: number): void {
  const today = new Date();
  aheadMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + monthsAhead, day, 9) - Date.now();
}

/** The payables of the seller that the provider has paid, by its own record. */
const payables = async (seller: string) =>
  (await room.record()).flatMap((line) =>
    line.kind === 'payout' && line.payout.account === seller
      ? [`${line.payout.status} ${line.payout.amountMinor} ${line.payout.currency}`]
      : [],
  );
const wallet = (seller: string) =>
  room.count('SELECT balance AS n FROM wallet WHERE seller_account = $1', [seller]);
const payoutsDone = (paid: number) =>
  eventually(async () =>
    expect(await room.count(`SELECT count(*) AS n FROM payout WHERE state = 'paid'`)).toBe(paid),
  );

proves('P-002', {
  asked: 'balance B: after the monthly run one payable of B, wallet 0, store bank to seller bank',
  shown:
    '123.45 on the 1st: one payable at the provider, wallet 0; cash-bank -123.45, owed to the seller +123.45',
  settings: ['the clock of the service, moved to the next month'],
  control: {
    in: 'payment/payouts/payout-runner.ts',
    change: 'transfers: [paymentOf(payout)]',
    to: 'transfers: [paymentOf(payout)].slice(1)',
  },
});
it('P-002: the monthly run pays the balance of a seller, bank to bank in the ledger', async () => {
  const seller = 'DE02100100100006820110';
  await paidMonthly(seller);
  await earn(seller, '100.00');
  await earn(seller, '23.45');
  expect(await wallet(seller)).toBe(12_345);
  // Nothing is paid before its day.
  await runSchedules(room.sql, new Date(nowMs()));
  expect(await room.count('SELECT count(*) AS n FROM payout')).toBe(0);
  toDay(1, 1);
  await runSchedules(room.sql, new Date(nowMs()));
  await payoutsDone(1);
  expect(await payables(seller)).toEqual(['paid 12345 EUR']);
  await eventually(async () => expect(await wallet(seller)).toBe(0));
  const { rows } = await room.sql.query(
    `SELECT account, amount FROM ledger_entry WHERE kind = 'payout' AND amount <> 0 ORDER BY amount`,
  );
  expect(rows).toEqual([
    { account: 'cash-bank:EUR', amount: -12_345n },
    { account: `seller:${seller}:EUR`, amount: 12_345n },
  ]);
});

proves('P-003', {
  asked: 'run twice in a month: each seller is paid once',
  shown:
    'four runs at once and two later in the month: each of two sellers has one payable, all of its balance',
  settings: ['the clock of the service, moved by two months'],
  control: {
    in: 'payment/payouts/run-schedules.ts',
    change: 'const { days, timeZone } = schedule;',
    to: `const { timeZone } = schedule;
  const days = { interval: 'daily' } as typeof schedule.days;`,
  },
});
it('P-003: the monthly run pays each seller once, however often it runs', async () => {
  const sellers = ['DE02100100100006820111', 'DE02100100100006820112'];
  const before = await room.count('SELECT count(*) AS n FROM payout');
  aheadMs = 0;
  for (const seller of sellers) {
    await paidMonthly(seller);
    await earn(seller, '7.00');
  }
  // The times of the ledger never fall, and its last one is of the month before.
  toDay(1, 2);
  await Promise.all(Array.from({ length: 4 }, () => runSchedules(room.sql, new Date(nowMs()))));
  await payoutsDone(before + 2);
  for (const seller of sellers) await earn(seller, '5.00');
  for (const day of [2, 20]) {
    toDay(day, 2);
    await runSchedules(room.sql, new Date(nowMs()));
  }
  expect(await room.count('SELECT count(*) AS n FROM payout')).toBe(before + 2);
  for (const seller of sellers) {
    expect(await payables(seller)).toEqual(['paid 700 EUR']);
    expect(await wallet(seller)).toBe(500);
  }
});

proves('P-004', {
  asked:
    'closed or invalid bank account: failed, the balance restored by a reversing entry, an alert, no loss',
  shown: 'the monthly run to one of each over HTTPS: refused, failed, pending then void, an error in the log',
  settings: ['the clock of the service, moved by three months'],
  control: {
    in: 'payment/payment-service.ts',
    change: "logger.error('a payout failed: check",
    to: "logger.debug('a payout failed: check",
  },
});
it('P-004: the monthly run to a wrong account fails, and the seller keeps the balance', async () => {
  const sellers = { closed: 'CLOSED 6820113', invalid: 'INVALID 6820114' };
  for (const seller of Object.values(sellers)) {
    await paidMonthly(seller);
    await earn(seller, '9.00');
  }
  toDay(1, 3);
  await runSchedules(room.sql, new Date(nowMs()));
  for (const [wrong, seller] of Object.entries(sellers)) {
    const failure = expect.stringContaining(`account_${wrong}`);
    const id = await eventually(async () => {
      const { rows } = await room.sql.query<{ id: string; state: string; failure: string }>(
        'SELECT payout_id AS id, state, failure FROM payout WHERE seller_account = $1',
        [seller],
      );
      expect(rows).toEqual([{ id: expect.any(String), state: 'failed', failure }]);
      return rows[0]!.id;
    });
    expect(await payables(seller)).toEqual(['refused 900 EUR']);
    expect(await wallet(seller)).toBe(900);
    const { rows: entries } = await room.sql.query(
      'SELECT operation, phase FROM ledger_transfer WHERE subject = $1 ORDER BY debit_sequence',
      [id],
    );
    expect(entries).toEqual([
      { operation: 'send', phase: 'pending' },
      { operation: 'failed', phase: 'void' },
    ]);
    await eventually(() => {
      const alerts = room.logLines.filter((line) => line.includes('a payout failed') && line.includes(id));
      expect(alerts.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 'error', payoutId: id, failure }),
      ]);
    });
  }
});
