import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { codeActions } from '#payment/orders/code-actions.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import { redriveDeadLetter } from '#payment/orders/redrive-dead-letter.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentDeadLetter, PaymentDeadLetters } from '#schemas/http/finance.js';
import type { DeedBody } from '#schemas/http/finance-audit.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { iban, OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open();
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

const finance = async <Body>(
  method: 'GET' | 'POST',
  path: string,
): Promise<{ status: number; body: Body }> => {
  const headers = { authorization: 'Bearer finance.fay' };
  const response = await fetch(`${room.internalUrl}/v1/${path}`, { method, headers });
  return { status: response.status, body: (await response.json()) as Body };
};

const redrive = (id: number) =>
  finance<PaymentDeadLetter & { code: string }>('POST', `payment-dead-letters/${id}/redrive`);

async function lettersOf(id: string, which: 'open' | 'all'): Promise<readonly PaymentDeadLetter[]> {
  const { body } = await finance<PaymentDeadLetters>('GET', `payment-dead-letters?which=${which}`);
  return body.dead_letters.filter(({ subject_id: subject }) => subject === id);
}

/** The provider refuses every registration from then on. */
const away = () =>
  room.faults({
    next: Array.from({ length: 500 }, () => ({ operation: 'registrations', fault: 'busy' as const })),
    retryAfterS: 0,
  });

/** Waits until the order has used up its retries. */
async function usedUp(id: string): Promise<PaymentDeadLetter> {
  const order = await room.until(id, ({ is_final }) => is_final);
  expect(order).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'retries_exhausted' });
  const [letter] = await lettersOf(id, 'open');
  return letter!;
}

async function overThreshold(): Promise<{
  readonly order: PaymentOrder;
  readonly letter: PaymentDeadLetter;
}> {
  await away();
  const { payment_order_id: id } = await room.pay();
  const letter = await usedUp(id);
  await room.faults({});
  return { order: await room.get(id), letter };
}

/** The database of a process that does something between its last statement and its commit. */
const beforeCommit = (act: () => Promise<void>): Pick<Sql, 'query' | 'transaction'> => ({
  query: (text, values) => room.sql.query(text, values),
  transaction: (work) =>
    room.sql.transaction(async (tx) => {
      const result = await work(tx);
      await act();
      return result;
    }),
});

/** A day, in which the buyer may pay. */
const times = () => ({ nowMs: Date.now(), redrivenMs: 86_400_000 });

const onThePage = (id: string) => room.until(id, ({ payment_page_url }) => payment_page_url !== null);

async function declined(card = '4000000000000002'): Promise<PaymentOrder> {
  const { payment_order_id: id } = await room.pay();
  await room.typeCard(await onThePage(id), card);
  return room.until(id, ({ is_final }) => is_final);
}

/** An order of a service that puts others in its place by itself, as booking does. */
async function ofBooking(): Promise<string> {
  const id = randomUUID();
  await away();
  await submitPayment(room.service.submit, {
    ...{ caller: 'ada', key: id, checkoutId: id, buyerAccount: 'ada', fingerprint: fingerprintOf({ id }) },
    ...{ buyerInfo: '{}', cardInfo: '{}', takesRetries: true },
    orders: [
      { id, sellerAccount: iban, amount: '10.50', money: { minor: 1_050n, currency: parseCurrency('EUR')! } },
    ],
  });
  room.service.wake();
  return id;
}

