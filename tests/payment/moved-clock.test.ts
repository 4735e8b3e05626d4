import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import { resolveOrder } from '#payment/executor/resolve-order.js';
import { openProviders } from '#payment/psp/providers.js';
import type { RiskDecision } from '#payment/risk/risk-check.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom, quick } from './orders-fixture.js';

/** The clock of the service, which stands until a test moves it. */
let clockMs = Date.now();
let decision: RiskDecision;
let room: OrdersRoom;
/** Of each call to the provider, its nonce. */
const begun: string[] = [];
const queried: string[] = [];
const { askAfterMsMin, askAfterMsMax, registrationMs, overdueMs, settlementDueAfterMs } = paymentDefaults;
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    nowMs: () => clockMs,
    settings: {
      ...{ askAfterMsMin, askAfterMsMax },
      rounds: { ...quick.rounds, alertsMs: 50, proofMs: 50 },
    },
    risk: { name: 'third party', assess: () => Promise.resolve(decision) },
    providers: (own) =>
      openProviders([
        {
          ...own,
          begin: (order, keep) => {
            begun.push(order.nonce);
            return own.begin(order, keep);
          },
          query: (order) => {
            queried.push(order.nonce);
            return own.query(order);
          },
        },
      ]),
  });
});
afterAll(() => room?.close());
beforeEach(() => {
  decision = { decision: 'allow', reason: 'nothing_unusual' };
});

