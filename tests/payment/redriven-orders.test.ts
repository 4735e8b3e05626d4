import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { codeActions } from '#payment/orders/code-actions.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import { redriveDeadLetter } from '#payment/orders/redrive-dead-letter.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import type { RiskDecision } from '#payment/risk/risk-check.js';
import type { Sql } from '#platform/sql/sql.js';
import type { PaymentDeadLetter, PaymentDeadLetters } from '#schemas/http/finance.js';
import type { DeedBody } from '#schemas/http/finance-audit.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import type { PaymentReviews } from '#schemas/http/reviews.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { iban, OrdersRoom } from './orders-fixture.js';

const allow: RiskDecision = { decision: 'allow', reason: 'nothing_unusual' };
let decision = allow;
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({
    risk: { name: 'third party', assess: () => Promise.resolve(decision) },
  });
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
    shown: 'an error before the commit leaves no order, and the letter as it was; a retry then makes it',
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
    shown:
      'of two letters about one order that are re-driven at once, one makes an order, the other none: 409',
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
    expect(
      await room.count('SELECT count(*) AS n FROM payment_orders WHERE retry_of = $1', [
        order.payment_order_id,
      ]),
    ).toBe(1);
    expect((await redrive(other)).status).toBe(409);
    expect(await lettersOf(order.payment_order_id, 'open')).toMatchObject([{ can_redrive: false }]);
  });
});

