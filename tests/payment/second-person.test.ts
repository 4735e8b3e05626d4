import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { Finding } from '#schemas/http/finance.js';
import type { Refund } from '#schemas/http/payments.js';
import type { PayoutScheduleBody } from '#schemas/http/payout-schedules.js';
import type { Payout } from '#schemas/http/payouts.js';
import type { RefundReviews } from '#schemas/http/reviews.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';
import { fileOf } from './settlement-order.js';

/** With the default limits of the product. A token is `scope.user`: another token of Sam is still Sam. */
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct' });
});
afterAll(() => room?.close());

async function staff<Body = { code?: string }>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  who = 'finance+payouts.sam',
  key = randomUUID() as string,
) {
  const response = await fetch(room.internalUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${who}`,
      'idempotency-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

async function captured(seller: string, amount: string): Promise<string> {
  const { payment_order_id: id } = await room.pay({ seller_account: seller, amount }, 'tok_captured');
  await room.settled(id);
  return id;
}

const seller = 'DE02100100100006820201';
const agree = (reason = 'seen the invoice') => ({ decision: 'approve', reason });
const sent = async (payoutId: string) =>
  (await room.record()).filter((line) => line.kind === 'payout' && line.payout.nonce === payoutId).length;
const share = async () => (await staff<{ share: number }>('GET', '/v1/finance/proof')).body.share;

describe('an entry about a finding', () => {
  let finding: Finding;
  let decisions: string;
  let found: number;
  const decide = (entry: object, who?: string) =>
    staff<{ outcome?: string; decision_no?: number; errors?: { message: string }[] }>(
      'POST',
      decisions,
      { why: 'x', entry },
      who,
    );
  const lost = { debit: 'differences:EUR', credit: `seller:${seller}:EUR`, amount: '40.00', currency: 'EUR' };

  beforeAll(async () => {
    const day = await calmDay();
    const id = await captured(seller, '40.00');
    await captured('DE02100100100006820202', '1000.00');
    const bytes = Readable.from([fileOf('nothing', new Date(`${day}T00:00:00Z`), [])]);
    await reconcileSettlement(room.sql, { source: 'nothing.txt', bytes, now: new Date() });
    const { findings } = (await staff<{ findings: Finding[] }>('GET', '/v1/finance/findings')).body;
    finding = findings.find((one) => one.payment_order_id === id)!;
    decisions = `/v1/finance/findings/${finding.finding_no}/decisions`;
    found = await share();
  });

  it('P-105: moves the amount of its finding, and only between the accounts of the finding', async () => {
    expect(finding).toMatchObject({ kind: 'missing_at_psp', entry_amount: '40.00', seller_account: seller });
    expect(finding.entry_accounts).toContain(`seller:${seller}:EUR`);
    expect(finding.entry_accounts.some((id) => id.startsWith('cash-bank'))).toBe(false);
    const mallory = {
      debit: 'cash-psp:EUR',
      credit: 'seller:MALLORY:EUR',
      amount: '1000.00',
      currency: 'EUR',
    };
    for (const wrong of [
      mallory,
      { ...mallory, amount: '40.00' },
      { ...mallory, credit: 'cash-bank:EUR', amount: '40.00' },
      { ...mallory, credit: 'disputed:EUR', amount: '40.00' },
      { ...mallory, credit: 'commission:EUR', amount: '40.00' },
      { ...lost, amount: '1000.00' },
      { ...lost, amount: '40.01' },
      { ...lost, amount: '39.99' },
      { debit: 'differences:USD', credit: `seller:${seller}:USD`, amount: '40.00', currency: 'USD' },
    ]) {
      const refused = await decide(wrong);
      expect(refused.status, JSON.stringify(wrong)).toBe(400);
      expect(refused.body.errors![0]!.message).not.toBe('');
    }
    expect(await room.count(`SELECT count(*) AS n FROM finance_decision`)).toBe(0);
    expect(await room.count(`SELECT count(*) AS n FROM ledger_account WHERE id LIKE '%MALLORY%'`)).toBe(0);
  });

  it("P-105: an entry on a seller's account needs a second person, and proves nothing", async () => {
    const decided = await decide(lost);
    expect(decided).toMatchObject({ status: 200, body: { outcome: 'awaiting_second' } });
    const balance = () =>
      room.count(`SELECT -balance AS n FROM ledger_trial_balance WHERE id = $1`, [`seller:${seller}:EUR`]);
    expect(await balance()).toBe(4_000);
    const path = (no: number) => `/v1/finance/decisions/${no}/approval`;
    const approval = path(decided.body.decision_no!);
    expect(await staff('POST', approval)).toMatchObject({
      status: 403,
      body: { code: 'finance-second-person' },
    });
    expect(await balance()).toBe(4_000);
    expect((await staff('POST', approval, undefined, 'finance.eve')).status).toBe(200);
    expect(await balance()).toBe(8_000);
    expect(await share()).toBeLessThanOrEqual(found);
    // Two people are needed to reverse it as well.
    const reversal = `/v1/finance/decisions/${decided.body.decision_no}/reversal`;
    const back = await staff<{ outcome: string; decision_no: number }>('POST', reversal, { why: 'wrong' });
    expect(back.body.outcome).toBe('awaiting_second');
    expect((await staff('POST', path(back.body.decision_no))).status).toBe(403);
    expect((await staff('POST', path(back.body.decision_no), undefined, 'finance.eve')).status).toBe(200);
    expect(await balance()).toBe(4_000);
    // The database too rejects one without a second person.
    const alone = room.sql.query(
      `INSERT INTO finance_decision (finding_no, action, debit, credit, amount_minor, currency, who, why,
        at, needs_second)
       VALUES ($1, 'adjust', 'cash-psp:EUR', 'seller:MALLORY:EUR', 4000, 'EUR', 'sam', 'x', now(), false)`,
      [finding.finding_no],
    );
    await expect(alone).rejects.toThrow('sellers_need_a_second_person');
  });

  it('P-105: a dismissal by one person does not raise the proven share', async () => {
    expect((await staff('POST', decisions, { why: 'never mind' })).status).toBe(200);
    expect(await share()).toBeLessThanOrEqual(found);
  });
});

describe('a manual payout', () => {
  const ask = (
    amount: string,
    { id = randomUUID() as string, who = 'finance+payouts.sam', key = randomUUID() as string } = {},
  ) =>
    staff<Payout & { code?: string }>(
      'POST',
      '/v1/payouts',
      { payout_id: id, seller_info: { account: seller }, amount, currency: 'EUR', reason: 'early' },
      who,
      key,
    );
  const review = (id: string, body: object, who: string) =>
    staff<Payout & { code?: string }>('POST', `/v1/payouts/${id}/review`, body, who);

  it('P-105: is sent when another person has approved it, once, and records who, why and when', async () => {
    const asked = await ask('1.00');
    const { payout_id: id } = asked.body;
    expect(asked).toMatchObject({ status: 202, body: { payout_status: 'awaiting_second', reason: 'early' } });
    // Neither the same person, nor the same request again, nor one with another key approves it.
    expect(await review(id, agree(), 'finance+payouts.sam')).toMatchObject({
      status: 403,
      body: { code: 'finance-second-person' },
    });
    expect((await ask('1.00', { id, who: 'payouts.eve' })).body.payout_status).toBe('awaiting_second');
    expect((await ask('2.00', { id })).status).toBe(409);
    expect((await review(id, agree(''), 'finance.eve')).status).toBe(400);
    expect((await review(id, agree(), 'customer.eve')).status).toBe(403);
    expect((await review(randomUUID(), agree(), 'finance.eve')).status).toBe(404);
    const waiting = await staff<{ payouts: Payout[] }>('GET', '/v1/payouts?status=awaiting_second');
    expect(waiting.body.payouts.map(({ payout_id: one }) => one)).toEqual([id]);
    expect(await sent(id)).toBe(0);
    // The requested payout cannot change meanwhile.
    for (const change of [
      'amount_minor = 400000',
      `seller_account = 'MALLORY'`,
      `requested_by = 'ann'`,
      'needs_second = false',
    ])
      await expect(room.sql.query(`UPDATE payout SET ${change} WHERE payout_id = $1`, [id])).rejects.toThrow(
        'keeps what it was made with',
      );
    for (const by of ['NULL', `'sam'`])
      await expect(
        room.sql.query(
          `UPDATE payout SET state = 'created', next_attempt_at = now(), review_reason = 'x', reviewed_by =
            ${by} WHERE payout_id = $1`,
          [id],
        ),
      ).rejects.toThrow('second_person');
    const both = await Promise.all(['eve', 'ann'].map((who) => review(id, agree(), `finance.${who}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await eventually(async () => {
      const { body } = await staff<Payout>('GET', `/v1/payouts/${id}`);
      expect(body).toMatchObject({
        payout_status: 'paid',
        requested_by: 'sam',
        review_reason: 'seen the invoice',
      });
      expect(['eve', 'ann']).toContain(body.reviewed_by);
      expect(Date.parse(body.reviewed_at!)).toBeGreaterThan(0);
    });
    expect((await review(id, { decision: 'deny', reason: 'too late' }, 'finance.ann')).status).toBe(409);
  });

  it('P-105: two of half the amount both wait; a refused amount is the seller’s again', async () => {
    const available = () =>
      room.count(`SELECT -balance - pending_debit AS n FROM ledger_trial_balance WHERE id = $1`, [
        `seller:${seller}:EUR`,
      ]);
    const before = await available();
    const two = [await ask('0.50'), await ask('0.50')];
    expect(two.map(({ body }) => body.payout_status)).toEqual(['awaiting_second', 'awaiting_second']);
    expect(await available()).toBe(before - 100);
    for (const { body } of two) {
      const denied = await review(
        body.payout_id,
        { decision: 'deny', reason: 'who is that?' },
        'finance.eve',
      );
      expect(denied).toMatchObject({ status: 200, body: { payout_status: 'failed', reviewed_by: 'eve' } });
      expect((await review(body.payout_id, agree(), 'finance.ann')).status).toBe(409);
    }
    expect(await available()).toBe(before);
    expect(await sent(two[0]!.body.payout_id)).toBe(0);
  });
});