describe('a result of which no webhook tells', () => {
  const stored = async (id: string) => {
    const { rows } = await room.sql.query<{ version: bigint; created: Date; next: Date | null }>(
      `SELECT version, created_at AS created, next_attempt_at AS next FROM payment_orders
       WHERE payment_order_id = $1`,
      [id],
    );
    return rows[0]!;
  };
  /** Moves the clock to the next query of the order, and waits until its answer is stored. */
  const toNextQuery = async (id: string) => {
    const { version, next } = await stored(id);
    clockMs = next!.getTime();
    // It is taken, and then due again or over.
    await expect.poll(async () => (await stored(id)).version, { timeout: 60_000 }).toBe(version + 2n);
  };
  /** docs/freshness.md: a quarter of the age of the order, and at least and at most this long. */
  const boundMs = (ageMs: number) => Math.min(askAfterMsMax, Math.max(askAfterMsMin, ageMs / 4));

  proves('P-069', {
    asked: 'no webhook: polling finds the result within the stated time',
    shown:
      'captured just after a query at ages of 0 s to 2 min: SUCCESS within a quarter of the age, 1 s to 15 s',
    settings: ['the clock of the service, moved from query to query', 'PAYMENT_ROUND_MS 20 for 200'],
    control: {
      in: 'payment/executor/executor-deps.ts',
      change: '(now - order.createdMs) / 4',
      to: '(now - order.createdMs) / 2',
    },
  });
  it.each([0, 1_000, 10_000, 40_000, 120_000])(
    'P-069: captured at an age of %i ms, the order has SUCCESS within the stated time',
    async (ageMs) => {
      await room.faults({ webhooks: { lost: 1 } });
      const { payment_order_id: id } = await room.pay({}, 'tok_processing');
      const createdMs = (await stored(id)).created.getTime();
      while (clockMs - createdMs < ageMs) await toNextQuery(id);
      // Nothing was asked since the last query: the longest way to the next one.
      const capturedMs = clockMs;
      await room.control('POST', '/payments', { nonce: id, status: 'captured' });
      clockMs = (await stored(id)).next!.getTime();
      await room.settled(id);
      const { rows } = await room.sql.query<{ at: Date; source: string }>(
        `SELECT at, source FROM payment_order_history
         WHERE payment_order_id = $1 AND to_status = 'SUCCESS'`,
        [id],
      );
      expect(rows).toMatchObject([{ source: 'resolver' }]);
      const tookMs = rows[0]!.at.getTime() - capturedMs;
      expect(tookMs).toBeGreaterThan(0);
      expect(tookMs).toBeLessThanOrEqual(boundMs(capturedMs - createdMs));
      expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
    },
  );

  proves('P-051', {
    asked: 'finds orders not finished in the set time, queries them by nonce, moves them on, never charges',
    shown: 'those the provider has: one query each at 1 s, not 1 ms sooner, no charge; others: P-039, P-129',
    settings: ['the clock of the service, moved to that time', 'PAYMENT_ROUND_MS 20 for 200'],
    control: {
      in: 'payment/executor/resolve-order.ts',
      change: 'const due = order?.nextAttemptMs !== undefined && order.nextAttemptMs <= nowMs;',
      to: 'const due = order?.nextAttemptMs !== undefined;',
    },
  });
  it('P-051: what is unfinished after the set time is asked for, and nothing is charged', async () => {
    await room.faults({ webhooks: { lost: 1 } });
    const ends = ['captured', 'declined'] as const;
    const ids: string[] = [];
    for (const status of ends) {
      const { payment_order_id: id } = await room.pay({}, 'tok_processing');
      await room.control('POST', '/payments', { nonce: id, status });
      ids.push(id);
    }
    const calls = (all: readonly string[]) => ids.map((id) => all.filter((nonce) => nonce === id).length);
    const before = await room.record();
    const { created, next } = await stored(ids[0]!);
    expect(next!.getTime() - created.getTime()).toBe(askAfterMsMin);
    clockMs = next!.getTime() - 1;
    // The work on an order itself, too: the job finds nothing that is due.
    await workOnDue(room.service.webhooks);
    for (const id of ids) await resolveOrder(room.service.webhooks, id);
    for (const id of ids)
      expect(await room.get(id)).toMatchObject({ payment_order_status: 'EXECUTING', pending: 'processing' });
    expect([calls(begun), calls(queried)]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    clockMs += 1;
    expect(await room.settled(ids[0]!)).toMatchObject({ is_final: true, captured_amount: '10.50' });
    expect(await room.until(ids[1]!, ({ is_final }) => is_final)).toMatchObject({
      ...{ payment_order_status: 'FAILED', captured_amount: '0.00' },
    });
    // Of each one charge that was requested by the buyer, one query, and nothing new at the provider.
    expect([calls(begun), calls(queried)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(await room.record()).toEqual(before);
  });
});

describe('what the running service tells by itself', () => {
  const gauge = async (name: string) =>
    new RegExp(`^${name} (\\d+)$`, 'm').exec((await room.metrics.scrape()).text)?.[1];
  const becomes = (name: string, wanted: string) =>
    eventually(async () => expect(await gauge(name)).toBe(wanted));

  proves('P-052', {
    asked: 'over-age: an alert; clears when resolved',
    shown: 'nobody calls the check: the gauge of the service rises after 10 min, and falls with the capture',
    settings: ['the clock of the service, moved', 'rounds of alerts every 50 ms for 5 s'],
    control: {
      in: 'payment/payment-service.ts',
      change: '() => alertOverdue(deps).then(() => false),',
      to: '() => Promise.resolve(alertOverdue === undefined),',
    },
  });
  it('P-052: the gauge of overdue payments rises and falls', async () => {
    await room.faults({ webhooks: { lost: 1 } });
    const { payment_order_id: id } = await room.pay({}, 'tok_processing');
    await becomes('payments_overdue', '0');
    clockMs += overdueMs + 1;
    await becomes('payments_overdue', '1');
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    clockMs += askAfterMsMax;
    await room.settled(id);
    await becomes('payments_overdue', '0');
  });

  proves('P-106', {
    asked: 'a missing file by the deadline raises an alert',
    shown: 'nobody calls the check: 12 h after the day of the first capture the gauge of the service is 1',
    settings: ['the clock of the service, moved', 'rounds of the proof every 50 ms for 30 s'],
    control: {
      in: 'payment/reconciliation/report-proof.ts',
      change: '  await reportSettlements(sql, metrics, deadline);',
      to: '  await reportSettlements(sql, metrics, { ...deadline, now: new Date(0) });',
    },
  });
  it('P-106: the gauge of missing settlement files rises at the deadline', async () => {
    await room.faults({});
    await room.settled((await room.pay({}, 'tok_captured')).payment_order_id);
    await becomes('settlement_files_overdue', '0');
    const { rows } = await room.sql.query<{ at: Date }>('SELECT min(at) AS at FROM provider_first_capture');
    const dayMs = 86_400_000;
    clockMs = (Math.floor(rows[0]!.at.getTime() / dayMs) + 1) * dayMs + settlementDueAfterMs;
    await becomes('settlement_files_overdue', '1');
  });
});

describe('an order that has ended', () => {
  proves('P-061', {
    asked: 'after completion the same for ever',
    shown: 'a paid and a declined order, read hour by hour for a day and then after a year of work: equal',
    settings: ['the clock of the service, moved by a year'],
    control: {
      in: 'payment/executor/due-work.ts',
      change: `UPDATE payment_orders o SET alerted_at = $1 FROM payment_events e
       WHERE e.checkout_id = o.checkout_id AND NOT o.is_final AND o.alerted_at IS NULL`,
      to: `UPDATE payment_orders o SET alerted_at = $1, changed_at = $1, version = o.version + 1
       FROM payment_events e WHERE e.checkout_id = o.checkout_id AND o.alerted_at IS NULL`,
    },
  });
  it('P-061: is read the same for ever, whatever the background job does', async () => {
    await room.faults({});
    const [paid, declined] = [await room.pay({}, 'tok_captured'), await room.pay({}, 'tok_declined')];
    const ids = [paid.payment_order_id, declined.payment_order_id];
    const ended = [await room.settled(ids[0]!), await room.get(ids[1]!)];
    expect(ended).toMatchObject([
      { payment_order_status: 'SUCCESS', is_final: true },
      { payment_order_status: 'FAILED', is_final: true, failure_code: 'card_declined' },
    ]);
    const hourMs = 3_600_000;
    for (const hours of [...Array.from({ length: 24 }, () => 1), 364 * 24]) {
      clockMs += hours * hourMs;
      await workOnDue(room.service.webhooks);
      await alertOverdue(room.service.webhooks);
      expect(await Promise.all(ids.map((id) => room.get(id)))).toEqual(ended);
    }
  });
});

describe('an order that waits for people', () => {
  proves('P-006', {
    asked: 'review: pending for hours, status visible, later approve or deny finishes it',
    shown: 'ten hours, hour by hour, each with a round of work: pending, not final; then approved, denied',
    settings: ['the clock of the service, moved by ten hours'],
    control: {
      in: 'payment/orders/review-order.ts',
      change: "if (order.status !== 'NOT_STARTED' || order.pending !== 'review') return 'not in review';",
      to: "if (order.status !== 'NOT_STARTED' || order.expiresMs < nowMs) return 'not in review';",
    },
  });
  it('P-006: a review of ten hours is pending all the time, and is then approved or denied', async () => {
    decision = { decision: 'review', reason: 'large_amount' };
    const [approved, denied] = [await room.pay({}, 'tok_captured'), await room.pay({}, 'tok_captured')];
    const hourMs = 3_600_000;
    expect(hourMs).toBeGreaterThan(Math.max(registrationMs, overdueMs));
    for (let hour = 1; hour <= 10; hour += 1) {
      clockMs += hourMs;
      await workOnDue(room.service.webhooks);
      await alertOverdue(room.service.webhooks);
      for (const { payment_order_id: id } of [approved, denied])
        expect(await room.get(id)).toMatchObject({
          payment_order_status: 'NOT_STARTED',
          pending: 'review',
          is_final: false,
          failure_code: null,
        });
    }
    const asked = async (id: string) =>
      (await room.record()).some((line) => line.kind === 'payment' && line.payment.nonce === id);
    const ids = [approved.payment_order_id, denied.payment_order_id];
    expect(await Promise.all(ids.map(asked))).toEqual([false, false]);
    const decide = async (id: string, verdict: 'approve' | 'deny') =>
      (
        await room.post(
          { decision: verdict, reason: 'called the buyer' },
          { token: 'staff.sam', path: `/v1/payments/${id}/review`, base: room.internalUrl },
        )
      ).status;
    expect([await decide(ids[0]!, 'approve'), await decide(ids[1]!, 'deny')]).toEqual([200, 200]);
    expect(await room.settled(ids[0]!)).toMatchObject({ is_final: true, captured_amount: '10.50' });
    expect(await room.get(ids[1]!)).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'review_denied',
      is_final: true,
    });
    expect(await Promise.all(ids.map((id) => room.charges(id)))).toEqual([1, 0]);
  });
});

describe('an order that waits for a person at the provider or at the bank', () => {
  let waiting: OrdersRoom;
  beforeAll(async () => {
    waiting = await OrdersRoom.open({
      style: 'direct',
      nowMs: () => clockMs,
      // A challenge ends with the time of the order.
      settings: { registrationMs: 24 * 3_600_000 },
    });
  });
  afterAll(() => waiting?.close());

  proves('P-054', {
    asked: 'review, extra verification: GET shows pending for hours; an e-mail job on completion, once',
    shown:
      'both pending at each of ten hours; then one notice and one mail job each, also after late messages',
    settings: [
      'registrationMs 24 h for 15 min, in which a challenge ends by default',
      'the clock of the service, moved by ten hours',
    ],
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "const person = pending === 'review' || pending === 'challenge';",
      to: "const person = pending === 'review';",
    },
  });
  it('P-054: a review and a challenge of ten hours are pending, and their end is mailed once', async () => {
    const started = async (token: string) => {
      const buyer = { name: 'Ada', email: 'ada@example.org' };
      const body = waiting.body([{}], { buyer_info: buyer, credit_card_info: { token } });
      return ((await (await waiting.post(body)).json()) as PaymentEvent).payment_orders[0]!.payment_order_id;
    };
    const orders = [
      { pending: 'review', id: await started('tok_review') },
      { pending: 'challenge', id: await started('tok_challenge') },
    ];
    const counted = async (id: string) => [
      await waiting.count(
        `SELECT count(*) AS n FROM payment_outbox
         WHERE key = $1 AND topic = 'payment.notice.v1' AND payload->>'kind' = '1'`,
        [id],
      ),
      await waiting.count('SELECT count(*) AS n FROM payment_mail_jobs WHERE payment_order_id = $1', [id]),
    ];
    for (let hour = 1; hour <= 10; hour += 1) {
      clockMs += 3_600_000;
      await workOnDue(waiting.service.webhooks);
      await alertOverdue(waiting.service.webhooks);
      for (const { id, pending } of orders)
        expect(await waiting.get(id)).toMatchObject({
          ...{ payment_order_status: 'EXECUTING', pending, is_final: false, captured_amount: '0.00' },
        });
    }
    for (const { id } of orders) {
      expect(await counted(id)).toEqual([0, 0]);
      await waiting.control('POST', '/payments', { nonce: id, status: 'captured' });
      clockMs += 60_000;
      await waiting.settled(id);
      await eventually(async () => expect(await counted(id)).toEqual([1, 1]));
      const captured = await waiting.payment(id);
      for (const sequence of [98, 99])
        expect(
          (await waiting.webhook('payment.captured', { ...captured, sequence }, { at: new Date(clockMs) }))
            .status,
        ).toBe(204);
    }
    await workOnDue(waiting.service.webhooks);
    for (const { id } of orders) expect(await counted(id)).toEqual([1, 1]);
  });
});