describe('an order that failed at once', () => {
  proves('P-123', {
    asked: 'terminal failures go to the dead letter queue with cause, inspectable and re-drivable',
    shown:
      'a declined card: a closed letter, in `which=all`, not on the topic; re-driven, paid by another card',
    control: {
      in: 'payment/orders/dead-letters.ts',
      change: 'AND payment_is_re_drivable(o.failure_code)',
      to: "AND o.failure_code = 'retries_exhausted'",
    },
  });
  it('P-123: a declined card is a closed letter, from which the buyer can pay with another', async () => {
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

/** Another order than this one, in the place of what a rule, a person or the bank refused. */
const refusals = {
  risk_blocked: async () => {
    decision = { decision: 'block', reason: 'too_many_payments' };
    return (await room.pay()).payment_order_id;
  },
  review_denied: async () => {
    decision = { decision: 'review', reason: 'large_amount' };
    const { payment_order_id: id } = await room.pay();
    await review(id, 'deny', 'desk.sam');
    return id;
  },
  suspected_fraud: async () => (await declined('4100000000000019')).payment_order_id,
  stolen_card: async () => (await declined('4000000000009979')).payment_order_id,
} as const;

const review = (id: string, verdict: 'approve' | 'deny', token: string) =>
  room.post(
    { decision: verdict, reason: 'called the buyer' },
    { token, path: `/v1/payments/${id}/review`, base: room.internalUrl },
  );

const reviewOf = async (id: string) =>
  (await finance<PaymentReviews>('GET', 'payment-reviews')).body.reviews.find(
    ({ payment_order_id: waiting }) => waiting === id,
  );

/** A refused order and the one that takes its place, which waits for a review. */
async function followed(refused: () => Promise<string>) {
  const id = await refused().finally(() => {
    decision = allow;
  });
  const [letter] = await lettersOf(id, 'all');
  const { status, body } = await redrive(letter!.id);
  expect(status).toBe(200);
  return { id, letter: letter!, next: body.new_payment_order_id! };
}

const isAtProvider = async (id: string) =>
  (await room.record()).some((line) => line.kind === 'payment' && line.payment.nonce === id);

describe('an order that was refused', () => {
  proves('P-123', {
    asked: 'terminal failures go to the dead letter queue with cause, inspectable and re-drivable',
    shown: 'refused by rules, a person or the bank: the new order waits for another person, then it is paid',
    control: {
      in: 'payment/orders/retry-order.ts',
      change: "await record('proposed',",
      to: "await record('review',",
    },
  });
  it.each(Object.entries(refusals))(
    'P-123, P-105: %s: another person approves the order in its place, and the buyer pays it',
    async (cause, refused) => {
      const { id, letter, next } = await followed(refused);
      expect(letter).toMatchObject({ cause, can_redrive: true });
      expect((await redrive(letter.id)).status).toBe(409);
      const waiting = await room.get(next);
      expect(waiting).toMatchObject({ payment_order_status: 'NOT_STARTED', pending: 'review', retry_of: id });
      expect(waiting.payment_page_url).toBeNull();
      expect(await reviewOf(next)).toMatchObject({ reason: cause, proposed_by: 'fay', amount: '10.50' });

      // Not whoever put it there.
      expect((await review(next, 'approve', 'finance.fay')).status).toBe(403);
      expect(await isAtProvider(next)).toBe(false);
      const beforeMs = Date.now();
      expect((await review(next, 'approve', 'desk.sam')).status).toBe(200);
      const page = await onThePage(next);
      expect(Date.parse(page.expires_at) - beforeMs).toBeGreaterThan(23 * 3_600_000);
      await room.typeCard(page);
      await room.settled(next);
      expect([await room.charges(id), await room.charges(next)]).toEqual([0, 1]);
    },
  );

  it('P-123: one that is denied again ends without the provider, and has its own letter', async () => {
    const { next } = await followed(refusals.risk_blocked);
    expect((await review(next, 'deny', 'finance.fay')).status).toBe(200);
    expect(await room.get(next)).toMatchObject({ is_final: true, failure_code: 'review_denied' });
    expect(await lettersOf(next, 'all')).toMatchObject([{ cause: 'review_denied', can_redrive: true }]);
    expect(await isAtProvider(next)).toBe(false);
  });

  proves('P-123', {
    asked: 're-drivable',
    shown: 'the database refuses an order in the place of a refused one that does not wait for a review',
    control: {
      in: 'payment/schema/failures-to-re-drive.ts',
      change: "'suspected_fraud', 'stolen_card'",
      to: "'suspected_fraud'",
    },
  });
  it('P-123: the database accepts none in its place that waits for nobody', async () => {
    const { payment_order_id: id } = await declined('4000000000009979');
    await expect(inPlaceOf(id, null)).rejects.toThrow(/retries one that may still succeed/);
    await inPlaceOf(id, 'review');
  });
});

/** What a faulty program would insert: an order of another payment event in the place of this one. */
async function inPlaceOf(id: string, pending: 'review' | null): Promise<void> {
  const [event, order] = [randomUUID(), randomUUID()];
  await room.sql.query(
    `INSERT INTO payment_events (checkout_id, caller, finance_retries, created_at) VALUES ($1, 'ada', true, now())`,
    [event],
  );
  await room.sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account,
       amount, amount_minor, currency, expires_at, created_at, changed_at, retry_of, pending)
     SELECT $2, $3, 0, buyer_account, seller_account, amount, amount_minor, currency, expires_at,
       created_at, changed_at, $1, $4 FROM payment_orders WHERE payment_order_id = $1`,
    [id, order, event, pending],
  );
}

describe('what is not re-driven', () => {
  proves('P-123', {
    asked: 're-drivable',
    shown: 'of all codes of failures only an order that its caller cancelled is not: 409',
    control: {
      in: 'payment/schema/failures-to-re-drive.ts',
      change: "coalesce(failure_code <> 'voided', false)",
      to: 'true',
    },
  });
  it('P-123: an order that its caller cancelled', async () => {
    const { payment_order_id: id } = await room.pay();
    await onThePage(id);
    expect((await room.cancel(id)).status).toBe(202);
    expect(await room.until(id, ({ is_final }) => is_final)).toMatchObject({ failure_code: 'voided' });
    const [letter] = await lettersOf(id, 'all');
    expect(letter).toMatchObject({ cause: 'voided', can_redrive: false });
    expect(await redrive(letter!.id)).toMatchObject({ status: 409, body: { code: 'dead-letter-closed' } });
    await expect(inPlaceOf(id, null)).rejects.toThrow(/retries one that may still succeed/);
  });

  it('P-123: of all codes of failures, that one alone', async () => {
    const { rows } = await room.sql.query<{ code: string }>(
      'SELECT code FROM unnest($1::text[]) code WHERE NOT payment_is_re_drivable(code)',
      [[...Object.keys(codeActions), 'a_new_code']],
    );
    expect(rows).toEqual([{ code: 'voided' }]);
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
      change: 'ELSE e.finance_retries AND payment_is_re_drivable(o.failure_code)',
      to: 'ELSE true',
    },
  });
  it('P-050, P-123: the database accepts no order of another event in their place', async () => {
    const booked = await ofBooking();
    await usedUp(booked);
    await room.faults({});
    const { payment_order_id: open } = await room.pay();
    for (const id of [booked, open])
      await expect(inPlaceOf(id, null)).rejects.toThrow(/retries one that may still succeed/);
  });
});
