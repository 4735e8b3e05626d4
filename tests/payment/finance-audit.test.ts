import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLog } from '#payment/finance/audit-log.js';
import type { PaymentCursor } from '#payment/merchant/payment-cursor.js';
import { seededRandom } from '#platform/random/random.js';
import { auditActions, type DeedBody } from '#schemas/http/finance-audit.js';
import { assignAccount } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ groups: [] });
});
afterAll(() => room?.close());

interface Page {
  readonly deeds: readonly DeedBody[];
  readonly next: string | null;
}

async function get(query: string, token = 'finance.fay', base = room.internalUrl) {
  const response = await fetch(`${base}/v1/finance/audit?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Page };
}

/** One deed of each kind at this second; what has a second person, by `<who>-2` a second later. */
const everyDeed = (name: string, who: string, second: number): readonly string[] => {
  const at = `timestamptz '2026-02-01T00:00:00Z' + ${second} * interval '1 second'`;
  const after = `${at} + interval '1 second'`;
  const other = `'${who}-2'`;
  return [
    `INSERT INTO payment_events (checkout_id, caller, created_at) VALUES ('c-${name}', 'shop', ${at})`,
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor,
       currency, expires_at, created_at, changed_at)
     VALUES ('o-${name}', 'c-${name}', 0, 'ada', 'S', '5.00', 500, 'EUR', ${at}, ${at}, ${at})`,
    `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by,
       created_at, changed_at, needs_second, reviewed_by, reviewed_at, review_reason)
     VALUES ('r-${name}', 'o-${name}', '5.00', 500, 'EUR', 'a broken cup', '${who}', ${at}, ${at}, true, ${other}, ${after}, 'seen')`,
    `INSERT INTO payout (payout_id, seller_account, currency, amount_minor, period, requested_by, created_at, changed_at, reason,
       next_attempt_at, reviewed_by, reviewed_at, review_reason)
     VALUES ('p-${name}', 'S', 'EUR', 700, 'p-${name}', '${who}', ${at}, ${at}, 'asked', 'infinity', ${other}, ${after}, 'fine')`,
    `INSERT INTO payout_schedule (seller_account, currency, interval, time_zone, minimum_minor, delay_days, state, requested_by,
       reason, requested_at, reviewed_by, reviewed_at, review_reason, ended_by, ended_at, end_reason)
     VALUES ('${name}', 'EUR', 'daily', 'UTC', 0, 0, 'stopped', '${who}', 'contract', ${at}, ${other}, ${after}, 'fine',
       '${who}', ${after}, 'left')`,
    `INSERT INTO seller_fee (seller_account, currency, basis_points, fixed_minor, state, requested_by, reason, requested_at,
       reviewed_by, reviewed_at, review_reason)
     VALUES ('${name}', 'EUR', 100, 0, 'denied', '${who}', 'contract', ${at}, ${other}, ${after}, 'no')`,
    `INSERT INTO merchant_account (seller_account, merchant_id, assigned_by, assigned_at, reason, removed_by, removed_at,
       removal_reason) VALUES ('${name}', 'm', '${who}', ${at}, 'contract', '${who}', ${after}, 'left')`,
    `INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
     VALUES ('o-${name}', 'allow', 'nothing_unusual', 'rules', ${at}), ('o-${name}', 'denied', 'a thief', 'staff ${who}', ${at})`,
    `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at, redriven_at, redriven_by)
     VALUES ('refund', 'r-${name}', 'away', 8, ${at}, ${after}, '${who}'), ('refund', 'r-${name}', 'away', 8, ${at}, NULL, NULL)`,
    `INSERT INTO payment_disputes (dispute_id, payment_order_id, amount_minor, currency, dispute_status, opened_at)
     VALUES ('d-${name}', 'o-${name}', 500, 'EUR', 'OPENED', ${at})`,
    `INSERT INTO dispute_document (dispute_id, purpose, content_type, sha256, size, added_by, added_at)
     VALUES ('d-${name}', 'receipt', 'application/pdf', sha256('x'), 1, '${who}', ${at})`,
    `INSERT INTO dispute_answer (dispute_id, kind, fingerprint, next_attempt_at, answered_by, answered_at)
     VALUES ('d-${name}', 'evidence', 'x', 'infinity', '${who}', ${after})`,
    `WITH f AS (INSERT INTO reconciliation_finding (kind, class, payment_order_id, currency, found_at, changed_at)
         VALUES ('amount_differs', 2, 'o-${name}', 'EUR', ${at}, ${at}) RETURNING finding_no),
       d AS (INSERT INTO finance_decision (finding_no, action, debit, credit, amount_minor, currency, who, why, at, needs_second)
         SELECT finding_no, 'adjust', 'differences:EUR', 'cash-psp:EUR', 900, 'EUR', '${who}', 'lost', ${at}, true FROM f
         RETURNING decision_no)
     INSERT INTO finance_approval (decision_no, who, at) SELECT decision_no, ${other}, ${after} FROM d`,
    `WITH f AS (INSERT INTO settlement_file (file_id, provider, sha256, period_from, period_to, lines, received_at)
         VALUES ('f-${name}', 'psp', '', ${at}, ${after}, 0, ${at}) RETURNING file_no)
     INSERT INTO settlement_late_acceptance (file_no, who, why, at) SELECT file_no, '${who}', 'an outage', ${at} FROM f`,
  ];
};

