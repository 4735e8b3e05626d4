import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import type { RiskDecision } from '#payment/risk/risk-check.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { OrdersRoom } from './orders-fixture.js';

/** The clock of the service, which stands until a test moves it. */
let clockMs = Date.now();
let decision: RiskDecision;
let room: OrdersRoom;
const { askAfterMsMin, askAfterMsMax, registrationMs, overdueMs } = paymentDefaults;
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    nowMs: () => clockMs,
    settings: { askAfterMsMin, askAfterMsMax },
    risk: { name: 'third party', assess: () => Promise.resolve(decision) },
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
    settings: ['the clock of the service, moved from query to query', 'roundEveryMs 20 for 200'],
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
