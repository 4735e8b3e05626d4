import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timelineMax } from '#payment/finance/payment-timeline.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { Finding } from '#schemas/http/finance.js';
import type {
  FinanceAccountBody,
  FinancePaymentBody,
  PaymentWithTimeline,
} from '#schemas/http/finance-payments.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';
import { fileOf } from './settlement-order.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct' });
});
afterAll(() => room?.close());

async function get<Body>(path: string, token = 'finance.fay', base = room.internalUrl) {
  const response = await fetch(`${base}/v1/finance${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Body };
}
interface Page {
  readonly payments: readonly FinancePaymentBody[];
  readonly next: string | null;
}
const list = async (query: string) => (await get<Page>(`/payments?${query}`)).body;
const timeline = async (id: string) => (await get<PaymentWithTimeline>(`/payments/${id}`)).body;

async function captured(seller: string, amount: string, currency = 'EUR'): Promise<string> {
  const { payment_order_id: id } = await room.pay(
    { seller_account: seller, amount, currency },
    'tok_captured',
  );
  await room.settled(id);
  return id;
}

describe('the payments of all sellers', () => {
  it('are listed newest first, whoever sold, and filtered by seller, buyer and status', async () => {
    const one = await captured('LIST-1', '10.50');
    const two = await captured('LIST-2', '20.00');
    const { payment_order_id: failed } = await room.pay({ seller_account: 'LIST-2' }, 'tok_declined');
    await eventually(async () => expect((await room.get(failed)).payment_order_status).toBe('FAILED'));
    const ids = async (query: string) => (await list(query)).payments.map(({ payment_order_id: id }) => id);
    expect((await ids('limit=200')).filter((id) => [one, two, failed].includes(id))).toEqual([
      failed,
      two,
      one,
    ]);
    expect(await ids('seller_account=LIST-2')).toEqual([failed, two]);
    expect(await ids('seller_account=LIST-2&status=FAILED')).toEqual([failed]);
    expect(await ids('buyer_account=ada&status=SUCCESS&currency=EUR&amount_from=20.00')).toEqual([two]);
    expect(await ids('buyer_account=nobody')).toEqual([]);
    const first = await list('limit=1');
    expect(first.payments).toMatchObject([{ payment_order_id: failed, seller_account: 'LIST-2' }]);
    expect((await list(`limit=1&after=${first.next}`)).payments).toMatchObject([{ payment_order_id: two }]);
  });

  it('are found by the id of the order, of the checkout, and of the provider', async () => {
    const id = await captured('FIND', '10.50');
    const { payment, psp_reference: reference, provider } = await timeline(id);
    expect(provider).toBe('psp');
    const { rows } = await room.sql.query<{ token: string | null }>(
      'SELECT psp_token AS token FROM payment_orders WHERE payment_order_id = $1',
      [id],
    );
    const known = [id, payment.checkout_id, reference, rows[0]!.token].filter((one) => one !== null);
    expect(known.length).toBeGreaterThanOrEqual(3);
    for (const one of known)
      expect((await list(`id=${encodeURIComponent(one)}`)).payments).toMatchObject([
        { payment_order_id: id },
      ]);
    expect((await list(`id=${id.slice(0, -1)}`)).payments).toEqual([]);
    expect(await get(`/payments?id=${id}&status=SUCCESS`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/id' }] },
    });
  });

  it('are for finance on the internal listener only', async () => {
    const id = await captured('SCOPE', '10.50');
    for (const path of ['/payments', `/payments/${id}`, `/payments/${id}/settlement`, '/balances']) {
      expect((await get(path, 'customer.ada')).status).toBe(403);
      expect((await get(path, 'merchant.ann')).status).toBe(403);
      expect((await get(path, 'finance.fay', room.url)).status).toBe(404);
    }
    expect((await get('/payments/unknown')).status).toBe(404);
    expect((await get('/payments/unknown/settlement')).status).toBe(404);
    expect((await get('/payments?status=LOST')).status).toBe(400);
    expect((await get('/payments?after=AAAA')).status).toBe(400);
  });
});

describe('the timeline of a payment', () => {
  it('holds what the records hold: statuses, postings, refunds and disputes in their order', async () => {
    const id = await captured('LINE', '30.00');
    const refunded = await room.refund(id, {
      refund_id: randomUUID(),
      amount: '10.00',
      reason: 'a broken cup',
    });
    expect(refunded.status).toBeLessThan(300);
    const { id: disputeId } = await room.control<{ id: string }>('POST', '/disputes', {
      nonce: id,
      due_ms: Date.now() + 86_400_000,
    });
    await eventually(async () =>
      expect(await room.ledgerTransfers(id, `dispute:${disputeId}:opened`)).toBe(1),
    );
    await room.control('POST', '/disputes/close', { id: disputeId, status: 'won' });
    const body = await eventually(async () => {
      const found = await timeline(id);
      expect(found.timeline.map(({ kind }) => kind)).toContain('dispute_closed');
      expect(found.timeline.filter(({ subject }) => subject === `dispute:${disputeId}:won`)).not.toEqual([]);
      return found;
    });
    expect(body.payment).toMatchObject({ seller_account: 'LINE', captured_amount: '30.00' });
    expect(body.has_more).toBe(false);
    const times = body.timeline.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    const of = (kind: string) => body.timeline.filter((entry) => entry.kind === kind);
    expect(of('created')).toMatchObject([{ who: 'ada', amount: '30.00', currency: 'EUR' }]);
    expect(of('status').map(({ state }) => state)).toEqual(['EXECUTING', 'SUCCESS']);
    expect(of('refund_requested')).toMatchObject([{ who: 'sam', amount: '10.00', detail: 'a broken cup' }]);
    expect(of('refund_ended')).toMatchObject([{ state: 'SUCCESS', amount: '10.00' }]);
    expect(of('dispute_opened')).toMatchObject([{ subject: disputeId }]);
    expect(of('dispute_closed')).toMatchObject([{ subject: disputeId, state: 'WON' }]);
    const posted = of('posted');
    const { rows } = await room.sql.query<{ n: bigint }>(
      'SELECT count(*) AS n FROM ledger_transfer WHERE subject = $1',
      [id],
    );
    expect(BigInt(posted.length)).toBe(rows[0]!.n);
    expect(posted.find(({ subject }) => subject === 'capture')).toMatchObject({
      amount: '30.00',
      debit: 'cash-psp:EUR',
      credit: 'seller:LINE:EUR',
      who: null,
    });
    expect(body.timeline[0]!.kind).toBe('created');
  });

  it('names the people: who refunded and approved, and who decided on a mismatch', async () => {
    const day = await calmDay();
    const id = await captured('PEOPLE', '2000.00');
    const bytes = Readable.from([fileOf('nothing', new Date(`${day}T00:00:00Z`), [])]);
    await reconcileSettlement(room.sql, { source: 'nothing.txt', bytes, now: new Date() });
    const queue = await get<{ findings: Finding[] }>('/findings?limit=200');
    const finding = queue.body.findings.find((one) => one.payment_order_id === id)!;
    const post = (path: string, body: object, who: string) =>
      room.post(body, { token: who, path, base: room.internalUrl, key: '' });
    const decided = await post(
      `/v1/finance/findings/${finding.finding_no}/decisions`,
      { entry: finding.proposal[0], why: 'the provider has lost it' },
      'finance.sam',
    );
    const { decision_no: decisionNo } = (await decided.json()) as { decision_no: number };
    const approval = `/v1/finance/decisions/${decisionNo}/approval`;
    const approved = await fetch(room.internalUrl + approval, {
      method: 'POST',
      headers: { authorization: 'Bearer finance.eve' },
    });
    expect(approved.status).toBe(200);
    const subject = String(finding.finding_no);
    const { timeline: entries } = await timeline(id);
    expect(entries.filter(({ kind }) => kind.startsWith('mismatch'))).toMatchObject([
      { kind: 'mismatch_found', subject, detail: finding.kind },
      { kind: 'mismatch_decided', subject, state: 'adjust', who: 'sam', detail: 'the provider has lost it' },
      { kind: 'mismatch_approved', subject, who: 'eve', amount: '2000.00' },
    ]);
    await room.sql.query(
      `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, refund_status, reason,
         requested_by, created_at, changed_at, needs_second, reviewed_by, reviewed_at, review_reason)
       VALUES ('denied-${id}', $1, '900.00', 90000, 'EUR', 'FAILED', 'angry', 'sam', now(), now(), true, 'eve', now(), 'no')`,
      [id],
    );
    await room.sql.query(
      `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at, redriven_at, redriven_by)
       VALUES ('refund', 'denied-${id}', 'the provider is away', 8, now(), now() + interval '1 second', 'sam'),
         ('payment', 'denied-${id}', 'of no order', 8, now(), NULL, NULL)`,
    );
    const after = (await timeline(id)).timeline;
    expect(after.filter(({ kind }) => kind === 'refund_reviewed')).toMatchObject([
      { who: 'eve', detail: 'no', amount: '900.00' },
    ]);
    expect(after.filter(({ kind }) => kind === 'given_up' || kind === 'retried')).toMatchObject([
      { kind: 'given_up', detail: 'the provider is away' },
      { kind: 'retried', who: 'sam' },
    ]);
  });

  it(`has the newest ${timelineMax} entries of an order with more, and says so`, async () => {
    const id = await captured('LONG', '10.50');
    await room.sql.query(
      `INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
       SELECT $1, 'allow', 'r' || n, 'rules', now() + n * interval '1 second'
       FROM generate_series(1, ${timelineMax}) n`,
      [id],
    );
    const { timeline: entries, has_more: hasMore } = await timeline(id);
    expect(entries).toHaveLength(timelineMax);
    expect(hasMore).toBe(true);
    expect(entries.map(({ detail }) => detail)).toContain('r1');
    expect(entries.at(-1)).toMatchObject({ detail: `r${timelineMax}` });
    expect(entries.map(({ kind }) => kind)).not.toContain('created');
  });
});

it('the trial balance is even in each currency and sums the sellers', async () => {
  await captured('SUM-1', '10.50');
  await captured('SUM-2', '4.50');
  await captured('SUM-2', '1200', 'JPY');
  const { body } = await get<{ balances: FinanceAccountBody[] }>('/balances');
  const minor = ({ balance }: FinanceAccountBody) => BigInt(balance.replace('.', ''));
  for (const currency of ['EUR', 'JPY']) {
    const own = body.balances.filter((one) => one.currency === currency);
    const side = (types: readonly string[]) =>
      own.filter(({ type }) => types.includes(type)).reduce((sum, one) => sum + minor(one), 0n);
    expect(side(['asset', 'expense'])).toBe(side(['liability', 'revenue']));
    expect(side(['asset', 'expense'])).toBeGreaterThan(0n);
    const sellers = own.filter(({ account }) => account === 'sellers');
    expect(sellers).toHaveLength(1);
    const { rows } = await room.sql.query<{ owed: string; n: bigint }>(
      `SELECT sum(-balance)::text AS owed, count(*) AS n FROM ledger_trial_balance WHERE id LIKE 'seller:%' AND currency = $1`,
      [currency],
    );
    expect(minor(sellers[0]!)).toBe(BigInt(rows[0]!.owed));
    expect(sellers[0]!.accounts).toBe(Number(rows[0]!.n));
  }
  expect(body.balances.some(({ account }) => account.includes('SUM-'))).toBe(false);
});