describe('a large refund', () => {
  const review = (id: string, refundId: string, body: object, who: string) =>
    staff<Refund & { code?: string }>('POST', `/v1/payments/${id}/refunds/${refundId}/review`, body, who);
  const waiting = async () => (await staff<RefundReviews>('GET', '/v1/refund-reviews')).body.refunds;

  it('P-105: a refund by staff waits for a second person, also in two halves', async () => {
    const id = await captured(seller, '1500.00');
    const small = randomUUID();
    const more = randomUUID();
    expect((await room.refund(id, { refund_id: small, amount: '600.00' })).body.pending).toBeNull();
    const second = await room.refund(id, { refund_id: more, amount: '600.00', reason: 'broken' });
    expect(second).toMatchObject({ status: 202, body: { pending: 'review', refund_status: 'NOT_STARTED' } });
    await room.until(id, ({ refunded_amount: refunded }) => refunded === '600.00');
    expect(await waiting()).toMatchObject([{ refund_id: more, requested_by: 'sam', reason: 'broken' }]);
    expect(await review(id, more, agree(), 'finance+payouts.sam')).toMatchObject({
      status: 403,
      body: { code: 'finance-second-person' },
    });
    expect((await review(id, small, agree(), 'finance.eve')).status).toBe(409);
    expect((await review(randomUUID(), more, agree(), 'finance.eve')).status).toBe(404);
    // Requested again with another key it is the same refund, and not a second one.
    expect((await room.refund(id, { refund_id: more, amount: '100.00' })).status).toBe(409);
    for (const change of ['amount_minor = 1', 'needs_second = false', `requested_by = 'ann'`])
      await expect(
        room.sql.query(`UPDATE payment_refunds SET ${change} WHERE refund_id = $1`, [more]),
      ).rejects.toThrow('keeps what it was asked with');
    await expect(
      room.sql.query(`UPDATE payment_refunds SET next_attempt_at = now() WHERE refund_id = $1`, [more]),
    ).rejects.toThrow('second_person');
    expect(await review(id, more, agree(), 'finance.eve')).toMatchObject({
      status: 200,
      body: { pending: null },
    });
    await room.until(id, ({ refunded_amount: refunded }) => refunded === '1200.00');
    expect(await waiting()).toEqual([]);
    const { rows } = await room.sql.query(
      `SELECT requested_by, reviewed_by, review_reason FROM payment_refunds WHERE refund_id = $1`,
      [more],
    );
    expect(rows).toEqual([{ requested_by: 'sam', reviewed_by: 'eve', review_reason: 'seen the invoice' }]);
  });

  it('P-105: leaves its amount for another refund when it is refused', async () => {
    const id = await captured(seller, '1500.00');
    const refundId = randomUUID();
    expect((await room.refund(id, { refund_id: refundId })).body.pending).toBe('review');
    expect((await room.refund(id, { refund_id: randomUUID(), amount: '1.00' })).status).toBe(422);
    const denied = await review(id, refundId, { decision: 'deny', reason: 'no' }, 'finance.eve');
    expect(denied.body).toMatchObject({ refund_status: 'FAILED', failure_code: 'review_denied' });
    expect((await room.refund(id, { refund_id: randomUUID(), amount: '1.00' })).body.pending).toBeNull();
    await room.until(id, ({ refunded_amount: refunded }) => refunded === '1.00');
  });

  it('P-105: one person decides up to the limit; a service refunds what it charged itself', async () => {
    const id = await captured(seller, '1000.00');
    expect((await room.refund(id, { refund_id: randomUUID() })).body.pending).toBeNull();
    const body = room.body([{ amount: '1500.00', seller_account: seller }], {
      buyer_info: { account: 'guest' },
      credit_card_info: { token: 'tok_captured' },
    });
    await room.post(body, { token: 'service.shop' });
    const [order] = body['payment_orders'] as { payment_order_id: string }[];
    const path = `/v1/payments/${order!.payment_order_id}/refunds`;
    const answer = await room.post({ refund_id: randomUUID() }, { token: 'service.shop', path });
    expect(await answer.json()).toMatchObject({ pending: null, amount: '1500.00' });
  });
});

