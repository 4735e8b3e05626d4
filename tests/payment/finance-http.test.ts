import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRoot } from '#payment/ledger/publish-root.js';
import { readPublishedRoots } from '#payment/ledger/published-roots.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { forgetSent } from '#payment/outbox/outbox.js';
import { alertOverduePayouts } from '#payment/payouts/alert-payouts.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import type { Finding, PaymentDeadLetter, PaymentDeadLetters } from '#schemas/http/finance.js';
import type { Payout } from '#schemas/http/payouts.js';
import { noticeKind } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';
import { fetchOrProblem } from '../http-problems.js';
import { iban, OrdersRoom, quick } from './orders-fixture.js';
import { fileOf, lineOf } from './settlement-order.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    // P-012 only: the chain head is published immediately.
    settings: { rounds: { ...quick.rounds, rootMs: 50 } },
  });
});
afterAll(() => room?.close());

const staff = async <Body>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  who = 'finance+payouts.sam',
  key?: string,
) => {
  const response = await fetchOrProblem(room.internalUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${who}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
};

interface Problem {
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}
const pointersOf = async (response: Response) =>
  ((await response.json()) as Problem).errors?.map(({ pointer }) => pointer);

async function captured(seller: string, amount = '10.50'): Promise<string> {
  const { payment_order_id: id } = await room.pay({ seller_account: seller, amount }, 'tok_captured');
  await room.settled(id);
  return id;
}

describe('payouts over HTTP', () => {
  const wanted = (seller: string, amount: string) => ({
    payout_id: randomUUID(),
    seller_info: { account: seller },
    amount,
    currency: 'EUR',
  });

  proves('P-022', {
    asked: 'absent for pay-in, required for payout',
    shown: 'a payout names the seller, without it 400 names the field (test below); so does a pay-in with it',
    control: {
      in: 'schemas/http/payments.ts',
      change: '    credit_card_info: CreditCardInfo,\n',
      to: `    credit_card_info: CreditCardInfo,
    seller_info: Type.Optional(Type.Object({ account: AccountText }, closed)),
`,
    },
  });
  proves('P-084', {
    asked: 'the same key of another caller is independent and leaks nothing',
    shown: 'payouts: under the key of a colleague an own one',
  });
  it('P-002, P-022, P-084: two people pay a seller; the provider pays once, the wallet falls', async () => {
    const seller = 'DE02100100100006820101';
    await captured(seller);
    const body = wanted(seller, '10.00');
    const key = randomUUID();
    const first = await staff<Payout>('POST', '/v1/payouts', body, 'finance+payouts.sam', key);
    expect(first).toMatchObject({
      status: 202,
      body: { payout_id: body.payout_id, seller_account: seller, payout_status: 'awaiting_second' },
    });
    const review = { decision: 'approve', reason: 'the invoice is there' };
    const path = `/v1/payouts/${body.payout_id}/review`;
    expect((await staff('POST', path, review, 'finance.eve')).status).toBe(200);
    await eventually(async () => {
      const { body: payout } = await staff<Payout>('GET', `/v1/payouts/${body.payout_id}`);
      expect(payout.payout_status).toBe('paid');
    });
    await eventually(async () =>
      expect(await room.count('SELECT balance AS n FROM wallet WHERE seller_account = $1', [seller])).toBe(
        50,
      ),
    );
    const again = await staff<Payout>('POST', '/v1/payouts', body, 'finance+payouts.sam', key);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await staff<Payout>(
      'POST',
      '/v1/payouts',
      { ...body, amount: '1.00' },
      'finance+payouts.sam',
      key,
    );
    expect(other.headers.get('idempotency-mismatch')).toBe('true');
    expect(other.body.amount).toBe('10.00');
    // Of another person it is another key, which shows nothing of the first.
    const hers = wanted(seller, '0.10');
    const ofEve = await staff<Payout>('POST', '/v1/payouts', hers, 'finance+payouts.eve', key);
    expect([ofEve.status, ofEve.body.payout_id, ofEve.body.amount]).toEqual([202, hers.payout_id, '0.10']);
    expect(ofEve.headers.get('idempotent-replayed')).toBeNull();
    const paid = (await room.record()).filter(
      (line) =>
        line.kind === 'payout' && line.payout.nonce === body.payout_id && line.payout.status === 'paid',
    );
    expect(paid).toHaveLength(1);
    const payIn = await room.post({ ...room.body(), seller_info: { account: seller } });
    expect([payIn.status, await pointersOf(payIn)]).toEqual([400, ['/seller_info']]);
    const { rows: stored } = await room.sql.query('SELECT DISTINCT seller_info FROM payment_events');
    expect(stored).toEqual([{ seller_info: null }]);
    const list = await staff<{ payouts: Payout[] }>('GET', '/v1/payouts?limit=200');
    expect(list.body.payouts.map(({ payout_id: id }) => id)).toContain(body.payout_id);
  });

  it('a refund too large, a wrong amount, no key, no seller or no staff reserves nothing', async () => {
    const seller = 'DE02100100100006820102';
    await captured(seller);
    const send = (body: object, who?: string, key: string | undefined = randomUUID()) =>
      staff<Problem>('POST', '/v1/payouts', body, who, key);
    expect(await send(wanted(seller, '10.51'))).toMatchObject({
      status: 422,
      body: { code: 'payout-above-balance' },
    });
    expect((await send(wanted(seller, '1e3'))).status).toBe(400);
    expect((await staff('POST', '/v1/payouts', wanted(seller, '1.00'))).status).toBe(400);
    const { seller_info: _, ...noSeller } = wanted(seller, '1.00');
    const { status, body: unnamed } = await send(noSeller);
    expect([status, unnamed.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/seller_info']]);
    expect((await send(wanted(seller, '1.00'), 'customer.ada')).status).toBe(403);
    expect(
      (await fetch(`${room.url}/v1/payouts`, { headers: { authorization: 'Bearer finance+payouts.sam' } }))
        .status,
    ).toBe(404);
    expect(await room.count(`SELECT count(*) AS n FROM payout WHERE seller_account = $1`, [seller])).toBe(0);
  });

  it('P-004: a payout that stays open raises one alert, which clears', async () => {
    await room.sql.query(
      `INSERT INTO payout (payout_id, seller_account, currency, amount_minor, period, requested_by, created_at, changed_at, next_attempt_at)
       VALUES ('old', 'x', 'EUR', 1, 'old', 'sam', now() - interval '4 days', now(), now() + interval '1 day')`,
    );
    const look = () =>
      alertOverduePayouts(
        { sql: room.sql, logger: silentLogger, metrics: room.metrics },
        Date.now(),
        3 * 86_400_000,
      );
    expect(await look()).toBe(1);
    expect(await look()).toBe(1);
    expect(await room.count(`SELECT count(*) AS n FROM payment_outbox WHERE event_id = 'old:overdue'`)).toBe(
      1,
    );
    await room.sql.query(`UPDATE payout SET state = 'sending' WHERE payout_id = 'old'`);
    await room.sql.query(
      `UPDATE payout SET state = 'failed', next_attempt_at = NULL WHERE payout_id = 'old'`,
    );
    expect(await look()).toBe(0);
  });
});

describe('the finance queue over HTTP', () => {
  it('P-102, P-105: two people decide above the limit; a counter-entry reverses it', async () => {
    const day = await calmDay();
    const large = await captured(iban, '2000.00');
    // The provider has settled nothing of the day.
    const bytes = Readable.from([fileOf('nothing', new Date(`${day}T00:00:00Z`), [])]);
    const outcome = await reconcileSettlement(room.sql, { source: 'nothing.txt', bytes, now: new Date() });
    expect(outcome.kind).toBe('reconciled');
    const queue = async () =>
      (await staff<{ findings: Finding[] }>('GET', '/v1/finance/findings')).body.findings;
    const finding = (await queue()).find(({ payment_order_id: id }) => id === large)!;
    expect(finding).toMatchObject({ class: 2, state: 'open', decisions: [] });
    const proposed = finding.proposal[0]!;
    const path2 = `/v1/finance/findings/${finding.finding_no}/decisions`;
    expect((await staff('POST', path2, { entry: { ...proposed, amount: 'NaN' }, why: 'x' })).status).toBe(
      400,
    );
    expect((await staff('POST', path2, { entry: proposed, why: '' })).status).toBe(400);
    const decided = await staff<{ decision_no: number; outcome: string }>('POST', path2, {
      entry: proposed,
      why: 'the provider has lost it',
    });
    expect(decided).toMatchObject({ status: 200, body: { outcome: 'awaiting_second' } });
    const approval = `/v1/finance/decisions/${decided.body.decision_no}/approval`;
    expect(await staff('POST', approval)).toMatchObject({
      status: 403,
      body: { code: 'finance-second-person' },
    });
    expect(await staff('POST', approval, undefined, 'finance.eve')).toMatchObject({
      status: 200,
      body: { outcome: 'applied' },
    });
    expect((await staff('POST', approval, undefined, 'finance.eve')).status).toBe(409);
    const reversal = `/v1/finance/decisions/${decided.body.decision_no}/reversal`;
    const reversed = await staff<{ decision_no: number }>('POST', reversal, { why: 'it was not' });
    expect(reversed).toMatchObject({ status: 200, body: { outcome: 'awaiting_second' } });
    const second = `/v1/finance/decisions/${reversed.body.decision_no}/approval`;
    expect((await staff('POST', second, undefined, 'finance.eve')).status).toBe(200);
    const again = (await queue()).find(({ finding_no: no }) => no === finding.finding_no)!;
    expect(again.decisions.map(({ who, second_who: other, action }) => [who, other, action])).toEqual([
      ['sam', 'eve', 'adjust'],
      ['sam', 'eve', 'reverse'],
    ]);
    expect((await staff('POST', '/v1/finance/findings/99999/decisions', { why: 'x' })).status).toBe(404);
    const edges = [
      '9007199254740991',
      '9007199254740992',
      '9223372036854775807',
      '9223372036854775808',
      '1e30',
    ];
    for (const id of edges) {
      const asked = [
        staff('POST', `/v1/finance/findings/${id}/decisions`, { why: 'x' }),
        staff('POST', `/v1/finance/decisions/${id}/approval`, undefined, 'finance.eve'),
        staff('POST', `/v1/finance/decisions/${id}/reversal`, { why: 'x' }),
        staff('POST', `/v1/payment-dead-letters/${id}/redrive`),
      ];
      for (const answer of await Promise.all(asked)) expect([id, answer.status]).toEqual([id, 404]);
      for (const path of ['finance/findings?after', 'payment-dead-letters?before'])
        expect((await staff('GET', `/v1/${path}=${id}`)).status).toBe(id === edges[0] ? 200 : 400);
    }
    expect(await room.count('SELECT sum(balance)::bigint AS n FROM ledger_trial_balance')).toBe(0);
  });

  it('P-123: dead-lettered work is listed, and a refund is retried once', async () => {
    const id = await captured(iban);
    await room.sql.query(
      `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by, attempts,
         created_at, changed_at) VALUES ('stuck', $1, '1.00', 100, 'EUR', 'r', 'sam', 8, now(), now())`,
      [id],
    );
    await room.sql.query(
      'UPDATE payment_orders SET refunding_minor = 100, version = version + 1 WHERE payment_order_id = $1',
      [id],
    );
    await room.sql.query(
      `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at) VALUES ('refund', 'stuck', 'retries_exhausted', 8, now()),
         ('payment', $1, 'retries_exhausted', 8, now())`,
      [id],
    );
    const letters = async () =>
      (await staff<{ dead_letters: PaymentDeadLetter[] }>('GET', '/v1/payment-dead-letters')).body
        .dead_letters;
    const [payment, refund] = await letters();
    expect((await staff('POST', `/v1/payment-dead-letters/${refund!.id}/redrive`)).status).toBe(200);
    expect((await staff('POST', `/v1/payment-dead-letters/${refund!.id}/redrive`)).status).toBe(409);
    expect((await staff('POST', `/v1/payment-dead-letters/${payment!.id}/redrive`)).status).toBe(409);
    expect((await staff('POST', '/v1/payment-dead-letters/99999/redrive')).status).toBe(404);
    await room.sql.query(
      `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at)
       SELECT 'payment', $1, 'retries_exhausted', 8, now() FROM generate_series(1, 250)`,
      [id],
    );
    const seen: number[] = [];
    for (let before = ''; ; ) {
      const path = `/v1/payment-dead-letters?which=all${before}`;
      const { dead_letters: some, next } = (await staff<PaymentDeadLetters>('GET', path)).body;
      seen.push(...some.map((letter) => letter.id));
      if (next === null) break;
      before = `&before=${next}`;
    }
    expect(seen).toHaveLength(await room.count('SELECT count(*) AS n FROM payment_dead_letters'));
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
    await room.until(id, ({ refunded_amount: refunded }) => refunded === '1.00');
  });

  proves('P-010', {
    asked: 'wallet = sum of its entries, for all merchants',
    shown:
      'all wallets and all accounts of merchants agree after the payments, refunds and payouts of the file',
    control: {
      in: 'payment/schema/wallet.ts',
      change: 'SET balance = w.balance - f.delta, reserved',
      to: 'SET balance = -f.delta, reserved',
    },
  });
  it('P-010, I6: the proof is one figure', async () => {
    const id = await captured('WALLET', '20.00');
    const { body: refund } = await room.refund(id, { refund_id: randomUUID(), amount: '5.00', reason: 'r' });
    await eventually(async () =>
      expect(await room.ledgerTransfers(id, `refund:${refund.refund_id}`)).toBe(1),
    );
    const wallets = () =>
      // Every account of a merchant that has an entry, and every wallet.
      room.sql.query<{ seller: string; balance: bigint | null; entries: bigint | null }>(
        `SELECT coalesce(seller_account || ':' || w.currency, account) AS seller, balance, entries
         FROM wallet w FULL JOIN (
           SELECT account_no, account, -sum(amount)::bigint AS entries FROM ledger_entry
           WHERE account LIKE 'seller:%' GROUP BY account_no, account) e USING (account_no)`,
      );
    // A wallet follows its entries within a second.
    await eventually(async () => {
      const { rows } = await wallets();
      expect(rows.find(({ seller }) => seller === 'WALLET:EUR')?.balance).toBe(1_500n);
      expect(rows.length).toBeGreaterThanOrEqual(4);
      expect(rows.filter(({ balance, entries }) => balance !== entries)).toEqual([]);
    });
    const proof = await staff<{ share: number; ledger_sum: string }>('GET', '/v1/finance/proof');
    expect(proof.body).toMatchObject({ ledger_sum: '0', wallets_wrong: 0 });
  });
});

describe('published and retained data', () => {
  it('P-012: the chain head of each batch is published once and compared with the ledger', async () => {
    await captured(iban);
    await publishRoot(room.sql, Date.now());
    await publishRoot(room.sql, Date.now());
    const rows = await room.count(
      `SELECT count(*) AS n FROM payment_outbox WHERE event_id LIKE 'ledger-root:%'`,
    );
    const read = () => readPublishedRoots(room.log, room.codecs.paymentNotice);
    await eventually(async () => expect((await read()).size).toBeGreaterThanOrEqual(rows));
    const published = await read();
    expect([...published.values()].every(({ size }) => size === 1)).toBe(true);
    expect((await verifyLedger(room.sql, published)).faults).toEqual([]);
    // A forger who rewrites the past and publishes its chain head again does not hide the first one.
    const [batch] = published.keys();
    const { paymentNotice } = room.codecs;
    const notice = {
      eventId: randomUUID(),
      kind: noticeKind.ledgerRoot,
      paymentOrderId: '',
      caller: '',
      detail: `${batch} ${'00'.repeat(32)}`,
      occurredMs: Date.now(),
    };
    await room.log.append(paymentNotice.topic.name, [
      { key: 'ledger-root', value: paymentNotice.encode(notice) },
    ]);
    expect((await verifyLedger(room.sql, await read())).faults).toMatchObject([
      { kind: 'root', where: `batch ${batch}` },
    ]);
  });

  proves('P-035', {
    asked: 'no order without its event',
    shown: 'raw inserts without an event (of an unknown one, of none), and a raw delete of an event fail',
    control: {
      in: 'payment/schema/orders.ts',
      change: 'checkout_id text NOT NULL REFERENCES payment_events,',
      to: 'checkout_id text NOT NULL,',
    },
  });
  it('P-035: an order cannot exist without its event', async () => {
    const orphan = (checkoutId: string | null) =>
      room.sql.query(
        `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
           expires_at, created_at, changed_at) VALUES ('orphan', $1, 0, 'b', 's', '1.00', 100, 'EUR', now(), now(), now())`,
        [checkoutId],
      );
    await expect(orphan('nobody')).rejects.toThrow('foreign key');
    await expect(orphan(null)).rejects.toThrow('null value in column "checkout_id"');
    const event = room.sql.query('DELETE FROM payment_events');
    await expect(event).rejects.toThrow('foreign key');
  });

  it('old messages that are in the log are deleted, waiting ones are kept', async () => {
    await room.sql.query(
      `INSERT INTO payment_outbox (event_id, topic, key, payload, created_at, sent_at) VALUES
         ('sent-long-ago', 'payment.notice.v1', 'k', '{}', now(), now() - interval '8 days')`,
    );
    const week = 7 * 86_400_000;
    expect(await forgetSent(room.sql, Date.now(), week)).toBe(false);
    expect(
      await room.count(`SELECT count(*) AS n FROM payment_outbox WHERE event_id = 'sent-long-ago'`),
    ).toBe(0);
    expect(await room.count('SELECT count(*) AS n FROM payment_outbox')).toBeGreaterThan(0);
  });
});

describe('the ledger and the provider', () => {
  proves('P-009', {
    asked: 'the number of ledger transactions is that of successful money operations, matched by id',
    shown:
      'of every kind: our tables and the provider’s record and settlement file = all transactions, by id',
    control: {
      in: 'payment/ledger/payment-transfers.ts',
      change: 'operation: `dispute:${disputeId}:${state}`,',
      to: 'operation: `dispute:${paymentOrderId}:${state}`,',
    },
  });
  it('P-009: have the same operations by id, of every kind in this file', async () => {
    const seller = 'DE02100100100006820103';
    for (const status of ['won', 'lost'] as const) {
      const nonce = await captured(seller);
      const { id } = await room.control<{ id: string }>('POST', '/disputes', { nonce });
      await room.control('POST', '/disputes/close', { id, status });
    }
    // A day as the provider settles it: a charge, whose fee it keeps, and its payout.
    const settled = await captured(seller);
    const { reference } = await room.payment(settled);
    const at = new Date();
    const charge = lineOf(settled, 1_050, at, { fee: 30, reference: String(reference) });
    const payout = `payout,po-1,po-1,po-1,1020,0,EUR,succeeded,${at.toISOString()}`;
    const day = new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);
    const bytes = Readable.from([fileOf('settled', day, [charge, payout])]);
    await reconcileSettlement(room.sql, { source: 'settled.txt', bytes, now: new Date() });
    const fileNo = await room.count(`SELECT file_no AS n FROM settlement_file WHERE file_id = 'settled'`);
    const names = async (query: string) =>
      (await room.sql.query<{ name: string }>(`SELECT ${query}`)).rows.map(({ name }) => name).toSorted();
    await eventually(async () => {
      const operations = await names(
        `payment_order_id || ' capture' AS name FROM payment_orders WHERE captured_minor > 0
         UNION ALL SELECT payment_order_id || ' refund:' || refund_id FROM payment_refunds WHERE refund_status = 'SUCCESS'
         UNION ALL SELECT payment_order_id || ' dispute:' || dispute_id || ':opened' FROM payment_disputes
         UNION ALL SELECT payment_order_id || ' dispute:' || dispute_id || ':' || lower(dispute_status)
           FROM payment_disputes WHERE dispute_status <> 'OPENED'
         UNION ALL SELECT payout_id || ' paid' FROM payout WHERE state = 'paid'
         UNION ALL SELECT 'finding-' || finding_no || ' decision:' || decision_no FROM finance_decision d
           WHERE action <> 'dismiss' AND (NOT needs_second OR EXISTS (
             SELECT FROM finance_approval a WHERE a.decision_no = d.decision_no))
         UNION ALL SELECT payment_order_id || ' adjust:' || finding_no FROM reconciliation_finding WHERE state = 'adjusted'
         UNION ALL SELECT payout_id || ' payout:settlement-' || file_no FROM settlement_payout WHERE NOT is_repeated
         UNION ALL SELECT 'settlement-' || file_no || ' fees:' || currency FROM settlement_balance
           WHERE fees_minor > 0 AND paid_minor > 0`,
      );
      // What a pending payout reserves has not moved yet.
      const ofLedger = `ledger_transfer WHERE leg = 0 AND phase IN ('posted', 'post')`;
      expect(await names(`subject || ' ' || operation AS name FROM ${ofLedger}`)).toEqual(operations);
      expect(await names(`DISTINCT kind AS name FROM ${ofLedger}`)).toEqual([
        'adjustment',
        'capture',
        'dispute_lost',
        'dispute_opened',
        'dispute_won',
        'payout',
        'refund',
        'settlement',
      ]);
      const atProvider = (await room.record()).flatMap((line) => {
        if (line.kind === 'payment' && line.payment.status === 'captured')
          return [`${line.payment.nonce} capture`];
        if (line.kind === 'refund' && line.refund.status === 'refunded')
          return [`${line.refund.paymentNonce} refund:${line.refund.nonce}`];
        if (line.kind === 'payout' && line.payout.status === 'paid') return [`${line.payout.nonce} paid`];
        return line.kind === 'dispute'
          ? [`${line.dispute.paymentNonce} dispute:${line.dispute.id}:${line.dispute.status}`]
          : [];
      });
      const inFile = [`po-1 payout:settlement-${fileNo}`, `settlement-${fileNo} fees:EUR`];
      // Decisions of finance are ours alone.
      expect([...new Set([...atProvider, ...inFile])].toSorted()).toEqual(
        operations.filter((name) => !/^finding-| adjust:/.test(name)),
      );
    });
  });
});
