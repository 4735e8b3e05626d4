import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceLimits } from '#payment/finance/limits.js';
import { transferKinds } from '#payment/ledger/transfer.js';
import { settlePayout } from '#payment/payouts/payout-runner.js';
import type { Finding } from '#schemas/http/finance.js';
import type { FinancePaymentBody, PaymentWithTimeline } from '#schemas/http/finance-payments.js';
import type { PaymentSettlementBody } from '#schemas/http/finance-settlement.js';
import type { SellerFeeBody } from '#schemas/http/seller-fees.js';
import { proves } from '#tools/acceptance/proves.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';
import { OrdersRoom, quick } from './orders-fixture.js';
import { fileOf, lineOf } from './settlement-order.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'hosted' });
});
afterAll(() => room?.close());

const seller = 'DE02100100100006820201';
const closed = 'CLOSED 6820202';

async function read<Body>(path: string): Promise<Body> {
  const headers = { authorization: 'Bearer finance.fay' };
  const response = await fetch(`${room.internalUrl}/v1/finance${path}`, { headers });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Body;
}
async function send<Body>(path: string, body: object, token = 'finance.fay'): Promise<Body> {
  const response = await room.post(body, { token, path, base: room.internalUrl });
  const text = await response.text();
  expect([200, 201, 202], text).toContain(response.status);
  return JSON.parse(text) as Body;
}
const found = async (id: string) =>
  (await read<{ payments: FinancePaymentBody[] }>(`/payments?id=${encodeURIComponent(id)}`)).payments;
const idsBehind = async (id: string) =>
  (await found(id)).map(({ payment_order_id: order }) => order).toSorted();
const settlement = (id: string) => read<PaymentSettlementBody>(`/payments/${id}/settlement`);

/** 10.00 on the page of the provider, in the ledger and in the wallet. */
async function paid(to = seller): Promise<string> {
  const order = await room.pay({ seller_account: to, amount: '10.00' });
  await room.typeCard(order);
  await posted(order.payment_order_id, 'capture');
  await room.settled(order.payment_order_id);
  return order.payment_order_id;
}
/** The webhook about an entry of a payment; all others follow from its capture. */
function webhookAbout(operation: string): string {
  const [what, , state] = operation.split(':');
  if (what === 'refund') return 'refund.refunded';
  return what === 'dispute' ? `dispute.${state}` : 'payment.captured';
}
/** In the ledger; and its webhook has come, which our own question can overtake. */
const posted = (id: string, operation: string) =>
  eventually(async () => {
    expect(await room.ledgerTransfers(id, operation)).toBe(1);
    const heard = 'SELECT count(*) AS n FROM payment_webhooks WHERE payment_order_id = $1 AND kind = $2';
    expect(await room.count(heard, [id, webhookAbout(operation)])).toBe(1);
  });
async function dispute(nonce: string, status: 'won' | 'lost'): Promise<string> {
  const { id } = await room.control<{ id: string }>('POST', '/disputes', { nonce });
  await posted(nonce, `dispute:${id}:opened`);
  await room.control('POST', '/disputes/close', { id, status });
  await posted(nonce, `dispute:${id}:${status}`);
  return id;
}

let files = 0;
/** A settlement file of today with these lines; resolves with its number. */
async function settle(lines: readonly string[]): Promise<number> {
  files += 1;
  const day = new Date(`${await calmDay()}T00:00:00Z`);
  const response = await fetch(`${room.internalUrl}/v1/finance/settlement-files`, {
    method: 'POST',
    headers: { authorization: 'Bearer finance.fay', 'content-type': 'text/csv' },
    body: new Uint8Array(fileOf(`day-${files}`, day, lines)),
  });
  const text = await response.text();
  expect(response.status, text).toBe(201);
  return (JSON.parse(text) as { file_no: number }).file_no;
}
async function charge(id: string, minor = 1_000, fee = 0): Promise<string> {
  const { psp_reference: reference } = await read<PaymentWithTimeline>(`/payments/${id}`);
  return lineOf(id, minor, new Date(), { fee, reference: reference! });
}
const line = (kind: string, order: string, operation: string, minor: number, more = '') =>
  `${[kind, order, operation, 'p', minor, 0, 'EUR', 'succeeded', new Date().toISOString()].join()}${more}`;