describe('a payout schedule', () => {
  const merchant = 'DE02100100100006820299';
  const terms = {
    seller_account: merchant,
    currency: 'EUR',
    interval: 'weekly',
    weekday: 1,
    time_zone: 'Europe/Malta',
    minimum: '10.00',
    delay_days: 7,
    reason: 'contract',
  };
  const path = '/v1/payout-schedules';
  const ask = (more: object = {}, who?: string) =>
    staff<PayoutScheduleBody>('POST', path, { ...terms, ...more }, who);

  it('is what two people approve: nobody alone lets a seller be paid', async () => {
    for (const wrong of [
      { weekday: undefined },
      { interval: 'daily' },
      { interval: 'monthly' },
      { weekday: 8 },
      { time_zone: 'Mars/Olympus' },
      { time_zone: "UTC'; DROP" },
      { minimum: '1.005' },
      { currency: 'EUX' },
      { delay_days: 91 },
      { reason: ' ' },
    ])
      expect((await ask(wrong)).status, JSON.stringify(wrong)).toBe(400);
    expect((await ask({}, 'finance.eve')).status).toBe(403);
    const { status, body } = await ask();
    expect([status, body.schedule_status, body.next_run_at]).toEqual([202, 'awaiting_second', null]);
    expect((await ask()).status).toBe(409);
    const review = `${path}/${body.schedule_no}/review`;
    expect((await staff('POST', review, agree(), 'payouts.eve')).status).toBe(403);
    expect((await staff('POST', review, agree(), 'finance+payouts.sam')).status).toBe(403);
    expect((await staff('POST', `${path}/999999/review`, agree(), 'finance.eve')).status).toBe(404);
    const approved = await staff<PayoutScheduleBody>('POST', review, agree(), 'finance.eve');
    expect(approved.body).toMatchObject({
      schedule_status: 'active',
      requested_by: 'sam',
      reviewed_by: 'eve',
      minimum: '10.00',
      delay_days: 7,
    });
    expect(new Date(approved.body.next_run_at!).getTime()).toBeGreaterThan(Date.now());
    expect((await staff('POST', review, agree(), 'finance.eve')).status).toBe(409);
    const list = await staff<{ schedules: PayoutScheduleBody[] }>('GET', `${path}?status=active`);
    expect(list.body.schedules.map(({ seller_account }) => seller_account)).toEqual([merchant]);
    const stranger = await fetch(`${room.url}${path}`, { headers: { authorization: 'Bearer merchant.zoe' } });
    expect(await stranger.json()).toEqual({ schedules: [], next: null });
  });
});