describe('an order that used up its retries', () => {
  proves('P-123', {
    asked: 'over the threshold: dead letter with cause, inspectable and re-drivable',
    shown:
      'a payment: 20 clicks make one order with `retry_of` in its own event; paid on its page: one charge',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
    control: {
      in: 'payment/orders/redrive-dead-letter.ts',
      change: 'SET redriven_at = $2, redriven_by = $3 WHERE',
      to: 'SET at = $2, redriven_by = $3 WHERE',
    },
  });
  it('P-123: is re-driven once, as a new order that the buyer pays', async () => {
    const { order, letter } = await overThreshold();
    expect(letter).toMatchObject({ cause: 'retries_exhausted', attempts: 8, needs_person: true });
    expect(letter).toMatchObject({ can_redrive: true, redriven_at: null, new_payment_order_id: null });
    const answers = await Promise.all(Array.from({ length: 20 }, () => redrive(letter.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    const { body } = answers.find(({ status }) => status === 200)!;
    expect(body).toMatchObject({ can_redrive: false, redriven_by: 'fay' });
    const id = body.new_payment_order_id!;
    const followers = 'SELECT count(*) AS n FROM payment_orders WHERE retry_of = $1';
    expect(await room.count(followers, [order.payment_order_id])).toBe(1);
    expect(await lettersOf(order.payment_order_id, 'open')).toEqual([]);
    expect(await lettersOf(order.payment_order_id, 'all')).toEqual([body]);

    // The caller sees both, each in its own payment event; the first stays as it was.
    const page = await onThePage(id);
    expect(page).toMatchObject({ retry_of: order.payment_order_id, amount: '10.50', seller_account: iban });
    expect(page).toMatchObject({ pending: 'buyer', payment_order_status: 'EXECUTING' });
    expect(Date.parse(page.expires_at) - Date.parse(page.created_at)).toBe(24 * 3_600_000);
    expect(page.checkout_id).not.toBe(order.checkout_id);
    expect(await room.get(order.payment_order_id)).toEqual({ ...order, retried_by: id });
    expect((await room.service.view(order.checkout_id))!.is_payment_done).toBe(true);
    expect((await room.get(id, 'customer.eve')).payment_order_id).toBeUndefined();

    await room.typeCard(page);
    await room.settled(id);
    await eventually(async () =>
      expect((await room.service.view(page.checkout_id))!.is_payment_done).toBe(true),
    );
    expect([await room.charges(order.payment_order_id), await room.charges(id)]).toEqual([0, 1]);
    const { rows } = await room.sql.query(
      `SELECT payload->>'kind' AS kind FROM payment_outbox WHERE topic = 'payment.notice.v1' AND key = $1`,
      [id],
    );
    expect(rows).toEqual([{ kind: '1' }]);
    const { body: audit } = await finance<{ deeds: readonly DeedBody[] }>('GET', 'finance/audit');
    expect(audit.deeds.find(({ subject }) => subject === String(letter.id))).toMatchObject({
      ...{ action: 'dead_letter_retried', who: 'fay', payment_order_id: order.payment_order_id },
    });
  });

  it('P-123: is re-driven again when the new order uses up its retries, too', async () => {
    const { letter } = await overThreshold();
    await away();
    const { body } = await redrive(letter.id);
    const second = await usedUp(body.new_payment_order_id!);
    await room.faults({});
    expect(second).toMatchObject({ can_redrive: true });
    const { new_payment_order_id: id } = (await redrive(second.id)).body;
    await room.typeCard(await onThePage(id!));
    await room.settled(id!);
    expect(await room.charges(id!)).toBe(1);
    expect((await redrive(second.id)).status).toBe(409);
  });

  it('P-123, I4: late money for it is refunded while the new order is paid', async () => {
    const { order, letter } = await overThreshold();
    const { new_payment_order_id: id } = (await redrive(letter.id)).body;
    const page = await onThePage(id!);
    const late = { nonce: order.payment_order_id, status: 'captured', sequence: 9, reference: 'late' };
    const money = { amount_minor: '1050', captured_minor: '1050', currency: 'EUR', token: 'late' };
    await Promise.all([room.typeCard(page), room.webhook('payment.captured', { ...late, ...money })]);
    await room.settled(id!);
    const first = await room.until(order.payment_order_id, ({ refunds }) => refunds.length === 1);
    expect(first).toMatchObject({ payment_order_status: 'FAILED', captured_amount: '10.50' });
    expect(await room.get(id!)).toMatchObject({ payment_order_status: 'SUCCESS', refunds: [] });
  });

  proves('P-123', {
    asked: 're-drivable',
    shown: 'a process that dies before its commit leaves no order, and the letter as it was',
    control: {
      in: 'payment/orders/redrive-dead-letter.ts',
      change: 'await sql.transaction((tx) => redrive(tx, id, by, times))',
      to: 'await redrive(sql as never, id, by, times)',
    },
  });
  it('P-123: is not re-driven at all by a process that dies before its commit', async () => {
    const { order, letter } = await overThreshold();
    const dying = beforeCommit(async () => {
      throw new Error('killed');
    });
    await expect(redriveDeadLetter(dying, letter.id, 'fay', times())).rejects.toThrow('killed');
    expect(await room.get(order.payment_order_id)).toMatchObject({ retried_by: null });
    expect(await lettersOf(order.payment_order_id, 'open')).toMatchObject([{ can_redrive: true }]);
    expect(await redriveDeadLetter(room.sql, letter.id, 'fay', times())).toBe('redriven');
  });

  proves('P-123', {
    asked: 're-drivable',
    shown: 'of two letters about one order that are re-driven at once, one makes an order, the other is 409',
    control: {
      in: 'payment/orders/redrive-dead-letter.ts',
      change: "|| sqlState(error) === '23505'",
      to: '',
    },
  });
  it('P-123: two letters about one order make one order in its place', async () => {
    const { order, letter } = await overThreshold();
    const { rows } = await room.sql.query<{ id: bigint }>(
      `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at)
       VALUES ('payment', $1, 'retries_exhausted', 8, now()) RETURNING id`,
      [order.payment_order_id],
    );
    const other = Number(rows[0]!.id);
    // The first commits when the second waits for it.
    let second: Promise<string> | undefined;
    const first = beforeCommit(async () => {
      second = redriveDeadLetter(room.sql, other, 'fay', times());
      second.catch(() => undefined);
      const waiting = `SELECT count(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => expect(await room.count(waiting)).toBe(1));
    });
    expect(await redriveDeadLetter(first, letter.id, 'fay', times())).toBe('redriven');
    expect(await second).toBe('final');
    expect(await lettersOf(order.payment_order_id, 'open')).toMatchObject([{ can_redrive: false }]);
  });
});

describe('an order that failed at once', () => {
  proves('P-123', {
    asked: 'terminal failures go to the dead letter queue with cause, inspectable and re-drivable',
    shown:
      'a declined card: closed from the start, in `which=all` only; re-driven, it is paid by another card',
    control: {
      in: 'payment/orders/dead-letters.ts',
      change: 'AND payment_may_be_paid_anew(o.failure_code)',
      to: "AND o.failure_code = 'retries_exhausted'",
    },
  });
  it('P-123: a declined card is a closed letter, from which the buyer can pay anew', async () => {
    const order = await declined();
    const { payment_order_id: id } = order;
    expect(await lettersOf(id, 'open')).toEqual([]);
    const [letter, ...others] = await lettersOf(id, 'all');
    expect(letter).toMatchObject({ kind: 'payment', cause: 'card_declined', attempts: 1 });
    expect(letter).toMatchObject({ needs_person: false, can_redrive: true, redriven_at: null });
    expect(others).toEqual([]);
    const announced = `SELECT count(*) AS n FROM payment_outbox WHERE topic = 'payment.dlq.v1' AND key = $1`;
    expect(await room.count(announced, [id])).toBe(0);
    // Its history says that it failed, and not that people gave it up.
    const { body } = await finance<{ timeline: ReadonlyArray<{ kind: string }> }>(
      'GET',
      `finance/payments/${id}`,
    );
    expect(body.timeline.map(({ kind }) => kind)).not.toContain('given_up');

    const { new_payment_order_id: next } = (await redrive(letter!.id)).body;
    expect((await redrive(letter!.id)).status).toBe(409);
    await room.typeCard(await onThePage(next!));
    await room.settled(next!);
    expect([await room.charges(id), await room.charges(next!)]).toEqual([0, 1]);
    expect(await room.get(id)).toEqual({ ...order, retried_by: next });
  });
});

describe('what is not re-driven', () => {
  proves('P-123', {
    asked: 'terminal failures go to the dead letter queue with cause, inspectable',
    shown: 'a stolen card: an open letter with its cause, of which finance makes no new order: 409',
    missing: 're-driving what the risk rules, the suspicion of the bank or the caller refused',
    control: {
      in: 'payment/schema/failures-to-re-drive.ts',
      change: "'stolen_card'",
      to: "'stolen'",
    },
  });
  it('P-123: an order that the bank suspects stays as it is', async () => {
    const { payment_order_id: id } = await declined('4000000000009979');
    const [letter] = await lettersOf(id, 'open');
    expect(letter).toMatchObject({ cause: 'stolen_card', needs_person: true, can_redrive: false });
    expect(await redrive(letter!.id)).toMatchObject({ status: 409, body: { code: 'dead-letter-closed' } });
  });

  it('P-123: of all codes of failures, those by which somebody refused it or money goes back', async () => {
    const { rows } = await room.sql.query<{ code: string }>(
      'SELECT code FROM unnest($1::text[]) code WHERE NOT payment_may_be_paid_anew(code)',
      [[...Object.keys(codeActions), 'a_new_code']],
    );
    expect(rows.map(({ code }) => code).toSorted()).toEqual(
      ['amount_differs', 'captured_late', 'review_denied', 'risk_blocked', 'stolen_card'].concat(
        'suspected_fraud',
        'voided',
      ),
    );
  });

  proves('P-123', {
    asked: 'over the threshold: re-drivable',
    shown: 'not where a service retries by itself: booking has released the rooms',
    control: {
      in: 'payment/orders/dead-letters.ts',
      change: 'AND e.finance_retries AND NOT EXISTS',
      to: 'AND NOT EXISTS',
    },
  });
  it('P-123: an order of a service that retries by itself', async () => {
    const letter = await usedUp(await ofBooking());
    expect(letter).toMatchObject({ needs_person: true, can_redrive: false });
    expect((await redrive(letter.id)).status).toBe(409);
    expect(await redriveDeadLetter(room.sql, letter.id, 'fay', times())).toBe('final');
  });

  proves('P-123', {
    asked: 'over the threshold: re-drivable',
    shown: 'the database refuses an order of another event in the place of any other than a re-drivable one',
    control: {
      in: 'payment/schema/failures-to-re-drive.ts',
      change: 'ELSE e.finance_retries AND payment_may_be_paid_anew(o.failure_code) END',
      to: 'ELSE true END',
    },
  });
  it('P-050, P-123: the database accepts no order of another event in their place', async () => {
    const booked = await ofBooking();
    await usedUp(booked);
    await room.faults({});
    const { payment_order_id: open } = await room.pay();
    for (const id of [booked, (await declined('4000000000009979')).payment_order_id, open]) {
      const [event, order] = [randomUUID(), randomUUID()];
      await room.sql.query(
        `INSERT INTO payment_events (checkout_id, caller, finance_retries, created_at) VALUES ($1, 'ada', true, now())`,
        [event],
      );
      const insert = room.sql.query(
        `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account,
           amount, amount_minor, currency, expires_at, created_at, changed_at, retry_of)
         SELECT $2, $3, 0, buyer_account, seller_account, amount, amount_minor, currency, expires_at,
           created_at, changed_at, $1 FROM payment_orders WHERE payment_order_id = $1`,
        [id, order, event],
      );
      await expect(insert).rejects.toThrow(/retries one that may still succeed/);
    }
  });
});