/** Books an entry about the finding of this kind; with another person where two are needed. */
async function decideOn(kind: string, entry?: object): Promise<number> {
  const { findings } = await read<{ findings: Finding[] }>('/findings?limit=200');
  const { finding_no: no, proposal } = findings.find((one) => one.kind === kind)!;
  const path = `/v1/finance/findings/${no}/decisions`;
  const decided = await send<{ decision_no: number; outcome: string }>(path, {
    entry: entry ?? proposal[0],
    why: 'the contract',
  });
  await approved(decided);
  return decided.decision_no;
}
async function approved({ decision_no: no, outcome }: { decision_no: number; outcome: string }) {
  if (outcome !== 'awaiting_second') return;
  const response = await fetch(`${room.internalUrl}/v1/finance/decisions/${no}/approval`, {
    method: 'POST',
    headers: { authorization: 'Bearer finance.eve' },
  });
  expect(response.status).toBe(200);
}

async function payOut(to: string, amount: string, state: 'paid' | 'failed'): Promise<string> {
  const id = randomUUID();
  const body = { payout_id: id, seller_info: { account: to }, amount, currency: 'EUR' };
  await send('/v1/payouts', body, 'payouts.petra');
  await send(`/v1/payouts/${id}/review`, { decision: 'approve', reason: 'as agreed' });
  await eventually(async () =>
    expect(
      await room.count('SELECT count(*) AS n FROM payout WHERE payout_id = $1 AND state = $2', [id, state]),
    ).toBe(1),
  );
  return id;
}
/** The bank of the seller sends the money back: the provider of the tests never does. */
async function comesBack(payoutId: string): Promise<void> {
  const nobody = () => Promise.reject(new Error('nobody is asked'));
  const deps = { sql: room.sql, provider: { pay: nobody, find: nobody }, now: () => new Date() };
  await settlePayout(
    { ...deps, random: Math.random, settings: quick.payouts, onAlert: () => undefined },
    payoutId,
    { kind: 'returned', reference: 'back-1', reason: 'No such person.' },
  );
}

/** The entry of the ledger that the timeline or the settlement of a payment names. */
const nameOf = ({ subject, operation }: { readonly subject: string; readonly operation: string }) =>
  `${subject} ${operation}`;

interface Traced {
  /** Ids that lead back to it. */
  readonly ids: readonly string[];
  readonly webhooks: readonly string[];
  readonly entries: ReadonlySet<string>;
}
/** What the pages of one payment say. */
async function trace(id: string): Promise<Traced> {
  const {
    payment,
    provider,
    psp_reference: reference,
    timeline,
  } = await read<PaymentWithTimeline>(`/payments/${id}`);
  const subjects = (kind: string) =>
    timeline.filter((entry) => entry.kind === kind).map(({ subject }) => subject!);
  expect(provider).toBe('psp');
  const ids = [id, payment.checkout_id, reference!, ...subjects('webhook_received')];
  expect(subjects('created')).toEqual([payment.checkout_id]);
  // A decision is posted about a finding, everything else about the payment.
  const decided = subjects('mismatch_decided').map((no) => `finding-${no}`);
  const own = subjects('posted').flatMap((operation) =>
    (operation.startsWith('decision:') ? decided : [id]).map((subject) => nameOf({ subject, operation })),
  );
  const { entries, has_more: hasMore } = await settlement(id);
  expect(hasMore).toBe(false);
  return {
    ids: [...ids, ...subjects('refund_requested'), ...subjects('dispute_opened')],
    webhooks: timeline.filter(({ kind }) => kind === 'webhook_received').map(({ detail }) => detail!),
    entries: new Set([...own, ...entries.map(nameOf)]),
  };
}