it('holds every kind of deed with who, when, why and how much', async () => {
  for (const text of everyDeed('one', 'sam', 0)) await room.sql.query(text);
  const { deeds } = (await get('limit=200')).body;
  expect(deeds.map(({ action }) => action).toSorted()).toEqual([...auditActions].toSorted());
  const of = (action: string) => deeds.find((deed) => deed.action === action);
  expect(of('refund_requested')).toMatchObject({
    who: 'sam',
    at: '2026-02-01T00:00:00.000Z',
    subject: 'r-one',
    payment_order_id: 'o-one',
    amount: '5.00',
    currency: 'EUR',
    reason: 'a broken cup',
  });
  expect(of('refund_reviewed')).toMatchObject({
    who: 'sam-2',
    at: '2026-02-01T00:00:01.000Z',
    reason: 'seen',
  });
  expect(of('finding_decided')).toMatchObject({
    who: 'sam',
    amount: '9.00',
    debit: 'differences:EUR',
    credit: 'cash-psp:EUR',
    reason: 'lost',
  });
  expect(of('finding_approved')).toMatchObject({ who: 'sam-2', amount: '9.00' });
  expect(of('payout_requested')).toMatchObject({ who: 'sam', seller_account: 'S', amount: '7.00' });
  expect(of('payment_reviewed')).toMatchObject({ who: 'sam', reason: 'denied: a thief' });
  expect(of('account_removed')).toMatchObject({ who: 'sam', reason: 'left' });
  expect(of('late_file_accepted')).toMatchObject({ who: 'sam', reason: 'an outage' });
  expect(of('dispute_answered')).toMatchObject({ payment_order_id: 'o-one', reason: 'evidence' });
  const bySecond = (await get('who=sam-2&limit=200')).body.deeds;
  expect(bySecond.map(({ action }) => action).toSorted()).toEqual([
    'fee_reviewed',
    'finding_approved',
    'payout_reviewed',
    'refund_reviewed',
    'schedule_reviewed',
  ]);
});

it('gives each deed once over all pages, newest first, also of one second', async () => {
  const random = seededRandom(11);
  for (let one = 0; one < 40; one += 1) {
    // Several at the same time: 40 in 12 seconds.
    const second = Math.floor(random.next() * 12);
    for (const text of everyDeed(`many-${one}`, `p${one % 3}`, second)) await room.sql.query(text);
  }
  const whole = await auditLog(room.sql, { limit: 10_000 });
  expect(whole.next).toBeUndefined();
  expect(whole.deeds).toHaveLength(41 * auditActions.length);
  const times = whole.deeds.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  for (const who of [undefined, 'p1', 'p2-2']) {
    const wanted = whole.deeds.filter((deed) => who === undefined || deed.who === who);
    for (const limit of [1, 7, 200]) {
      if (limit === 1 && who === undefined) continue;
      const found = [];
      let before: PaymentCursor | undefined;
      do {
        const page = await auditLog(room.sql, {
          limit,
          ...(who === undefined ? {} : { who }),
          ...(before === undefined ? {} : { before }),
        });
        expect(page.deeds.length).toBeLessThanOrEqual(limit);
        found.push(...page.deeds);
        before = page.next;
      } while (before !== undefined);
      expect(found).toEqual(wanted);
    }
  }
});

it('takes up what is done over HTTP at once, and is for finance alone', async () => {
  const answer = await assignAccount(room, { merchant_id: 'ann', seller_account: 'NEW', reason: 'contract' });
  expect(answer.status).toBeLessThan(300);
  const first = (await get('limit=1')).body;
  expect(first.deeds).toMatchObject([
    { action: 'account_assigned', who: 'fay', seller_account: 'NEW', reason: 'contract' },
  ]);
  expect((await get(`limit=1&before=${first.next}`)).body.deeds).not.toEqual(first.deeds);
  expect((await get('before=AAAA')).status).toBe(400);
  expect((await get('limit=1', 'desk.dee')).status).toBe(403);
  expect((await get('limit=1', 'finance.fay', room.url)).status).toBe(404);
});

it('reads records that grow with every payment by an index on their time', async () => {
  const plans: string[] = [];
  await room.sql.transaction(async (tx) => {
    // So few rows are otherwise read as a whole.
    await tx.query('SET LOCAL enable_seqscan = off');
    await tx.query('SET LOCAL enable_sort = off');
    const explained = {
      query: async (text: string, values: never) => {
        const { rows } = await tx.query(`EXPLAIN ${text}`, values);
        plans.push(rows.map((line) => line['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    };
    await auditLog(explained as never, { limit: 50 });
  });
  for (const index of [
    'payment_refunds_newest',
    'payment_refunds_reviewed',
    'payout_newest',
    'payout_reviewed',
    'payment_risk_checks_of_people',
    'payment_dead_letters_retried',
    'dispute_answer_newest',
    'dispute_document_newest',
    'finance_decision_newest',
    'finance_approval_newest',
    'settlement_late_acceptance_newest',
  ])
    expect(plans[0]).toContain(index);
});