describe('from every entry of the ledger to its payments, and back', () => {
  proves('P-012', {
    asked: 'from any entry to order, event, provider and webhook, and back',
    shown:
      'all entries of a ledger with each kind of operation, also decisions and payouts: both ways over HTTP',
    settings: [
      'the bank of a seller returns a payout by a call: the simulated provider never does',
      'a wallet is made wrong in the database, so that a file finds it',
    ],
    control: {
      in: 'payment/finance/payments-behind.ts',
      change: 'await behindProviderPayout(sql, subject),',
      to: '',
    },
  });
  it('P-012: entries of all kinds, over HTTP', async () => {
    const terms = { seller_account: seller, currency: 'EUR', basis_points: 250, reason: 'contract' };
    const { fee_no: feeNo } = await send<SellerFeeBody>('/v1/seller-fees', terms);
    await send(`/v1/seller-fees/${feeNo}/review`, { decision: 'approve', reason: 'signed' }, 'finance.gus');
    const refunded = await paid();
    const won = await paid();
    const lost = await paid();
    const withFee = await paid();
    const differing = await paid();
    const ofClosed = await paid(closed);
    const refund = { refund_id: randomUUID(), amount: '2.00', reason: 'a broken cup' };
    await room.refund(refunded, refund);
    await posted(refunded, `refund:${refund.refund_id}`);
    const { rows } = await room.sql.query<{ reference: string }>(
      'SELECT psp_reference AS reference FROM payment_refunds WHERE refund_id = $1',
      [refund.refund_id],
    );
    const wonDispute = await dispute(won, 'won');
    const lostDispute = await dispute(lost, 'lost');
    const first = [refunded, won, lost, withFee, differing, ofClosed].toSorted();
    // A file that only says what the payout of the day comes to.
    const whole = await settle([
      await charge(refunded),
      await charge(won),
      await charge(lost),
      await charge(withFee, 1_000, 10),
      await charge(differing, 1_100),
      await charge(ofClosed),
      lineOf(refunded, 200, new Date(), { refund: refund.refund_id, reference: rows[0]!.reference }),
      line('dispute', won, wonDispute, 1_000),
      line('dispute_won', won, wonDispute, 1_000),
      line('dispute', lost, lostDispute, 1_000),
      line('payout', 'po-1', 'po-1', 4_890),
    ]);
    const entry = { debit: 'cash-psp:EUR', credit: `seller:${seller}:EUR`, amount: '1.00', currency: 'EUR' };
    const decision = await decideOn('amount_differs', entry);
    await approved(await send(`/v1/finance/decisions/${decision}/reversal`, { why: 'it was not' }));

    // Files that name what their payouts contain.
    const [named, beside] = [await paid(), await paid()];
    await settle([await charge(named, 1_000, 5), await charge(beside)]);
    const part = async (id: string, payout: string, fee = 0) => `${await charge(id, 1_000, fee)},${payout}`;
    const ofParts = await settle([
      await part(named, 'po-2', 5),
      await part(beside, 'po-4'),
      line('payout', 'po-2', 'po-2', 995),
      line('payout', 'po-4', 'po-4', 1_000),
    ]);
    await settle([line('payout_returned', 'po-2', 'po-2', 995)]);
    const short = await paid();
    await settle([await charge(short), await part(short, 'po-3'), line('payout', 'po-3', 'po-3', 900)]);
    await decideOn('payout_differs');
    await room.sql.query('UPDATE wallet SET balance = balance + 1 WHERE seller_account = $1', [seller]);
    await settle([]);
    await room.sql.query('UPDATE wallet SET balance = balance - 1 WHERE seller_account = $1', [seller]);
    const cent = { debit: 'differences:EUR', credit: 'cash-psp:EUR', amount: '0.01', currency: 'EUR' };
    await decideOn('wallet_differs', cent);

    // A payout of less than the first payment, which comes back, and one of more; one that fails.
    const returned = await payOut(seller, '5.00', 'paid');
    await comesBack(returned);
    const small = await payOut(seller, '4.00', 'paid');
    const large = await payOut(seller, '20.00', 'paid');
    const all = await room.count('SELECT -balance AS n FROM ledger_trial_balance WHERE id = $1', [
      entry.credit,
    ]);
    const rest = await payOut(seller, (all / 100).toFixed(2), 'paid');
    await decideOn('amount_differs', entry);
    const ofDecision = await payOut(seller, '1.00', 'paid');
    const after = await paid();
    const ofAfter = await payOut(seller, '4.00', 'paid');
    const failed = await payOut(closed, '10.00', 'failed');
    const back = { refund_id: randomUUID(), amount: '10.00', reason: 'nothing came' };
    await room.refund(ofClosed, back);
    await posted(ofClosed, `refund:${back.refund_id}`);
    const unpaid = await paid(closed);

    const { rows: entries } = await room.sql.query<{ subject: string; operation: string; kind: string }>(
      'SELECT subject, operation, kind FROM ledger_transfer ORDER BY batch_no, batch_sequence',
    );
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(transferKinds));
    const operations = new Set(entries.map(({ operation }) => operation.replace(/:.*:|:.*/, '')));
    const ofPayouts = ['send', 'paid', 'failed', 'returned', 'payout', 'payout-returned', 'fees'];
    const ofPayments = [
      'capture',
      'refund',
      'disputeopened',
      'disputewon',
      'disputelost',
      'adjust',
      'decision',
    ];
    expect(operations).toEqual(new Set([...ofPayments, ...ofPayouts]));
    const traces = new Map<string, Traced>();
    for (const one of entries) {
      const payments = await idsBehind(one.subject);
      expect(payments, nameOf(one)).not.toEqual([]);
      for (const id of payments) {
        const traced = traces.get(id) ?? (await trace(id));
        traces.set(id, traced);
        expect(traced.webhooks, nameOf(one)).toContain(webhookAbout(one.operation));
        expect([...traced.entries], `${id} has ${nameOf(one)}`).toContain(nameOf(one));
      }
    }
    for (const [id, { ids }] of traces)
      for (const one of ids) {
        expect(one).toEqual(expect.any(String));
        expect(await idsBehind(one)).toEqual([id]);
      }

    // And to no others.
    expect(await idsBehind('po-1')).toEqual(first);
    expect(await idsBehind(`settlement-${whole}`)).toEqual(first);
    expect(await idsBehind('po-2')).toEqual([named]);
    expect(await idsBehind('po-4')).toEqual([beside]);
    expect(await idsBehind(`settlement-${ofParts}`)).toEqual([named, beside].toSorted());
    expect(await idsBehind('po-3')).toEqual([short]);
    for (const one of [returned, small]) expect(await idsBehind(one)).toEqual([refunded]);
    expect(await idsBehind(failed)).toEqual([ofClosed]);
    expect(await idsBehind(large)).toEqual([refunded, won, lost].toSorted());
    expect(await idsBehind(rest)).not.toContain(after);
    expect(await idsBehind(ofDecision)).toEqual([differing]);
    expect(await idsBehind(ofAfter)).toEqual([after]);
    expect((await settlement(ofClosed)).payouts).toMatchObject([
      { payout_id: failed, payout_status: 'failed' },
    ]);
    // It brought the earnings of the seller to where they were, after that payout.
    expect(await settlement(unpaid)).toEqual({ lines: [], payouts: [], entries: [], has_more: false });
  });

  it('says when there are more files than one answer reads', async () => {
    const id = await paid();
    const addFiles = (many: number) =>
      room.sql.query(
        `INSERT INTO settlement_file (file_id, provider, sha256, period_from, period_to, lines, received_at)
         SELECT 'empty-' || gen_random_uuid(), 'psp', '', now(), now() + interval '1 day', 0, now()
         FROM generate_series(1, $1::integer)`,
        [many],
      );
    await addFiles(traceLimits.filesMax - (await room.count('SELECT count(*) AS n FROM settlement_file')));
    expect((await settlement(id)).has_more).toBe(false);
    await addFiles(1);
    expect((await settlement(id)).has_more).toBe(true);
  });
});
